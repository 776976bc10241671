/** How an answer of a live catalogue is compared with what it should be. */
import { API_KEY_HEADER, type Header } from '../contract/headers.ts';
import type { Release } from '../release/release.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from '../storage/http-client.ts';
import { cut } from '../words.ts';

/** Records a part of an answer that is not as it should be. */
export type Report = (what: string, expected: string, actual: string) => void;

/** Where a live catalogue is, and how it is asked. */
export type LiveCatalogue = {
  readonly client: HttpClient;
  readonly origin: string;
  readonly base: string;
  readonly apiKey: string | undefined;
  /** For the differences of one request. */
  readonly report: (request: string) => Report;
};

/** What was looked at: keys of properties, of pages that have entries, of all pages; names of images. */
export type Seen = Readonly<Record<'properties' | 'pages' | 'lists' | 'images', Set<string>>>;

/** What every check of a live catalogue needs. */
export type VerifyContext = LiveCatalogue & { readonly release: Release; readonly seen: Seen };

/** Sends a request. An answer that does not come is reported, and undefined. */
export async function ask(
  client: HttpClient,
  request: HttpRequest,
  report: Report,
): Promise<HttpAnswer | undefined> {
  return client.send(request).catch((error: Error) => {
    report('answer', 'one', error.message);
    return undefined;
  });
}

/** The header that carries the key. */
export function keyHeaders(apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined ? {} : { [API_KEY_HEADER]: apiKey };
}

/** Reports every header that is missing or says something else. */
export function expectHeaders(answer: HttpAnswer, wanted: readonly Header[], report: Report): void {
  for (const [name, value] of wanted) {
    const actual = answer.headers[name.toLowerCase()];
    const text = Array.isArray(actual) ? actual.join(', ') : actual;
    if (text === undefined || meaning(name, text) !== meaning(name, value))
      report(name, value, text ?? 'none');
  }
}

/** What a header says, whatever its spelling. */
function meaning(name: string, value: string): string {
  if (name === 'Content-Type') return mediaMeaning(value);
  // The others that we compare are lists, of directives or of names, whose order and case do not matter.
  return value
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .sort()
    .join(', ');
}

/** Other names of a media type, by the name that we use. Consumers of one understand the other. */
const SAME_TYPES: Readonly<Record<string, readonly string[]>> = {
  'text/javascript': ['application/javascript', 'application/x-javascript'],
  'application/yaml': ['text/yaml', 'application/x-yaml', 'text/x-yaml', 'text/vnd.yaml'],
  'application/atom+xml': ['application/xml', 'text/xml'],
  'application/x-ndjson': ['application/ndjson', 'application/jsonl'],
  'application/gzip': ['application/x-gzip'],
};

/** A media type without what changes nothing: case, another name, and UTF-8, which all our text is. */
function mediaMeaning(value: string): string {
  const [type = '', ...parameters] = value
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const known = Object.entries(SAME_TYPES).find(([, others]) => others.includes(type))?.[0] ?? type;
  const others = parameters.filter((parameter) => !/^(?:charset="?utf-?8"?)?$/.test(parameter));
  return [known, ...others.sort()].join('; ');
}

/** Reports an entity tag that is missing or weak, and a GET that `If-None-Match` with this tag does not answer with 304. */
export async function checkTag(
  client: HttpClient,
  { method, url, headers }: HttpRequest,
  answer: HttpAnswer,
  report: Report,
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

/** The start of a body, on one line. */
export function excerpt(body: Buffer): string {
  return cut(body.toString('utf8').replace(/\s+/g, ' '), 120) || 'nothing';
}
