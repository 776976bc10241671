/** Checks a live catalogue from outside: what it answers against what its manifest says. */
import { digestOf } from '../catalogue/digest.ts';
import { accessOf } from '../contract/access.ts';
import {
  API_KEY_HEADER,
  COMMON_HEADERS,
  guardedCaching,
  type Header,
  isAsset,
  JSON_TYPE,
  mediaType,
  PREFLIGHT_HEADERS,
  PROBLEM_TYPE,
  problemCaching,
  problemHeaders,
  RELEASE_HEADER,
  withRelease,
} from '../contract/headers.ts';
import { LIST_PATH, MANIFEST_KEY, mediaKey, problemKey } from '../contract/layout.ts';
import { PAGE_HEAD, pageTail } from '../contract/pagination.ts';
import { PROBLEM_CODES, type ProblemCode } from '../contract/problem.ts';
import { type Answer, route } from '../contract/route.ts';
import { documentDigest } from '../emit/manifest.ts';
import { EnvironmentError, UsageError } from '../report/failure.ts';
import { createHttpClient, type HttpAnswer, type HttpClient } from './http-client.ts';
import { parseRelease, type Release } from './release.ts';
import { forEach } from './transfer.ts';
import { checkTag, excerpt, expectHeaders, type VerifyContext } from './verify-answer.ts';
import { verifyHistory } from './verify-history.ts';
import { type Check, checksOf, spread } from './verify-requests.ts';

/** What to check. */
export type VerifyOptions = {
  /** Every detail and every page. @default false */
  readonly all?: boolean | undefined;
  /** Number of details, of pages and of photos to check without `all`. @default 20 */
  readonly sample?: number | undefined;
  /** A key, for a catalogue that asks for one. */
  readonly apiKey?: string | undefined;
  /** The manifest that is to be live. @default whichever is */
  readonly expected?: Buffer | undefined;
  /** Requests in flight at most. @default 16 */
  readonly concurrency?: number | undefined;
  /** Milliseconds without a sign of the server. @default 30000 */
  readonly timeout?: number | undefined;
};

/** Something that is not as it should be. */
export type Difference = {
  /** Method and URL. */
  readonly request: string;
  /** What differs: `status`, `body`, or the name of a header. */
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
};

/** What came of it. */
export type VerifyResult = {
  readonly baseUrl: string;
  /** The live release; null when its manifest could not be read. */
  readonly release: string | null;
  readonly requests: number;
  readonly differences: readonly Difference[];
  readonly seconds: number;
};

/**
 * Checks a live catalogue.
 *
 * @param baseUrl URL in front of `/api/v1/public/properties`.
 * @throws UsageError for a URL that is none; EnvironmentError when the server cannot be reached.
 */
