import { gunzipSync } from 'node:zlib';
import { type Case, type Expectation, leaks, resolve, type Wanted } from './case.ts';
import { headerOf, type Response } from './client.ts';
import { CACHE_CONTROL, type Fixture, GUARDED_KEY } from './fixture.ts';

/** The maximum duration of an answer, in milliseconds. */
export const SLOW = 50;

/** Returns the fault of an answer; undefined when it is one of those that the case allows. */
export function judge(test: Case, response: Response, fixture: Fixture): string | undefined {
  return judgeAlways(response) ?? judgeAnswer(test, response, fixture);
}

/** The same for an answer that may report a broken catalogue. */
export function judgeAnswer(test: Case, response: Response, fixture: Fixture): string | undefined {
  const faults = [test.expect, ...test.or].map((expectation) =>
    judgeOne(test, expectation, response, fixture),
  );
  return faults.includes(undefined) ? undefined : faults[0];
}

/** Properties that no answer to any request may have. */
export function judgeAlways(response: Response): string | undefined {
  if (response.status >= 500) return `status ${response.status}: ${shown(response.body)}`;
  if (leaks(response.body)) return 'a file from outside the root';
  if (headerOf(response, 'X-Injected') !== undefined) return 'a header of the request in the answer';
  if (headerOf(response, 'Location') !== undefined) return `a redirect to ${headerOf(response, 'Location')}`;
  return undefined;
}

function judgeOne(
  test: Case,
  expectation: Expectation,
  response: Response,
  fixture: Fixture,
): string | undefined {
  const wanted = resolve(expectation, fixture);
  if (!wanted) {
    const isRefusal = response.status >= 400 && response.status < 500 && !response.body.includes('"data"');
    return isRefusal ? undefined : `status ${response.status}, expected a refusal`;
  }
  if (response.status !== wanted.status) return `status ${response.status}, expected ${wanted.status}`;
  return (
    judgeBody(test.method, wanted, response) ??
    judgeHeaders(wanted, response) ??
    judgeCaching(test, wanted, response, fixture) ??
    judgeVary(test, wanted, response, fixture)
  );
}

/** Status and body of a success or a problem, without its headers. */
export function judgeBody(method: string, wanted: Wanted, response: Response): string | undefined {
  if (response.status !== wanted.status) return `status ${response.status}, expected ${wanted.status}`;
  if (!wanted.body) return undefined;
  if (method === 'HEAD') {
    const length = headerOf(response, 'Content-Length');
    const isRight = length === undefined || Number(length) === wanted.body.length;
    return isRight ? undefined : `Content-Length ${length}, expected ${wanted.body.length}`;
  }
  const isCompressed = headerOf(response, 'Content-Encoding') === 'gzip';
  const body = isCompressed ? gunzipSync(response.body) : response.body;
  return body.equals(wanted.body) ? undefined : `body ${shown(body)}, expected ${shown(wanted.body)}`;
}

function judgeHeaders(wanted: Wanted, response: Response): string | undefined {
  const expected: [string, string | undefined][] = [
    ['Access-Control-Allow-Origin', '*'],
    ['Access-Control-Expose-Headers', 'ETag, Content-Range, Catalogue-Release'],
    ['Catalogue-Release', wanted.release],
    ['X-Content-Type-Options', 'nosniff'],
  ];
  if (wanted.status === 204) {
    expected.push(
      ['Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS'],
      [
        'Access-Control-Allow-Headers',
        'X-API-KEY, Accept, Content-Type, If-None-Match, Range, Catalogue-Release',
      ],
      ['Access-Control-Max-Age', '86400'],
    );
  }
  if (wanted.status === 405) expected.push(['Allow', 'GET, HEAD, OPTIONS']);
  if (wanted.status === 401) expected.push(['WWW-Authenticate', 'ApiKey']);
  if (wanted.type) expected.push(['Content-Type', wanted.type]);
  // Apache says nothing of the length of a file that ends before a range.
  const isSilent = wanted.status === 416 && headerOf(response, 'Content-Range') === undefined;
  if (wanted.range && !isSilent) expected.push(['Content-Range', wanted.range]);
  for (const [name, value] of expected) {
    const actual = headerOf(response, name);
    if (actual !== value) return `${name}: ${actual}, expected ${value}`;
  }
  const tag = headerOf(response, 'ETag');
  const isCompressed = headerOf(response, 'Content-Encoding') !== undefined;
  if (wanted.tagged && !(isCompressed ? /^(?:W\/)?"[^"]+"$/ : /^"[^"]+"$/).test(tag ?? '')) {
    return `ETag: ${tag}, expected a strong one`;
  }
  return undefined;
}

