import { API_KEY_HEADER, type Header } from '../contract/headers.ts';
import type { Release } from '../release/release.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../storage/http-client.ts';
import { cutText } from '../text/shorten.ts';

export type ReportDifference = (what: string, expected: string, actual: string) => void;

export type LiveCatalogue = {
  readonly client: HttpClient;
  readonly origin: string;
  readonly base: string;
  readonly apiKey: string | undefined;
  readonly report: (request: string) => ReportDifference;
};

/**
 * Keys checked so far. `pages`: only pages with entries. `lists`: all pages; on a host that only serves files, only
 * pages with entries. `images` has file names instead of keys.
 */
export type SeenKeys = Readonly<Record<'properties' | 'pages' | 'lists' | 'images', Set<string>>>;

export type VerifyContext = LiveCatalogue & { readonly release: Release; readonly seen: SeenKeys };

export async function sendOrReport(
  client: HttpClient,
  request: HttpRequest,
  report: ReportDifference,
): Promise<HttpResponse | undefined> {
  return client.send(request).catch((error: Error) => {
    report('answer', 'one', error.message);
    return undefined;
  });
}

export function apiKeyHeaders(apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined ? {} : { [API_KEY_HEADER]: apiKey };
}

export function expectHeaders(
  answer: HttpResponse,
  wanted: readonly Header[],
  report: ReportDifference,
): void {
  for (const [name, value] of wanted) {
    const actual = answer.headers[name.toLowerCase()];
    const text = Array.isArray(actual) ? actual.join(', ') : actual;
    if (text === undefined || meaning(name, text) !== meaning(name, value))
      report(name, value, text ?? 'none');
  }
}

function meaning(name: string, value: string): string {
  if (name === 'Content-Type') return mediaMeaning(value);
  // All other headers are lists of directives or names; order and case do not matter.
  return value
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .sort()
    .join(', ');
}

const SAME_TYPES: Readonly<Record<string, readonly string[]>> = {
  'text/javascript': ['application/javascript', 'application/x-javascript'],
  'application/yaml': ['text/yaml', 'application/x-yaml', 'text/x-yaml', 'text/vnd.yaml'],
  'application/atom+xml': ['application/xml', 'text/xml'],
  'application/x-ndjson': ['application/ndjson', 'application/jsonl'],
  'application/gzip': ['application/x-gzip'],
};

/** Removes differences without meaning: case, aliases, and `charset=utf-8` (all texts are UTF-8). */
function mediaMeaning(value: string): string {
  const [type = '', ...parameters] = value
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const known = Object.entries(SAME_TYPES).find(([, others]) => others.includes(type))?.[0] ?? type;
  const others = parameters.filter((parameter) => !/^(?:charset="?utf-?8"?)?$/.test(parameter));
  return [known, ...others.sort()].join('; ');
}

/** Reports an ETag that is missing or weak, or that gets no 304 when sent in `If-None-Match`. */
export async function checkETag(
  client: HttpClient,
  { method, url, headers }: HttpRequest,
  answer: HttpResponse,
  report: ReportDifference,
): Promise<void> {
  const tag = answer.headers.etag;
  if (!tag || !/^"[^"]*"$/.test(tag)) {
    report('ETag', 'a strong entity tag', tag ?? 'none');
    return;
  }
  if (method !== 'GET') return;
  const request = { method, url, headers: { ...headers, 'If-None-Match': tag } };
  const status = await client.send(request).then(
    (answer) => String(answer.status),
    (error: Error) => error.message,
  );
  if (status !== '304') report('status with If-None-Match', '304', status);
}

export function excerpt(body: Buffer): string {
  return cutText(body.toString('utf8').replace(/\s+/g, ' '), 120) || 'nothing';
}

/** Thrown if an object that the release names is missing or damaged. This difference has already been reported. */
export class DamagedLeaf extends Error {}

export async function undefinedIfLeafDamaged<Of>(work: Promise<Of>): Promise<Of | undefined> {
  return work.catch((error: unknown) => {
    if (error instanceof DamagedLeaf) return undefined;
    throw error;
  });
}
