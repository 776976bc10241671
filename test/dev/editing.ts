/** A session with its server, and the requests of a page to its API. */
import { onTestFinished } from 'vitest';
import { createEditApi } from '../../src/dev/api/edit-api.ts';
import { createToken, tokenCookie } from '../../src/dev/api/session-token.ts';
import { startDevServer } from '../../src/dev/preview/server.ts';
import { EDIT_API_PATH, type PropertyResponse } from '../../src/editor/api.ts';
import { createWorkspace, type Workspace } from '../compile/workspace.ts';
import { startHeardSession } from './heard-session.ts';

const PLAIN = 'page_sizes: [25]\ntargets: []\ndocs: false\n';

/** A file as a careful person writes it. */
export const ROSE = `# Kept by Ada.
id: 00000000-0000-4000-8000-000000000001
title: 'Rose Cottage'   # as on the sign

currency: EUR
email: stay@rose.example
phone: +353 1 605 7700

city: Galway
country: IE
latitude: 53.27194
longitude: -9.04889
`;

export type Editing = Awaited<ReturnType<typeof startEditing>>;

export async function startEditing(prepare: (workspace: Workspace) => void = () => {}) {
  const workspace = createWorkspace();
  workspace.configure(PLAIN);
  workspace.write('rose.yaml', ROSE);
  prepare(workspace);
  const { content } = workspace;
  const heard = await startHeardSession(workspace);
  const { session } = heard;
  const token = createToken();
  const api = createEditApi(session, token);
  const place = { session, content, port: 0, host: '127.0.0.1' };
  const server = await startDevServer({ ...place, edit: api.answer });
  onTestFinished(() => server.close());
  const cookie = tokenCookie(new URL(server.url).host, token);

  /** Sends a request, and returns status and body. */
  async function ask(name: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(server.url + EDIT_API_PATH + name, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Cookie: cookie, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && {
        body: body instanceof Uint8Array ? new Blob([new Uint8Array(body)]) : JSON.stringify(body),
      }),
    });
    const type = response.headers.get('content-type') ?? '';
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects.
    const json: any = type.startsWith('application/json') ? await response.json() : undefined;
    return { status: response.status, headers: response.headers, json };
  }

  const property = async (path = 'rose.yaml') =>
    (await ask(`property?path=${encodeURIComponent(path)}`)).json as PropertyResponse;
  return { workspace, server, api, token, cookie, ask, property, ...heard };
}