/** Returns whether an answer may differ without a key: every answer of the list, and of a file that shows it. */
function isForKeys({ target }: Case, wanted: Wanted, { status }: Response, fixture: Fixture): boolean {
  if (fixture.keys.length === 0) return false;
  if (wanted.isPage || isList(target, fixture)) return true;
  if (fixture.hasPublicLists) return false;
  const key = target.split('?')[0]!.slice(fixture.base.length + 1);
  return status === 401 || (status < 400 && GUARDED_KEY.test(key));
}

function isList(target: string, { base }: Fixture): boolean {
  const path = target.replace(/^https?:\/\/[^/]*/, '').split('?')[0];
  return path === `${base}/api/v1/public/properties`;
}

function judgeCaching(test: Case, wanted: Wanted, response: Response, fixture: Fixture): string | undefined {
  const { caching } = wanted;
  if (wanted.status === 416) {
    const actual = headerOf(response, 'Cache-Control') ?? '';
    const isKeptBriefly = ['no-store', CACHE_CONTROL.problem].includes(actual.replace('private', 'public'));
    return isKeptBriefly ? undefined : `Cache-Control: ${actual}, expected one that keeps no error`;
  }
  if (!caching) return undefined;
  const open = caching === 'none' ? 'no-store' : CACHE_CONTROL[caching];
  const guarded = open.replace('public', 'private');
  const isPrivate = isForKeys(test, wanted, response, fixture) && !fixture.hasPublicLists;
  const actual = headerOf(response, 'Cache-Control');
  const expected = isPrivate ? guarded : open;
  if (actual === expected) return undefined;
  // A server may leave answers to ranges out of caches.
  if (actual === 'no-store' && test.headers.some(([name]) => name === 'Range')) return undefined;
  // A problem of a file that shows the list may be private as well.
  if (fixture.keys.length > 0 && response.status >= 400 && actual === guarded) return undefined;
  return `Cache-Control: ${actual}, expected ${expected}`;
}

function judgeVary(test: Case, wanted: Wanted, response: Response, fixture: Fixture): string | undefined {
  if (response.status === 204) return undefined;
  const names = (headerOf(response, 'Vary') ?? '').toLowerCase().split(/ *, */);
  const missing = [
    ...(isForKeys(test, wanted, response, fixture) ? ['X-API-KEY'] : []),
    ...(fixture.layout === 'packed' && isList(test.target, fixture) ? ['Catalogue-Release'] : []),
  ].filter((name) => !names.includes(name.toLowerCase()));
  return missing.length === 0 ? undefined : `Vary: ${names}, expected ${missing}`;
}

/** Returns the fault of the answer to a revalidation; undefined for a correct 304. */
export function judgeNotModified(first: Response, response: Response): string | undefined {
  if (response.status !== 304) return `status ${response.status}, expected 304`;
  const strong = (value: string | undefined) => value?.replace(/^W\//, '');
  const [tag, before] = [headerOf(response, 'ETag'), headerOf(first, 'ETag')];
  if (strong(tag) !== strong(before)) return `ETag: ${tag}, expected ${before}`;
  for (const name of ['Access-Control-Allow-Origin', 'Cache-Control', 'Catalogue-Release']) {
    const actual = headerOf(response, name);
    if (actual !== headerOf(first, name)) return `${name}: ${actual}, expected ${headerOf(first, name)}`;
  }
  return undefined;
}

function shown(body: Buffer): string {
  return body.length > 160 ? `${body.subarray(0, 160)}… (${body.length} bytes)` : `${body}`;
}
