import type { KeyObject } from 'node:crypto';
import { RELEASE_HEADER } from '../contract/headers.ts';
import { CURRENT_KEY, releaseStatementKey, rootKey } from '../contract/object-keys.ts';
import { pageCount } from '../contract/pagination.ts';
import { route } from '../contract/route.ts';
import { EnvironmentError, UsageError } from '../errors/errors.ts';
import { networkErrorReason } from '../errors/network-error.ts';
import { digestOf } from '../release/digest.ts';
import { readRelease } from '../release/read-release.ts';
import type { Release } from '../release/release.ts';
import { parseCurrent, serializeCurrent } from '../release/root-contents.ts';
import { checkStatement, sha256Hex } from '../release/signed-statement.ts';
import { retry } from '../storage/backoff.ts';
import { forEachConcurrently } from '../storage/for-each.ts';
import { createHttpClient, type HttpResponse } from '../storage/http-client.ts';
import {
  BusyResponse,
  type Concurrency,
  createPace,
  MAX_IN_FLIGHT,
  runPaced,
  throwIfBusy,
} from '../storage/pace.ts';
import { accessChecks, checkAccess } from './access-checks.ts';
import { expectedResponseOf } from './expectation.ts';
import { verifyHistory, verifyKeptReleases } from './history.ts';
import { addReferencedImages, checkImage, imagesToCheck, type ReferencedImages } from './images.ts';
import {
  type ChosenProperties,
  canReadLists,
  chooseProperties,
  type ProbeRequest,
  probeRequests,
  type VerifyExtent,
} from './requests.ts';
import {
  apiKeyHeaders,
  checkETag,
  DamagedLeaf,
  excerpt,
  expectHeaders,
  type LiveCatalogue,
  type SeenKeys,
  sendOrReport,
  undefinedIfLeafDamaged,
  type VerifyContext,
} from './response.ts';
import { checkStaticFile, servesOnlyFiles, staticFileChecks } from './static-host.ts';

export type VerifyOptions = {
  readonly all?: boolean | undefined;
  /** Number of properties, pages and images to check without `all`. @default 20 */
  readonly sample?: number | undefined;
  /** Public keys. Only releases that one of them signed are accepted. @default signatures are not checked */
  readonly keys?: readonly KeyObject[] | undefined;
  /** Highest release number seen so far; a lower one is refused. @default 0 */
  readonly seen?: number | undefined;
  /** Milliseconds since 1970, to tell whether a signed statement has expired. @default the present time */
  readonly now?: number | undefined;
  readonly apiKey?: string | undefined;
  readonly expected?: Release | undefined;
  /** Whether the host only serves files. @default read from the live explorer */
  readonly isStatic?: boolean | undefined;
  /** Maximum number of concurrent requests. @default adapts to the server */
  readonly concurrency?: number | undefined;
  /** Milliseconds without data after which a request fails. @default 30000 */
  readonly timeout?: number | undefined;
};

type Difference = {
  readonly request: string;
  /** What differs: `status`, `body`, a header name, or another checked value, such as `commit` or `base path`. */
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
};

type Looked = { readonly at: number; readonly of: number };

export type VerifyResult = {
  readonly baseUrl: string;
  readonly release: string | null;
  /** Undefined if signatures are not checked or the release is unreadable. */
  readonly number?: number;
  readonly requests: number;
  /** Checked (`at`) and existing (`of`) items; only pages with entries count. Null if the release is unreadable. */
  readonly looked: { readonly properties: Looked; readonly pages: Looked; readonly images: Looked } | null;
  /** Whether the host only serves files. If so, only files were checked. */
  readonly isStatic: boolean;
  /**
   * False if no list was checked: for example without the API key that the catalogue requires, or because the host only
   * serves files and the release has no pages.
   */
  readonly hasSeenLists: boolean;
  readonly differences: readonly Difference[];
  readonly seconds: number;
};

const ATTEMPTS = 4;

/**
 * Maximum number of rounds. A release that goes live during a round differs from the one that was read, so another
 * round follows.
 */
const ROUNDS = 3;

/**
 * @param baseUrl URL before `/api/v1/public/properties`
 * @throws UsageError; EnvironmentError if the server does not respond or, with `keys`, if the signed statement or the
 * root is missing or not valid
 */
export async function verifyDeployment(baseUrl: string, options: VerifyOptions = {}): Promise<VerifyResult> {
  for (let round = 1; ; round++) {
    const { result, isReplaced } = await verifyOnce(baseUrl, options);
    if (!isReplaced || round === ROUNDS) return result;
  }
}

