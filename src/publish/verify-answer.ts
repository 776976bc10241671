/** How an answer of a live catalogue is compared with what it should be. */
import type { Header } from '../contract/headers.ts';
import type { HttpAnswer, HttpClient, HttpRequest } from './http-client.ts';
import type { Release } from './release.ts';

/** Takes down that a part of an answer is not as it should be. */
export type Report = (what: string, expected: string, actual: string) => void;

/** What every check of a live catalogue needs. */
export type VerifyContext = {
  readonly client: HttpClient;
  readonly release: Release;
  readonly origin: string;
  readonly base: string;
  readonly apiKey: string | undefined;
  /** For the differences of one request. */
  readonly report: (request: string) => Report;
};

/** Reports every header that is missing or says something else. */
export function expectHeaders(answer: HttpAnswer, wanted: readonly Header[], report: Report): void {
  for (const [name, value] of wanted) {
    const actual = answer.headers[name.toLowerCase()];
    const text = Array.isArray(actual) ? actual.join(', ') : actual;
    if (text === undefined || normal(text) !== normal(value)) report(name, value, text ?? 'none');
  }
}

/** Header values that mean the same: case and spaces around separators do not matter in those that we compare. */
function normal(value: string): string {
  return value.toLowerCase().replace(/\s*([;,])\s*/g, '$1');
}

/** Reports an entity tag that is missing or weak, and one of a GET by which the server does not revalidate. */
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
  const text = body.toString('utf8').replace(/\s+/g, ' ');
  return text.length > 120 ? `${text.slice(0, 120)}...` : text || 'nothing';
}
