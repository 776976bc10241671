/**
 * Computes expected responses. For this, `reply()` reads from a store that returns, instead of a body, a function that
 * checks the body of the real response.
 */
import { type Header, PROBLEM_TYPE } from '../contract/headers.ts';
import { problemKey, propertyIdOf, totalKey } from '../contract/object-keys.ts';
import { problemDocuments } from '../contract/problem.ts';
import type { Answer } from '../contract/route.ts';
import { digestOf } from '../release/digest.ts';
import { assemblePage, pageSlices } from '../release/page.ts';
import { idInSummary, type Release, readDetail, readSummaries } from '../release/release.ts';
import { documentDigest } from '../release/root-contents.ts';
import {
  type ApiRequest,
  type Entity,
  entityReply,
  fileKey,
  type PageAnswer,
  reply,
} from '../targets/runtime/reply.ts';
import type { ReplySettings } from '../targets/runtime/reply-settings.ts';

export type ExpectedResponse = {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly hasETag: boolean;
  /** Returns undefined if the body is right, otherwise what was expected. */
  readonly bodyCheck: BodyCheck;
};

export type BodyCheck = (body: Buffer) => string | undefined;

export async function expectedResponseOf(
  release: Release,
  request: ApiRequest,
  meant: Answer,
  base: string,
): Promise<ExpectedResponse> {
  const settings = settingsOf(release, base);
  const { status, headers, body } = await reply<BodyCheck>(request, settings, {
    read: async (key) => {
      if (meant.kind === 'page') {
        const fault = await pageCheck(release, meant);
        return fault && entity(fault);
      }
      const detail = await readDetail(release, propertyIdOf(key));
      return detail && entity(digestCheck(digestOf(detail)));
    },
    text: async (key) => {
      const scope = release.scopes.get(key.slice(0, -totalKey('').length));
      return String(scope?.total ?? 0);
    },
    file: async (path) => {
      const key = fileKey(path, base) ?? '';
      const fault = documentCheck(release, key);
      return entityReply(entity(fault), key, request, settings.cache);
    },
  });
  // A problem document at its own path is an ordinary file; a server may send it as plain JSON.
  const isOwn = ([name, value]: Header) => name === 'Content-Type' && value === PROBLEM_TYPE;
  const isProblemFile = meant.kind === 'file' && headers.some(isOwn);
  // Servers add names to `Vary`, and the value of an ETag cannot be predicted.
  const ignored = ['ETag', 'Vary'].concat(isProblemFile ? ['Content-Type', 'Cache-Control'] : []);
  const compared = headers.filter(([name]) => !ignored.includes(name));
  return {
    status,
    headers: compared,
    hasETag: headers.some(([name]) => name === 'ETag'),
    bodyCheck: typeof body === 'function' ? body : textCheck(body ?? ''),
  };
}

function settingsOf({ settings: api, documents }: Release, base: string): ReplySettings {
  const problems: Record<string, [number, string]> = {};
  const route = { base, sizes: api.page_sizes, layout: api.layout };
  for (const [name, { status }] of problemDocuments(route))
    problems[name] = [status, `${documents[problemKey(name)]}`];
  return { ...route, cache: api.cache_control, problems, digests: api.api_keys ? [''] : [], edge: api.edge };
}

function entity(body: BodyCheck): Entity<BodyCheck> {
  return { tag: '"any"', body };
}

export function documentCheck({ documents, name }: Release, key: string): BodyCheck {
  const digest = documents[key];
  return (body) =>
    documentDigest(key, body, name) === digest ? undefined : `the bytes of the digest ${digest}`;
}

export function digestCheck(digest: string | undefined): BodyCheck {
  return (body) => (digestOf(body) === digest ? undefined : `the bytes of the digest ${digest}`);
}

/** `text`: the expected JSON, which starts with `{`, or the digest of the expected bytes; empty if no body is expected. */
function textCheck(text: string): BodyCheck {
  if (text !== '' && !text.startsWith('{')) return digestCheck(text);
  return (body) => (body.toString('utf8') === text ? undefined : text.slice(-120) || 'no body');
}

/** Returns a check that a body equals the page in the release's chunks. Undefined for a page without entries. */
export async function pageCheck(
  release: Release,
  { folder, number, size }: Pick<PageAnswer, 'folder' | 'number' | 'size'>,
): Promise<BodyCheck | undefined> {
  const { runs = [], total = 0 } = release.scopes.get(folder) ?? {};
  const counts = runs.map(({ start, end }) => end - start);
  const wanted: string[] = [];
  for (const { index, start, end } of pageSlices(counts, number, size)) {
    const first = runs[index]!.start;
    wanted.push(...(await readSummaries(release, first + start, first + end)));
  }
  if (wanted.length === 0) return undefined;
  const whole = Buffer.concat(assemblePage([Buffer.from(wanted.join(','))], number, size, total));
  return (body) => {
    if (body.equals(whole)) return undefined;
    const what = `page ${number} of ${size} with ${wanted.length} entries`;
    let entries: string[];
    try {
      const { data } = JSON.parse(body.toString('utf8')) as { data: unknown[] };
      entries = data.map((entry) => JSON.stringify(entry));
    } catch {
      return what;
    }
    if (entries.length !== wanted.length) return what;
    const wrong = entries.findIndex((entry, index) => entry !== wanted[index]);
    if (wrong >= 0) return `${what}, entry ${wrong + 1} that of ${idInSummary(wanted[wrong]!)}`;
    return whole.toString('utf8').slice(-120);
  };
}
