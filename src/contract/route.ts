/**
 * The router: the only place where requests are mapped to responses. It runs unchanged in Node.js, Cloudflare Workers,
 * Deno, Vercel Edge, nginx's njs and CloudFront Functions. So it uses no class, `URLSearchParams`, lookbehind,
 * destructuring, spread or default argument, and its work is limited by the length of the query.
 */
import { accessOf } from './access.ts';
import {
  API_PATH,
  IMPOSSIBLE_CITY,
  type Layout,
  PAGES_FOLDER,
  pageKey,
  propertyKey,
  scopeFolder,
} from './object-keys.ts';
import {
  DEFAULT_PAGE_NUMBER,
  DEFAULT_PAGE_SIZE,
  MAX_VALUE_BYTES,
  type PageSizes,
  type ParameterFamily,
  type ParameterKey,
  type QueryRule,
} from './parameters.ts';
import type { ProblemName } from './problem.ts';
import {
  LONG_VALUE,
  PARAMETER_VALUE_PATTERNS,
  PROPERTY_PATH,
  QUERY_CHECK_TUPLES,
  QUERY_PARAMETER,
  QUERY_PARAMETER_GROUPS,
} from './query-patterns.ts';

export type RouteSettings = {
  /** Path of the base URL, without a trailing slash: empty, or such as `/stays`. */
  readonly base: string;
  readonly sizes: PageSizes;
  /** How the live release stores lists. Not used to route requests. @default 'pages' */
  readonly layout?: Layout | undefined;
};

export type Answer =
  /**
   * A page of a list: the file at `key`. If it is missing, an empty page, whose total is read from `totalKey(folder)`.
   * If that file is missing too, the total is 0.
   */
  | { kind: 'page'; key: string; folder: string; number: number; size: number }
  /** A property: the file at `key`. If it is missing, the problem `property-not-found`. */
  | { kind: 'property'; key: string }
  | { kind: 'problem'; name: ProblemName }
  | { kind: 'preflight' }
  /** Outside the API: the file of `dist/public` at this path. If it is missing, the problem `not-found`. */
  | { kind: 'file' };

/**
 * Pure; never throws. The order of checks is the same on every platform: method, path, API key, then the query by
 * {@link QUERY_RULES}.
 * @param method HTTP method, upper case
 * @param path raw path of the request, not decoded
 * @param query raw query of the request, not decoded, without `?`
 * @param authorized false if API keys are configured but the request has no valid key, so it gets no guarded files.
 * @default true
 * @example
 * const settings = { base: '', sizes: 'all' };
 * route('GET', '/api/v1/public/properties', 'filter[country]=IE', settings).key // '_catalogue/pages/IE/-/25-1.json'
 */
export function route(
  method: string,
  path: string,
  query: string,
  settings: RouteSettings,
  authorized?: boolean,
): Answer {
  const root = settings.base + API_PATH;
  const rest = path.slice(root.length);
  if (method === 'OPTIONS') return { kind: 'preflight' };
  if (method !== 'GET' && method !== 'HEAD') return problem('method-not-allowed');
  if (path.slice(0, root.length) !== root || (rest !== '' && rest[0] !== '/')) {
    const access = accessOf(path, settings.base);
    if (access === 'internal') return problem('not-found');
    return access === 'guarded' && authorized === false ? problem('invalid-api-key') : { kind: 'file' };
  }
  if (rest === '/properties')
    return authorized === false ? problem('invalid-api-key') : routeList(query, settings);
  const match = PROPERTY_PATH.exec(rest);
  if (!match) return problem('not-found');
  return match[1]
    ? { kind: 'property', key: propertyKey(match[1].toLowerCase()) }
    : problem('property-not-found');
}

function routeList(query: string, settings: RouteSettings): Answer {
  const values = readQuery(query);
  for (let index = 0; index < QUERY_CHECK_TUPLES.length; index++) {
    const check = QUERY_CHECK_TUPLES[index]!;
    if (fails(check[0], check[1], values)) return problem(check[2]);
  }
  const text = values.text;
  return routePage(text.country, text.city, text.number, text.size, settings);
}

type Query = {
  /** First raw value of each parameter. A family has an entry if the query has an unknown name of that family. */
  readonly raw: { [name in ParameterKey | ParameterFamily]?: string };
  readonly repeated: { [key in ParameterKey]?: boolean };
  /** Decoded values, set by the encoding checks. */
  readonly text: { [key in ParameterKey]?: string };
};

function readQuery(query: string): Query {
  const read: Query = { raw: {}, repeated: {}, text: {} };
  let rest = query;
  for (let found = QUERY_PARAMETER.exec(rest); found && found[0] !== ''; found = QUERY_PARAMETER.exec(rest)) {
    let group = 1;
    while (found[group] === undefined) group++;
    const subject = QUERY_PARAMETER_GROUPS[group - 1]!;
    if (read.raw[subject] !== undefined) read.repeated[subject as ParameterKey] = true;
    else read.raw[subject] = found[group]!;
    rest = rest.slice(found.index + found[0].length);
  }
  return read;
}

/** The encoding check also stores the decoded value, for later checks. */
function fails(fault: QueryRule['fault'], subject: ParameterKey | ParameterFamily, query: Query): boolean {
  const raw = query.raw[subject];
  if (raw === undefined || fault === 'unknown-name') return raw !== undefined;
  const key = subject as ParameterKey;
  if (fault === 'repetition') return query.repeated[key] === true;
  if (fault === 'bad-value') return !PARAMETER_VALUE_PATTERNS[key]!.test(query.text[key]!);
  const text = decode(raw);
  if (text !== undefined) query.text[key] = text;
  return text === undefined;
}

function routePage(
  country: string | undefined,
  city: string | undefined,
  numberText: string | undefined,
  sizeText: string | undefined,
  settings: RouteSettings,
): Answer {
  const number = numberText === undefined ? DEFAULT_PAGE_NUMBER : Number(numberText);
  const size = sizeText === undefined ? DEFAULT_PAGE_SIZE : Number(sizeText);
  if (settings.sizes !== 'all' && settings.sizes.indexOf(size) < 0) return problem('invalid-page-size');
  const folder =
    city === OVERLONG_VALUE ? `${PAGES_FOLDER}/-/${IMPOSSIBLE_CITY}` : scopeFolder(country || '', city || '');
  return { kind: 'page', key: pageKey(folder, size, number), folder, number, size };
}

/** Replaces a query value that is too long. It matches nothing: a catalogue's values have no control characters. */
const OVERLONG_VALUE = '\u0000';

function decode(raw: string): string | undefined {
  if (raw.length > MAX_VALUE_BYTES && LONG_VALUE.test(raw)) return OVERLONG_VALUE;
  try {
    const text = decodeURIComponent(raw.indexOf('+') < 0 ? raw : raw.split('+').join(' '));
    return text === OVERLONG_VALUE ? `${OVERLONG_VALUE}${OVERLONG_VALUE}` : text;
  } catch {
    return undefined;
  }
}

function problem(name: ProblemName): Answer {
  return { kind: 'problem', name };
}
