/** Makes the responses that the router decides on, from a store with the files of `dist/public`. */
import { accessOf } from '../../contract/access.ts';
import { EXPLORER_KEY } from '../../contract/document-keys.ts';
import {
  API_KEY_HEADER,
  type CacheControlSettings,
  COMMON_HEADERS,
  fileCacheControl,
  type Header,
  JSON_TYPE,
  mediaType,
  PROBLEM_TYPE,
  preflightHeaders,
  privateCacheControl,
  problemCacheControl,
  problemHeaders,
  RELEASE_HEADER,
} from '../../contract/headers.ts';
import { CURRENT_KEY, LIST_PATH, scopeFolder, totalKey } from '../../contract/object-keys.ts';
import { ORIGIN_TIME_LIMIT } from '../../contract/origin-status.ts';
import { emptyPage } from '../../contract/pagination.ts';
import type { Page, Property } from '../../contract/property.ts';
import { type Answer, route } from '../../contract/route.ts';
import { explorerSettingsIn, pageWithView, plainListView, plainPropertyView } from './no-script-page.ts';
import type { ReplySettings } from './reply-settings.ts';
import { withTimeLimit } from './time-limit.ts';

export type ApiRequest = {
  /** In upper case. */
  readonly method: string;
  /** In ASCII, not decoded. */
  readonly path: string;
  readonly query: string;
  readonly ifNoneMatch: string | undefined;
  /** False if API keys are configured and the request has no valid one. */
  readonly authorized: boolean;
  /** Raw `Catalogue-Release` header. Used only if pages are cut out of chunks. */
  readonly release?: string | undefined;
};

/** `body` is null for 204 and 304. The platform leaves out the body of a response to HEAD. */
export type Reply<Body> = { status: number; headers: Header[]; body: Body | string | null };

/** `tag`: strong ETag with quotes. `body`: bytes in the platform's type. */
export type Entity<Body> = { readonly tag: string; readonly body: Body };

export type PageAnswer = Extract<Answer, { kind: 'page' }>;

/** A page or detail that is cut out of larger objects, in the packed layout. */
export type PageOrPropertyAnswer = Extract<Answer, { kind: 'page' | 'property' }>;

/** Each function resolves to undefined for a missing file, and rejects if the store fails. */
export type FileStore<Body> = {
  readonly read: (key: string) => Promise<Entity<Body> | undefined>;
  readonly text: (key: string) => Promise<string | undefined>;
  /** For GET or HEAD outside the API. */
  readonly file: (path: string) => Promise<Reply<Body> | undefined>;
  /** Missing if each page and detail is a file. Resolves to undefined for a detail that no served release has. */
  readonly cut?:
    | ((answer: PageOrPropertyAnswer, request: ApiRequest) => Promise<Reply<Body> | undefined>)
    | undefined;
  /** Called with the cause of a `list-unavailable` response, or of a failure to render the explorer's page. */
  readonly report?: ((error: unknown) => void) | undefined;
};

/** Never rejects: if the store fails or times out, responds with the problem `list-unavailable`. */
export async function reply<Body>(
  request: ApiRequest,
  settings: ReplySettings,
  store: FileStore<Body>,
): Promise<Reply<Body>> {
  const answer = route(request.method, request.path, request.query, settings, request.authorized);
  const result = await withTimeLimit(answerReply(answer, request, settings, store), ORIGIN_TIME_LIMIT).catch(
    (error: unknown) => {
      store.report?.(error);
      return problemReply<Body>('list-unavailable', settings);
    },
  );
  const isList = request.path === settings.base + LIST_PATH;
  const vary: string[] = [];
  if (settings.digests.length > 0 && (isList || accessOf(request.path, settings.base) === 'guarded')) {
    vary.push(API_KEY_HEADER);
    result.headers = result.headers.map(([name, value]) => [
      name,
      name === 'Cache-Control' ? privateCacheControl(value) : value,
    ]);
  }
  if (store.cut && isList) vary.push(RELEASE_HEADER);
  if (vary.length > 0) result.headers.push(['Vary', vary.join(', ')]);
  if (settings.isPreview) result.headers.push(NO_INDEX);
  return result;
}

const NO_INDEX: Header = ['X-Robots-Tag', 'noindex'];