export async function verifyDeployment(baseUrl: string, options: VerifyOptions = {}): Promise<VerifyResult> {
  const started = performance.now();
  if (!URL.canParse(baseUrl) || !/^https?:\/\/[^?#]+$/.test(baseUrl)) {
    throw new UsageError(
      'invalid-base-url',
      `"${baseUrl}" is not a base URL. Give one such as https://stays.example.`,
    );
  }
  const { concurrency = 16, timeout = 30_000, all = false, sample = 20, apiKey } = options;
  const { origin, pathname } = new URL(baseUrl);
  const base = pathname.replace(/\/+$/, '');
  const client = createHttpClient(concurrency, timeout);
  const differences: Difference[] = [];
  let requests = 0;
  const counting: HttpClient = {
    ...client,
    send: (request) => {
      requests++;
      return client.send(request);
    },
  };
  const result = (release: Release | undefined): VerifyResult => ({
    baseUrl: origin + base,
    release: release?.name ?? null,
    requests,
    differences,
    seconds: (performance.now() - started) / 1000,
  });
  try {
    const url = `${origin}${base}/${MANIFEST_KEY}`;
    const headers: Record<string, string> = apiKey === undefined ? {} : { [API_KEY_HEADER]: apiKey };
    const manifest = await counting.send({ method: 'GET', url, headers }).catch((error: Error) => {
      throw new EnvironmentError('unreachable', `${url} does not answer: ${error.message}.`);
    });
    const release = parseRelease(manifest.body);
    if (manifest.status !== 200 || !release) {
      differences.push({
        request: `GET ${url}`,
        what: manifest.status === 200 ? 'body' : 'status',
        expected: manifest.status === 200 ? 'the manifest of a release' : '200',
        actual: manifest.status === 200 ? excerpt(manifest.body) : String(manifest.status),
      });
      return result(undefined);
    }
    const report = (request: string) => (what: string, expected: string, actual: string) =>
      differences.push({ request, what, expected, actual });
    if (options.expected && !options.expected.equals(manifest.body)) {
      const wanted = parseRelease(options.expected);
      const differ = report(`GET ${url}`);
      if (wanted?.name !== release.name) differ('release', wanted?.name ?? 'another', release.name);
      else differ('commit', wanted.manifest.build.commit ?? 'none', release.manifest.build.commit ?? 'none');
    }
    if (release.manifest.api.base !== base) {
      report(`GET ${url}`)('base path', base || '/', release.manifest.api.base || '/');
    }
    const context: VerifyContext = { client: counting, release, origin, base, apiKey, report };
    const images = new Set<string>();
    await forEach(checksOf(release, base, { all, sample }, apiKey), concurrency, async (check) => {
      for (const image of await runCheck(context, check)) images.add(image);
    });
    await verifyHistory(context);
    const chosen = all ? [...images] : spread([...images].sort(), sample);
    await forEach(chosen, concurrency, (image) => runImage(context, image));
    differences.sort((one, other) =>
      one.request < other.request ? -1 : one.request > other.request ? 1 : 0,
    );
    return result(release);
  } finally {
    client.close();
  }
}

/** Runs one check. Returns the URLs of the images that the answer names. */
async function runCheck(context: VerifyContext, { method, path, query, headers }: Check): Promise<string[]> {
  const { client, release, origin, base } = context;
  const { api } = release.manifest;
  const url = `${origin}${path}${query && `?${query}`}`;
  const sent = Object.keys(headers).length > 0 ? { method, url, headers } : { method, url };
  const report = context.report(`${method} ${url}`);
  const answer = await client.send(sent).catch((error: Error) => {
    report('answer', 'one', error.message);
    return undefined;
  });
  if (!answer) return [];
  const authorized =
    !api.api_keys || (context.apiKey !== undefined && headers['X-API-KEY'] === context.apiKey);
  const meant = route(method, path, query, { base, sizes: api.page_sizes }, authorized);
  const wanted = expectationOf(release, meant, path.slice(base.length + 1));
  if (api.api_keys && (path === base + LIST_PATH || accessOf(path, base) === 'guarded')) {
    wanted.headers = wanted.headers.map(([name, value]) => [
      name,
      name === 'Cache-Control' ? guardedCaching(value) : value,
    ]);
  }
  const namesRelease = api.layout === 'packed' || (api.layout === 'both' && exposesRelease(answer));
  expectHeaders(answer, namesRelease ? withRelease(COMMON_HEADERS) : COMMON_HEADERS, report);
  if (answer.status !== wanted.status) report('status', String(wanted.status), String(answer.status));
  expectHeaders(answer, namesRelease ? withRelease(wanted.headers) : wanted.headers, report);
  if (wanted.tagged) await checkTag(client, sent, answer, report);
  // Asked for no coding, and given one, a file that is compressed itself would be decoded on its way to a consumer.
  const coding = answer.headers['content-encoding'];
  if (meant.kind === 'file' && coding !== undefined) report('Content-Encoding', 'none', coding);
  if (method === 'HEAD') {
    if (answer.body.length > 0) report('body', 'none', excerpt(answer.body));
    return [];
  }
  const fault = wanted.fault(answer.body);
  if (fault && answer.status === wanted.status) report('body', fault, excerpt(answer.body));
  return fault || answer.status !== 200 ? [] : imagesIn(meant, answer.body);
}

type Wanted = {
  status: number;
  headers: Header[];
  tagged: boolean;
  /** What a body should have been, when it is something else. */
  fault: (body: Buffer) => string | undefined;
};

function expectationOf(release: Release, meant: Answer, key: string): Wanted {
  const { cache_control: cache } = release.manifest.api;
  const ok = (type: string, tagged: boolean, fault: Wanted['fault']): Wanted => ({
    status: 200,
    headers: [
      ['Content-Type', type],
      ['Cache-Control', cache.api],
    ],
    tagged,
    fault,
  });
  const { manifest } = release;
  const digested =
    (name: string, digest = manifest.documents[name]) =>
    (body: Buffer) =>
      documentDigest(manifest, name, body) === digest ? undefined : `the bytes of the digest ${digest}`;
  const problem = (name: string): Wanted => {
    const { status } = PROBLEM_CODES[name.replace(/\..*/, '') as ProblemCode];
    return {
      status,
      headers: [
        ['Content-Type', PROBLEM_TYPE],
        ['Cache-Control', problemCaching(status, cache.problem)],
        ...problemHeaders(status),
      ],
      tagged: false,
      fault: digested(problemKey(name)),
    };
  };
  switch (meant.kind) {
    case 'preflight':
      return {
        status: 204,
        headers: [...PREFLIGHT_HEADERS],
        tagged: false,
        fault: (body) => (body.length > 0 ? 'no body' : undefined),
      };
    case 'problem':
      return problem(meant.name);
    case 'property': {
      const id = meant.key.slice(meant.key.lastIndexOf('/') + 1, -'.json'.length);
      const entry = release.sequence[release.places.get(id) ?? -1];
      return entry
        ? ok(JSON_TYPE, true, digested(meant.key, entry.detailDigest))
        : problem('property-not-found');
    }
    case 'page': {
      const total = release.scopes.get(meant.folder)?.total ?? 0;
      return ok(JSON_TYPE, (meant.number - 1) * meant.size < total, pageFault(release, meant));
    }
    case 'file': {
      if (key === MANIFEST_KEY)
        return ok(JSON_TYPE, true, (body) => (body.equals(release.bytes) ? undefined : 'the manifest'));
      const wanted = ok(mediaType(key), true, digested(key));
      if (isAsset(key)) wanted.headers[1] = ['Cache-Control', cache.media];
      if (wanted.headers[0]![1] === PROBLEM_TYPE) wanted.headers.pop();
      return wanted;
    }
  }
}

/** Compares a page with the digests of its entries, and its bytes with their only spelling. */
function pageFault(release: Release, meant: Answer & { kind: 'page' }): Wanted['fault'] {
  const { folder, number, size } = meant;
  const scope = release.scopes.get(folder);
  const places: number[] = [];
  let place = 0;
  for (const { start, end } of scope?.runs ?? []) {
    const from = Math.max(0, (number - 1) * size - place);
    const to = Math.min(end - start, number * size - place);
    for (let index = start + from; index < start + to; index++) places.push(index);
    place += end - start;
  }
  return (body) => {
    const text = body.toString('utf8');
    const what = `page ${number} of ${size} with ${places.length} entries`;
    let entries: string[];
    try {
      entries = (JSON.parse(text) as { data: unknown[] }).data.map((entry) => JSON.stringify(entry));
    } catch {
      return what;
    }
    if (entries.length !== places.length) return what;
    const wrong = entries.findIndex(
      (entry, index) => digestOf(entry) !== release.sequence[places[index]!]!.summaryDigest,
    );
    if (wrong >= 0) return `${what}, entry ${wrong + 1} that of ${release.sequence[places[wrong]!]!.id}`;
    const whole = PAGE_HEAD + entries.join(',') + pageTail(number, size, scope?.total ?? 0);
    return text === whole ? undefined : whole.slice(-120);
  };
}

/** Whether the target cuts pages out of the packed layout: of a catalogue with both, it may or may not. */
function exposesRelease({ headers }: HttpAnswer): boolean {
  return String(headers['access-control-expose-headers']).includes(RELEASE_HEADER);
}

/** The images of a page or a detail. */
function imagesIn(meant: Answer, body: Buffer): string[] {
  const urls: (string | null)[] = [];
  if (meant.kind === 'page') {
    const { data } = JSON.parse(body.toString('utf8')) as { data: { thumbnail: string | null }[] };
    urls.push(...data.map(({ thumbnail }) => thumbnail));
  } else if (meant.kind === 'property') {
    const { photo } = JSON.parse(body.toString('utf8')) as { photo: { url: string }[] };
    urls.push(...photo.map(({ url }) => url));
  }
  return urls.filter((url) => url !== null);
}

/** Checks that an image of ours is there; photos elsewhere are not ours to check. */
async function runImage({ client, release, report }: VerifyContext, url: string): Promise<void> {
  const name = url.slice(url.lastIndexOf('/') + 1);
  if (!release.media.has(name) || !url.endsWith(`/${mediaKey(name)}`)) return;
  const tell = report(`GET ${url}`);
  const answer = await client.send({ method: 'GET', url }).catch((error: Error) => {
    tell('answer', 'one', error.message);
    return undefined;
  });
  if (!answer) return;
  if (answer.status !== 200) {
    tell('status', '200', String(answer.status));
    return;
  }
  const { cache_control } = release.manifest.api;
  const headers: Header[] = [
    ['Content-Type', mediaType(name)],
    ['Cache-Control', cache_control.media],
  ];
  expectHeaders(answer, headers, tell);
  if (answer.body.length === 0) tell('body', 'an image', 'nothing');
}
