import {
  type CACHE_CONTROL,
  CANARY,
  cachingOf,
  type Fixture,
  INTERNAL,
  pageText,
  select,
} from './fixture.ts';

/** The groups of cases, in the order of the table in the documentation. */
export const GROUPS = [
  ...['spellings', 'cities', 'pages', 'faults', 'limits', 'details', 'paths', 'methods', 'caching'],
  ...['hostile', 'files', 'folders', 'ranges', 'missing', 'internal', 'fuzz', 'all pages', 'keys', 'guarded'],
  'origin',
] as const;

/** A group of cases. */
export type Group = (typeof GROUPS)[number];

/** The expected answer, apart from the bytes, which follow from the fixture. */
export type Expectation =
  | { kind: 'page'; country?: string; city?: string; size?: number; number?: number }
  | { kind: 'property'; id: string }
  | { kind: 'problem'; name: string }
  | { kind: 'preflight' }
  | { kind: 'file'; key: string }
  /** Bytes of a file, from `start` to before `end`. */
  | { kind: 'part'; key: string; start: number; end: number }
  /** The range begins behind the end of a file of so many bytes. */
  | { kind: 'out of range'; length: number }
  /** The request is no valid HTTP, or is normalised before we see it: any 4xx of the server, without data. */
  | { kind: 'refused' };

/** A row of the table: a request, and the expected answer. */
export type Case = {
  group: Group;
  name: string;
  method: string;
  /** Path and query, one character a byte. */
  target: string;
  headers: [name: string, value: string][];
  expect: Expectation;
  /** Other accepted answers, when the platform decides before we see the request. */
  or: Expectation[];
  /** Sends the entity tag of the first answer in the `If-None-Match` of a second request, which must get 304. */
  revalidate?: (tag: string) => string;
  /** The key for a protected catalogue; null sends none. */
  key?: string | null;
};

/** The optional parts of a case. */
type CaseOptions = Partial<Omit<Case, 'group' | 'name' | 'target' | 'expect'>>;

/** Makes the rows of one group. */
export type Row = (name: string, target: string, expect: Expectation, options?: CaseOptions) => Case;

/** A row of this group. */
export function rowOf(group: Group): Row {
  return (name, target, expect, options = {}) => ({
    group,
    name,
    target,
    expect,
    method: 'GET',
    headers: [],
    or: [],
    ...options,
  });
}

/** A page. */
export function page(
  filter: { country?: string; city?: string; size?: number; number?: number } = {},
): Expectation {
  return { kind: 'page', ...filter };
}

/** A problem document. */
export function problem(name: string): Expectation {
  return { kind: 'problem', name };
}

/** The UTF-8 bytes of a text, one character a byte. */
export function bytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Every byte percent-encoded. */
export function overEncoded(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}

/** The expected answer, in bytes. */
export type Wanted = {
  status: number;
  /** Undefined for any. */
  body?: Buffer;
  type?: string;
  /** `none`: no cache may keep it. */
  caching?: keyof typeof CACHE_CONTROL | 'none';
  /** The answer comes from a file, and therefore has a strong entity tag. */
  tagged: boolean;
  /** The answer is a page of the list, however its path was spelled. */
  isPage?: boolean;
  /** The release that the answer names. */
  release?: string | undefined;
  /** The `Content-Range` header. */
  range?: string;
};

/** The bytes of an expectation; undefined for a refusal. */
export function resolve(expectation: Expectation, fixture: Fixture): Wanted | undefined {
  switch (expectation.kind) {
    case 'refused':
      return undefined;
    case 'preflight':
      return { status: 204, body: Buffer.alloc(0), tagged: false };
    case 'file': {
      const body = fixture.files.get(expectation.key);
      if (!body) throw new Error(`the fixture has no ${expectation.key}`);
      const type = typeOf(expectation.key);
      return { status: 200, body, caching: cachingOf(expectation.key), tagged: true, ...(type && { type }) };
    }
    case 'part': {
      const { key, start, end } = expectation;
      const body = fixture.files.get(key)!;
      const range = `bytes ${start}-${end - 1}/${body.length}`;
      return { status: 206, body: body.subarray(start, end), tagged: true, range };
    }
    case 'out of range':
      return {
        status: 416,
        type: 'application/problem+json',
        tagged: false,
        range: `bytes */${expectation.length}`,
      };
    case 'problem': {
      const body = fixture.files.get(`_catalogue/problems/${expectation.name}.json`);
      if (!body) throw new Error(`the fixture has no problem ${expectation.name}`);
      const { status } = JSON.parse(body.toString()) as { status: number };
      const caching = status >= 500 ? 'none' : 'problem';
      return { status, body, type: 'application/problem+json', caching, tagged: false };
    }
    case 'property': {
      const detail = fixture.details.get(expectation.id);
      if (detail === undefined) return resolve({ kind: 'problem', name: 'property-not-found' }, fixture);
      const body = Buffer.from(detail);
      return { status: 200, body, type: 'application/json', caching: 'api', tagged: true };
    }
    case 'page': {
      const { country, city, size = 25, number = 1 } = expectation;
      if (fixture.sizes !== 'all' && !fixture.sizes.includes(size)) {
        return resolve({ kind: 'problem', name: 'invalid-page-size' }, fixture);
      }
      const entries = select(fixture.summaries, country, city);
      const tagged = (number - 1) * size < entries.length;
      const body = Buffer.from(pageText(entries, size, number));
      return {
        status: 200,
        body,
        type: 'application/json',
        caching: 'api',
        tagged,
        isPage: true,
        release: fixture.release,
      };
    }
  }
}

/** The media type of files that servers know no type of. */
function typeOf(key: string): string | undefined {
  if (key.startsWith('_catalogue/problems/')) return 'application/problem+json';
  return key.endsWith('/total') ? 'text/plain; charset=utf-8' : undefined;
}

/** Returns whether a body contains data from outside the root, or private data of publishing. */
export function leaks(body: Buffer): boolean {
  return body.includes(CANARY) || body.includes(INTERNAL);
}