export function noPreviewReply<Body>(name: string, settings: ReplySettings): Reply<Body> {
  const { headers, ...reply } = problemReply<Body>(name, settings);
  return { ...reply, headers: [...headers, NO_INDEX] };
}

async function answerReply<Body>(
  answer: Answer,
  request: ApiRequest,
  settings: ReplySettings,
  store: FileStore<Body>,
): Promise<Reply<Body>> {
  switch (answer.kind) {
    case 'page':
      return (await store.cut?.(answer, request)) ?? storedPage(answer, request, settings, store);
    case 'property': {
      const found = await (store.cut
        ? store.cut(answer, request)
        : storedDetail(answer.key, request, settings, store));
      if (found) return found;
      await assertCatalogue(store);
      return problemReply('property-not-found', settings);
    }
    case 'problem':
      return problemReply(answer.name, settings);
    case 'preflight':
      return { status: 204, headers: [...COMMON_HEADERS, ...preflightHeaders(settings.edge)], body: null };
    case 'file': {
      // If rendering fails, the static file is sent. In a browser, that file shows what is wrong.
      const view = await viewReply(request, settings, store).catch((error: unknown) => store.report?.(error));
      return view ?? (await store.file(request.path)) ?? problemReply('not-found', settings);
    }
  }
}

async function storedPage<Body>(
  { key, folder, number, size }: PageAnswer,
  request: ApiRequest,
  settings: ReplySettings,
  store: FileStore<Body>,
): Promise<Reply<Body>> {
  const entity = await store.read(key);
  if (entity) return entityReply(entity, key, request, settings.cache);
  const total = await totalOf(folder, store);
  if ((number - 1) * size < total) throw new Error(`There is no ${key}.`);
  return textReply(JSON_TYPE, settings.cache.api, emptyPage(number, size, total));
}

/** Also finds a removed property, whose file stays as long as cached lists may name it. */
async function storedDetail<Body>(
  key: string,
  request: ApiRequest,
  settings: ReplySettings,
  store: FileStore<Body>,
): Promise<Reply<Body> | undefined> {
  const entity = await store.read(key);
  return entity && entityReply(entity, key, request, settings.cache);
}

// Renders the list or property that the query of the explorer's page asks for. Returns undefined in all other cases, so
// that the static file is sent: another path, a search, a query that asks for neither, or nothing found. Caches must
// revalidate a rendered page each time, since a purge cannot enumerate the URLs of all such pages.
async function viewReply<Body>(
  request: ApiRequest,
  settings: ReplySettings,
  store: FileStore<Body>,
): Promise<Reply<Body> | undefined> {
  if (fileKey(request.path, settings.base) !== EXPLORER_KEY) return undefined;
  const values = new URLSearchParams(request.query);
  const [property, country = '', city = ''] = ['property', 'country', 'city'].map(
    (name) => values.get(name) || undefined,
  );
  const asked = Object.entries(LIST_VALUES).filter(([name]) => values.get(name));
  const isSearch = [...values].some(
    ([name, value]) => value !== '' && /^(?:name$|facilities$|filter\.)/.test(name),
  );
  if (!property && (asked.length === 0 || isSearch)) return undefined;
  const path = settings.base + LIST_PATH + (property ? `/${property}` : '');
  const query = asked.map(([name, parameter]) => `${parameter}=${encodeURIComponent(values.get(name)!)}`);
  const answer = route('GET', path, property ? '' : query.join('&'), settings, request.authorized);
  if (answer.kind !== 'page' && answer.kind !== 'property') return undefined;
  const [page, text] = await Promise.all([store.text(EXPLORER_KEY), textOf(answer, request, store)]);
  if (page === undefined || text === undefined) return undefined;
  const explorer = explorerSettingsIn(page);
  const found = JSON.parse(text) as Page | Property;
  if ('data' in found && found.data.length === 0) return undefined;
  const view =
    'data' in found
      ? plainListView(found, { country, city }, explorer, true)
      : plainPropertyView(found, property!.toLowerCase(), values.get('lang') ?? '', explorer);
  return textReply(mediaType(EXPLORER_KEY), 'no-cache', pageWithView(page, view, explorer));
}

const LIST_VALUES = {
  country: 'filter[country]',
  city: 'filter[city]',
  page: 'page[number]',
  size: 'page[size]',
};