async function verifyOnce(
  baseUrl: string,
  options: VerifyOptions,
): Promise<{ result: VerifyResult; isReplaced: boolean }> {
  const started = performance.now();
  if (!URL.canParse(baseUrl) || !/^https?:\/\/[^?#]+$/.test(baseUrl)) {
    throw new UsageError(
      'invalid-base-url',
      `"${baseUrl}" is not a base URL. Give one such as https://stays.example.`,
    );
  }
  const { concurrency, timeout = 30_000 } = options;
  const pace = createPace({ concurrency, start: 16 });
  const { origin, pathname } = new URL(baseUrl);
  const client = createHttpClient({ connections: concurrency ?? MAX_IN_FLIGHT, timeout });
  const differences: Difference[] = [];
  let requests = 0;
  const place: LiveCatalogue = {
    client: {
      ...client,
      send: (request) => {
        requests++;
        const attempt = async () => throwIfBusy(await client.send(request));
        const answer = retry(ATTEMPTS, () => runPaced(pace, attempt), undefined, { delay: 400 });
        return answer.catch((error: unknown) => {
          if (error instanceof BusyResponse) return error.answer as HttpResponse;
          throw error;
        });
      },
    },
    origin,
    base: pathname.replace(/\/+$/, ''),
    apiKey: options.apiKey,
    report: (request) => (what, expected, actual) => differences.push({ request, what, expected, actual }),
  };
  try {
    const { release, number } = await liveRelease(place, options);
    const seen = {
      properties: new Set<string>(),
      pages: new Set<string>(),
      lists: new Set<string>(),
      images: new Set<string>(),
    };
    const isStatic = release ? (options.isStatic ?? (await servesOnlyFiles(place, release))) : false;
    if (release) await checkAll({ ...place, release, seen }, { ...options, isStatic }, pace);
    differences.sort((one, other) =>
      one.request < other.request ? -1 : one.request > other.request ? 1 : 0,
    );
    const isReplaced = release !== undefined && differences.length > 0 && (await isOther(place, release));
    const result = {
      baseUrl: origin + place.base,
      release: release?.name ?? null,
      ...(number && { number }),
      requests,
      looked: release ? extentOf(release, seen) : null,
      isStatic,
      hasSeenLists: seen.lists.size > 0,
      differences,
      seconds: (performance.now() - started) / 1000,
    };
    return { result, isReplaced };
  } finally {
    client.close();
  }
}

/** `release` is undefined if it is unreadable. */
type Live = { readonly release?: Release; readonly number?: number };

async function liveRelease(place: LiveCatalogue, options: VerifyOptions): Promise<Live> {
  const { expected, keys } = options;
  const { client, origin, base, apiKey } = place;
  const url = `${origin}${base}/${CURRENT_KEY}`;
  const report = place.report(`GET ${url}`);
  const answer = await client
    .send({ method: 'GET', url, headers: apiKeyHeaders(apiKey) })
    .catch((error: Error) => {
      throw new EnvironmentError('unreachable', `${url} does not answer: ${networkErrorReason(error)}.`);
    });
  if (answer.status === 401 && apiKey === undefined) {
    // Files that need no key can still be compared with the expected release.
    if (expected?.settings.api_keys && !keys) return { release: expected };
    throw new UsageError(
      'api-key-needed',
      `${origin}${base} asks for a key, so no list can be read. Put a key into CATALOGUE_API_KEY; or name the folder of the build with --out, to check what needs no key.`,
    );
  }
  if (answer.status !== 200) {
    report('status', '200', String(answer.status));
    return {};
  }
  const headers = apiKeyHeaders(apiKey);
  const read = async (key: string) => {
    const { status, body } = await client.send({ method: 'GET', url: `${origin}${base}/${key}`, headers });
    return status === 200 ? body : undefined;
  };
  const current = parseCurrent(answer.body);
  const number = keys && (await signedNumber(place, current?.release, read, { ...options, keys }));
  const damaged = new Set<string>();
  const leafError = (key: string) => {
    const report = place.report(`GET ${origin}${base}/${key}`);
    if (!damaged.has(key)) report('body', 'what the release names', 'nothing, or something else');
    damaged.add(key);
    return new DamagedLeaf();
  };
  const release =
    current && (await readRelease(current, { read, leafError, known: [expected], withScopes: true }));
  if (!release) {
    const what = current ? 'one whose tree is there' : 'the name of a release';
    report('body', what, excerpt(answer.body));
    return {};
  }
  if (expected && expected.name !== release.name) report('release', expected.name, release.name);
  else if (expected && expected.build.commit !== release.build.commit)
    report('commit', expected.build.commit ?? 'none', release.build.commit ?? 'none');
  if (release.settings.base !== base) report('base path', base || '/', release.settings.base || '/');
  return { release, ...(number && { number }) };
}

async function isOther({ client, origin, base, apiKey }: LiveCatalogue, release: Release): Promise<boolean> {
  const request = { method: 'GET', url: `${origin}${base}/${CURRENT_KEY}`, headers: apiKeyHeaders(apiKey) };
  const answer = await client.send(request).catch(() => undefined);
  const { name, build } = release;
  return answer?.status === 200 && !answer.body.equals(serializeCurrent({ release: name, build }));
}

async function signedNumber(
  { origin, base }: LiveCatalogue,
  release: string | undefined,
  read: (key: string) => Promise<Buffer | undefined>,
  { keys, seen, now = Date.now() }: VerifyOptions & { readonly keys: readonly KeyObject[] },
): Promise<number> {
  const root = release && (await read(rootKey(release)));
  if (!root || digestOf(root) !== release)
    throw new EnvironmentError('root-damaged', 'The root of the live release is missing or damaged.');
  const statement = await read(releaseStatementKey(sha256Hex(root)));
  return checkStatement(statement, root, { keys, catalogue: `${origin}${base}`, seen, now }).number;
}

async function checkAll(
  context: VerifyContext,
  { all = false, sample = 20, isStatic = false }: VerifyOptions,
  width: Concurrency,
): Promise<void> {
  const { release } = context;
  const named: ReferencedImages = { photo: new Set(), thumbnail: new Set() };
  const chosen = await chooseProperties(release, { all, sample });
  // A damaged chunk hides the ids of its properties, so this also reads every part of the details.
  for (const { digest } of all ? release.root.details : [])
    await undefinedIfLeafDamaged(release.leaves.part(digest));
  if (isStatic)
    await forEachConcurrently(staticFileChecks(context, { all, sample }, chosen.ids), width, (file) =>
      undefinedIfLeafDamaged(checkStaticFile(context, file)),
    );
  else await checkAnswers(context, { all, sample }, chosen, width, named);
  const count = all ? Number.POSITIVE_INFINITY : sample;
  await forEachConcurrently(imagesToCheck(release, named, count), width, (image) =>
    checkImage(context, image, isStatic),
  );
}

async function checkAnswers(
  context: VerifyContext,
  { all, sample }: VerifyExtent,
  chosen: ChosenProperties,
  width: Concurrency,
  named: ReferencedImages,
): Promise<void> {
  const { release, base, apiKey } = context;
  await forEachConcurrently(probeRequests(release, base, { all, sample }, chosen, apiKey), width, (check) =>
    undefinedIfLeafDamaged(runCheck(context, check, named)),
  );
  await forEachConcurrently(accessChecks(release, apiKey), width, (refusal) => checkAccess(context, refusal));
  if (canReadLists(release, apiKey)) {
    await undefinedIfLeafDamaged(verifyHistory(context));
    await verifyKeptReleases(context);
  }
}

function extentOf(release: Release, { properties, pages, images }: SeenKeys): VerifyResult['looked'] {
  let ofPages = 0;
  for (const { total } of release.scopes.values())
    for (const size of release.sizes) ofPages += pageCount(total, size);
  return {
    properties: { at: properties.size, of: release.root.total },
    pages: { at: pages.size, of: ofPages },
    images: { at: images.size, of: release.media.size },
  };
}

async function runCheck(
  context: VerifyContext,
  { method, path, query, headers }: ProbeRequest,
  named: ReferencedImages,
): Promise<void> {
  const { client, release, origin, base, seen } = context;
  const { settings: api } = release;
  const url = `${origin}${path}${query && `?${query}`}`;
  const sent = Object.keys(headers).length > 0 ? { method, url, headers } : { method, url };
  const report = context.report(`${method} ${url}`);
  const answer = await sendOrReport(client, sent, report);
  if (!answer) return;
  const authorized =
    !api.api_keys || (context.apiKey !== undefined && headers['X-API-KEY'] === context.apiKey);
  const meant = route(method, path, query, { base, sizes: api.page_sizes }, authorized);
  const request = { method, path, query, ifNoneMatch: undefined, authorized };
  const wanted = await expectedResponseOf(release, request, meant, base);
  const served = answer.headers[RELEASE_HEADER.toLowerCase()];
  // In the layout `pages`, only edge code with stored totals sends this header. It names the release of the totals.
  if (api.layout === 'pages' && served !== undefined && served !== release.name)
    report('totals at the edge (publish with --purge and --key-value-store)', release.name, String(served));
  if (answer.status !== wanted.status) report('status', String(wanted.status), String(answer.status));
  expectHeaders(answer, wanted.headers, report);
  if (wanted.hasETag) await checkETag(client, sent, answer, report);
  // A server must not add an encoding, not even to a compressed download: clients would decompress the file.
  const coding = answer.headers['content-encoding'];
  if (meant.kind === 'file' && coding !== undefined) report('Content-Encoding', 'none', coding);
  if (method === 'HEAD') {
    if (answer.body.length > 0) report('body', 'none', excerpt(answer.body));
    return;
  }
  const fault = wanted.bodyCheck(answer.body);
  if (fault && answer.status === wanted.status) report('body', fault, excerpt(answer.body));
  if (answer.status !== 200) return;
  if (meant.kind === 'property') seen.properties.add(meant.key);
  else if (meant.kind === 'page') {
    seen.lists.add(meant.key);
    if (wanted.hasETag) seen.pages.add(meant.key);
  }
  if (!fault) addReferencedImages(named, meant, answer.body);
}
