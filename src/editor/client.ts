import {
  EDIT_API_PATH,
  type FailureResponse,
  type PhotoResponse,
  type PropertiesResponse,
  type PropertyResponse,
  TOKEN_HEADER,
} from './api.ts';
import type { CatalogueResponse } from './catalogue-info.ts';
import type { ChangesResponse } from './changes.ts';
import type { RemoteResponse } from './git-remote.ts';
import type { PostRequestName, RequestBody, ResponseByRequestName } from './request-schemas.ts';

export class FailedRequest extends Error {
  constructor(
    readonly failure: FailureResponse | { readonly code: 'unreachable'; readonly message: string },
  ) {
    super(failure.message);
  }
}

const UNREACHABLE = {
  code: 'unreachable',
  message:
    'The editor does not answer: its program was ended, or waits. Start it again in the terminal, and open the address that it prints.',
} as const;

const NEW_SESSION =
  'The editor was started again. Open the address that it prints now, in another tab: then this page goes on, with all that you typed.';

export type EditorClient = ReturnType<typeof createEditorClient>;

export function createEditorClient() {
  const kept = new Map<string, { readonly tag: string; readonly answer: unknown }>();
  async function ask<Answer>(name: string, init: RequestInit = {}, read = asJson<Answer>): Promise<Answer> {
    const response = await fetch(EDIT_API_PATH + name, init).catch((error: unknown) => {
      if (init.signal?.aborted) throw error;
      throw new FailedRequest(UNREACHABLE);
    });
    if (response.ok || response.status === 304) return read(response);
    const failure = (await response.json().catch(() => UNREACHABLE)) as FailureResponse;
    throw new FailedRequest(failure.code === 'wrong-token' ? { ...failure, message: NEW_SESSION } : failure);
  }
  const get = <Answer>(name: string) => ask<Answer>(name);
  const getKept =
    <Answer>(name: string) =>
    (signal?: AbortSignal) => {
      const { tag, answer } = kept.get(name) ?? {};
      const init = { ...(signal && { signal }), ...(tag && { headers: { 'If-None-Match': tag } }) };
      return ask<Answer>(name, init, async (response) => {
        if (response.status === 304) return answer as Answer;
        const next = await asJson<Answer>(response);
        kept.set(name, { tag: response.headers.get('ETag') ?? '', answer: next });
        return next;
      });
    };
  const post =
    <Name extends PostRequestName>(name: Name) =>
    (body: RequestBody<Name>, signal?: AbortSignal) =>
      ask<ResponseByRequestName[Name]>(name, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
        ...(signal && { signal }),
      });
  return {
    enter: (token: string) => ask<object>('enter', { method: 'POST', headers: { [TOKEN_HEADER]: token } }),
    catalogue: getKept<CatalogueResponse>('catalogue'),
    properties: (since?: string) =>
      get<PropertiesResponse>(`properties?${new URLSearchParams(since === undefined ? {} : { since })}`),
    changes: getKept<ChangesResponse>('changes'),
    property: (which: string | { readonly id: string }) =>
      get<PropertyResponse>(
        `property?${new URLSearchParams(typeof which === 'string' ? { path: which } : which)}`,
      ),
    check: post('check'),
    save: post('save'),
    restore: post('restore'),
    create: post('create'),
    copy: post('copy'),
    rename: post('rename'),
    remove: post('remove'),
    setStreetMap: post('set-street-map'),
    commit: post('commit'),
    remote: getKept<RemoteResponse>('remote'),
    fetch: post('fetch'),
    push: post('push'),
    merge: post('merge'),
    switchBranch: post('switch-branch'),
    keepSide: post('keep-side'),
    revert: post('revert'),
    addPhoto: (path: string, file: File) =>
      ask<PhotoResponse>(`add-photo?${new URLSearchParams({ path, name: file.name })}`, upload(file)),
    convertPhoto: (file: File) =>
      ask<Blob>(`convert-photo?${new URLSearchParams({ name: file.name })}`, upload(file), asBlob),
    photo: (path: string, signal: AbortSignal) =>
      ask<Blob>(`photo?${new URLSearchParams({ path })}`, { signal }, asBlob),
  };
}

const asBlob = (response: Response) => response.blob();

function upload(file: File): RequestInit {
  return {
    method: 'POST',
    body: file,
    headers: { 'Content-Type': file.type || 'application/octet-stream' },
  };
}

/** Calls during a run return at once. Together they cause one more run after it. */
export function coalesceCalls(act: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  let isAsked = false;
  return async () => {
    isAsked = true;
    if (isRunning) return;
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await act();
    }
    isRunning = false;
  };
}

function asJson<Answer>(response: Response): Promise<Answer> {
  return response.json() as Promise<Answer>;
}

export function errorMessage(error: unknown): string {
  return error instanceof FailedRequest ? error.failure.message : String(error);
}