async function textOf<Body>(
  answer: PageOrPropertyAnswer,
  request: ApiRequest,
  { cut, text }: FileStore<Body>,
): Promise<string | undefined> {
  const found = await cut?.(answer, { ...request, ifNoneMatch: undefined });
  if (!found) return text(answer.key);
  return found.status === 200 ? new Response(found.body as string).text() : undefined;
}

/** Returns 0 for a list that does not exist. @throws Error if the total is damaged, or the store has no catalogue */
async function totalOf<Body>(folder: string, store: FileStore<Body>): Promise<number> {
  const key = totalKey(folder);
  const total = await store.text(key);
  if (total === undefined && folder !== ALL_PROPERTIES_FOLDER) await assertCatalogue(store);
  else if (!/^[0-9]{1,15}$/.test(total ?? '')) throw new Error(`${key} is missing or damaged.`);
  return Number(total ?? 0);
}

const ALL_PROPERTIES_FOLDER = scopeFolder('', '');

/** Called for a missing file. @throws Error if the whole catalogue is missing, as in a wrong folder */
async function assertCatalogue<Body>({ cut, text }: FileStore<Body>): Promise<void> {
  const key = cut ? CURRENT_KEY : totalKey(ALL_PROPERTIES_FOLDER);
  if ((await text(key)) === undefined) throw new Error(`There is no ${key}: here is no catalogue.`);
}

/** Responds with 200, or with 304 if the client has the file. */
export function entityReply<Body>(
  entity: Entity<Body>,
  key: string,
  request: { readonly ifNoneMatch: string | undefined },
  cache: CacheControlSettings,
): Reply<Body> {
  const fresh = request.ifNoneMatch !== undefined && matchesIfNoneMatch(request.ifNoneMatch, entity.tag);
  const caching = fileCacheControl(key, cache);
  const all = fresh
    ? [...COMMON_HEADERS, ['Cache-Control', caching] as const]
    : headers(mediaType(key), caching);
  all.push(['ETag', entity.tag]);
  return fresh ? { status: 304, headers: all, body: null } : { status: 200, headers: all, body: entity.body };
}

export function problemReply<Body>(name: string, settings: ReplySettings): Reply<Body> {
  const [status, body] = settings.problems[name]!;
  return {
    status,
    headers: [
      ...headers(PROBLEM_TYPE, problemCacheControl(status, settings.cache.problem)),
      ...problemHeaders(status),
    ],
    body,
  };
}

/** For a range that starts past the end of a file of `size` bytes (RFC 9110, 15.5.17). */
export function unsatisfiableReply<Body>(size: number, { cache }: ReplySettings): Reply<Body> {
  const all = headers(PROBLEM_TYPE, cache.problem);
  return { status: 416, headers: [...all, ['Content-Range', `bytes */${size}`]], body: RANGE_PROBLEM };
}

/** The type `about:blank` means nothing beyond the status (RFC 9457, 4.2.1). */
const RANGE_PROBLEM = JSON.stringify({
  type: 'about:blank',
  title: 'Range Not Satisfiable',
  status: 416,
  detail: 'The file ends before this range. Content-Range has its size.',
});

export function textReply<Body>(type: string, caching: string, body: string): Reply<Body> {
  return { status: 200, headers: headers(type, caching), body };
}

function headers(type: string, caching: string): Header[] {
  return [...COMMON_HEADERS, ['Content-Type', type], ['Cache-Control', caching]];
}

/**
 * Key of the file at `path`; for a folder, of its `index.html`. Undefined if the path is outside of `base`, is
 * malformed, or has an empty, hidden or parent segment, a backslash or a NUL.
 */
export function fileKey(path: string, base: string): string | undefined {
  if (!path.startsWith(`${base}/`)) return undefined;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path.slice(base.length + 1));
  } catch {
    return undefined;
  }
  const key = decoded === '' || decoded.endsWith('/') ? `${decoded}index.html` : decoded;
  return /(?:^|\/)(?:\.|\/|$)|[\\\0]/.test(key) ? undefined : key;
}

/** Weak comparison (RFC 9110, 8.8.3.2 and 13.1.2). The catalogue's ETags contain no comma. */
export function matchesIfNoneMatch(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const parts = ifNoneMatch.split(',');
  for (let index = 0; index < parts.length; index++) {
    if (parts[index]!.trim().replace(/^W\//, '') === tag) return true;
  }
  return false;
}
