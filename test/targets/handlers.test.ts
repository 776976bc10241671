/** The behaviour of the worker and the fetch handler outside the table of cases: parts of files, and faulty origins. */
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { rootKey } from '../../src/contract/object-keys.ts';
import type { TargetName } from '../../src/contract/target-names.ts';
import { TARGETS } from '../../src/targets/index.ts';
import { PLAIN, targetInput } from '../conformance/conformance.ts';
import { type Fixture, makeFixture } from '../conformance/fixture.ts';
import { freePort, listening } from '../conformance/server.ts';
import { temporaryFolder } from '../support/temporary.ts';

const LIST = 'https://example.com/api/v1/public/properties';
const PHOTO = 'media/00ff00ff00ff00ff00ff00ff00ff00ff.jpg';
const pages = makeFixture(PLAIN);
const packed = makeFixture({ ...PLAIN, layout: 'packed' });

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** The generated module of a target. */
async function load<Module>(target: TargetName, name: string, fixture = pages): Promise<Module> {
  const file = TARGETS[target].generate(targetInput(fixture)).files!.find(({ path }) => path === name)!;
  const path = join(folder, 'module.mjs');
  writeFileSync(path, 'content' in file ? file.content : '');
  return (await import(pathToFileURL(path).href)) as Module;
}

/** A bucket in memory that refuses as R2 does; and a cache that counts. */
function cloudflare(fixture: Fixture) {
  const entries = new Map<string, Response>();
  const gets: string[] = [];
  const object = (key: string) => {
    const body = fixture.files.get(key);
    return (
      body && {
        httpEtag: `"${key.length}"`,
        size: body.length,
        body: new Blob([new Uint8Array(body)]).stream(),
      }
    );
  };
  const bucket = {
    head: async (key: string) => object(key) ?? null,
    get: async (key: string, options?: { range: { offset?: number; length?: number; suffix?: number } }) => {
      gets.push(key);
      const found = object(key);
      if (!found) return null;
      const {
        suffix,
        offset = suffix === undefined ? 0 : found.size - suffix,
        length = found.size,
      } = options?.range ?? {};
      if (offset >= found.size) throw new Error('The requested range is not satisfiable');
      const part = new Uint8Array(fixture.files.get(key)!).slice(offset, offset + length);
      return { ...found, body: new Blob([part]).stream() };
    },
  };
  const cache = {
    match: async (url: string) => entries.get(url)?.clone(),
    put: async (url: string, response: Response) => {
      entries.set(url, response);
    },
    delete: async (url: string) => entries.delete(url),
  };
  vi.stubGlobal('caches', { default: cache });
  return { bucket, entries, gets };
}

type Worker = { default: { fetch: (request: Request, env: object, context: object) => Promise<Response> } };

async function startWorker(fixture = pages) {
  const { bucket, entries, gets } = cloudflare(fixture);
  const worker = (await load<Worker>('cloudflare-worker', 'worker.js', fixture)).default;
  const waiting: Promise<unknown>[] = [];
  const ask = async (url: string, init?: RequestInit) => {
    const context = { waitUntil: (promise: Promise<unknown>) => waiting.push(promise) };
    const response = await worker.fetch(new Request(url, init), { CATALOGUE: bucket }, context);
    await Promise.all(waiting);
    return response;
  };
  return { ask, bucket, entries, gets };
}

it('keeps one cache entry for all spellings of a page', async () => {
  const { ask, entries, gets } = await startWorker();
  const spellings = [
    'filter[country]=FR',
    'filter%5Bcountry%5D=%46R',
    'x=1&filter[country]=FR&page[size]=25',
    'page[number]=1&filter[country]=FR',
  ];
  const bodies = new Set<string>();
  for (const query of spellings) bodies.add(await (await ask(`${LIST}?${query}`)).text());
  expect(bodies.size).toBe(1);
  expect([...entries.keys()]).toEqual(['https://example.com/_catalogue/pages/FR/-/25-1.json']);
  expect(gets).toEqual(['_catalogue/pages/FR/-/25-1.json']);
});

it('caches the parts of a packed list, and what names the release for a few seconds', async () => {
  const { ask, entries, gets } = await startWorker(packed);
  const first = await (await ask(`${LIST}?filter[country]=FR`)).text();
  expect(JSON.parse(first)).toMatchObject({ meta: { pagination: { total_entries: 132 } } });
  const caching = [...entries].map(([url, { headers }]) => [
    /_catalogue\/([a-z.]+)/.exec(url)![1],
    headers.get('Cache-Control'),
  ]);
  const forever = 'public, max-age=31536000, immutable';
  expect(caching.slice(0, 3)).toEqual([
    ['current.json', 'public, max-age=5, stale-while-revalidate=60, stale-if-error=86400'],
    ['roots', forever],
    ['chunks', forever],
  ]);
  expect(gets).toHaveLength(entries.size);
  await ask(`${LIST}?filter[country]=FR&page[number]=1`);
  expect(gets).toHaveLength(entries.size);
});

it('removes a damaged part of a packed list from the cache', async () => {
  const { ask, entries, gets } = await startWorker(packed);
  const key = rootKey(packed.release!);
  entries.set(`https://example.com/${key}`, new Response('damaged'));
  const answer = await ask(LIST);
  expect([answer.status, answer.headers.get('Catalogue-Release')]).toEqual([200, packed.release]);
  expect(gets).toContain(key);
  expect(await entries.get(`https://example.com/${key}`)!.text()).toBe(packed.files.get(key)!.toString());
});

it('logs why a preview is unavailable', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => log.mockRestore());
  const { ask, bucket } = await startWorker(packed);
  bucket.get = () => Promise.reject(new Error('R2 failed'));
  expect((await ask('https://example.com/_previews/pr-1/api/v1/public/properties')).status).toBe(502);
  expect(log.mock.calls).toEqual([['Error: R2 failed']]);
});

it('serves parts of a file from R2', async () => {
  const { ask } = await startWorker();
  const photo = `https://example.com/${PHOTO}`;
  const part = await ask(photo, { headers: { Range: 'bytes=6-10' } });
  expect([part.status, part.headers.get('Content-Range'), await part.text()]).toEqual([
    206,
    'bytes 6-10/5000',
    'bytes',
  ]);
  const past = await ask(photo, { headers: { Range: 'bytes=5000-' } });
  expect([past.status, past.headers.get('Content-Range')]).toEqual([416, 'bytes */5000']);
  const several = await ask(photo, { headers: { Range: 'bytes=0-1,3-4' } });
  expect([several.status, (await several.text()).length]).toEqual([200, 5000]);
  const other = await ask(photo, { headers: { Range: 'bytes=0-1', 'If-Range': '"other"' } });
  expect(other.status).toBe(200);
  expect(
    (await ask('https://example.com/media/absent.jpg', { headers: { Range: 'bytes=0-1' } })).status,
  ).toBe(404);
});

it('answers a HEAD request with Range in full (B4)', async () => {
  const { ask } = await startWorker();
  const init = { method: 'HEAD', headers: { Range: 'bytes=0-1' } };
  const answer = await ask(`https://example.com/${PHOTO}`, init);
  expect([answer.status, answer.headers.get('Content-Range')]).toEqual([200, null]);
});

it('serves no cached file for a path that merely begins with its key (B3)', async () => {
  const { ask } = await startWorker();
  const file = 'https://example.com/_catalogue/current.json';
  expect((await ask(file)).status).toBe(200);
  for (const path of ['%23x', '%3Fx', '%3F', '%23']) expect((await ask(file + path)).status, path).toBe(404);
});

it('never mixes two objects in a part of a file that is replaced meanwhile (B3)', async () => {
  // A range is never read from the cache.
  vi.stubGlobal('caches', { default: undefined });
  const worker = (await load<Worker>('cloudflare-worker', 'worker.js')).default;
  let readings = 0;
  // Each read finds another object than the one before.
  const object = () => {
    readings++;
    const bytes = new Uint8Array(10 * readings).fill(readings);
    return { bytes, size: bytes.length, httpEtag: `"${readings}"` };
  };
  const bucket = {
    head: async () => object(),
    get: async (
      _: string,
      { range: { offset = 0, length = 0 } = {} }: { range?: { offset?: number; length?: number } } = {},
    ) => {
      const { bytes, ...found } = object();
      return {
        ...found,
        body: new Blob([bytes.slice(offset, length ? offset + length : undefined)]).stream(),
      };
    },
  };
  const context = { waitUntil: () => {} };
  const request = new Request(`https://example.com/${PHOTO}`, { headers: { Range: 'bytes=2-30' } });
  const answer = await worker.fetch(request, { CATALOGUE: bucket }, context);
  const body = new Uint8Array(await answer.arrayBuffer());
  expect([answer.status, answer.headers.get('ETag'), answer.headers.get('Content-Range')]).toEqual([
    206,
    '"1"',
    'bytes 2-9/10',
  ]);
  expect([...body]).toEqual(Array.from({ length: 8 }, () => 1));
});

type Handler = { handle: (request: Request, origin: string) => Promise<Response> };

/** Sends a request to the fetch handler over an origin. */
async function askOver(
  origin: RequestListener,
  url: string,
  init?: RequestInit,
  fixture = pages,
): Promise<[Response, string]> {
  const { port, stop } = await listening(createServer(origin));
  try {
    const { handle } = await load<Handler>('fetch-handler', 'handler.js', fixture);
    const response = await handle(new Request(url, init), `http://127.0.0.1:${port}`);
    return [response, await response.text()];
  } finally {
    await stop();
  }
}

const fileOf = (url: string | undefined) => pages.files.get(decodeURIComponent((url ?? '').slice(1)));

it('makes an entity tag when the origin gives none', async () => {
  const bare: RequestListener = (request, response) => response.end(fileOf(request.url));
  const [first, body] = await askOver(bare, `${LIST}?filter[country]=FR`);
  expect(JSON.parse(body)).toMatchObject({ meta: { pagination: { total_entries: 132 } } });
  const tag = first.headers.get('ETag')!;
  expect(tag).toMatch(/^"[0-9a-f]{32}"$/);
  const [second] = await askOver(bare, `${LIST}?filter[country]=FR`, { headers: { 'If-None-Match': tag } });
  expect(second.status).toBe(304);
});

const bucket: RequestListener = (request, response) => {
  const body = fileOf(request.url);
  response.writeHead(body ? 200 : 403, { ETag: 'W/"weak"' });
  response.end(body);
};

it('treats 403 as a missing file when the origin is known to be a bucket (B15)', async () => {
  const ask = (url: string) => askOver(bucket, url, {}, { ...pages, origin: 'bucket' });
  const [empty, body] = await ask(`${LIST}?page[number]=99`);
  expect([empty.status, JSON.parse(body).meta.pagination.total_entries]).toEqual([
    200,
    pages.summaries.length,
  ]);
  const [absent] = await ask(`${LIST}/00000000-0000-4000-8000-000000000000`);
  expect(absent.status).toBe(404);
  const [page] = await ask(LIST);
  expect(page.headers.get('ETag')).toBe('"weak"');
});

it('treats 403 of any other origin as a failure (B15)', async () => {
  const [empty] = await askOver(bucket, `${LIST}?page[number]=99`);
  expect([empty.status, empty.headers.get('Cache-Control')]).toEqual([502, 'no-store']);
});

it('does not follow a redirect of the origin (B15)', async () => {
  const login: RequestListener = (request, response) => {
    response.writeHead(request.url === '/login' ? 200 : 302, { Location: '/login' });
    response.end('{"data":[]}');
  };
  const [answer, body] = await askOver(login, LIST);
  expect([answer.status, JSON.parse(body).type]).toEqual([502, '/problems.html#list-unavailable']);
});

it('forwards only the necessary parts of a request to the origin (B15)', async () => {
  const seen: string[] = [];
  const watching: RequestListener = (request, response) => {
    seen.push(...Object.keys(request.headers));
    response.end(fileOf(request.url));
  };
  const headers = { Cookie: 'a=b', Authorization: 'x', 'X-API-KEY': 'k', 'X-Forwarded-For': '192.0.2.1' };
  expect((await askOver(watching, LIST, { headers }))[0].status).toBe(200);
  for (const name of Object.keys(headers)) expect(seen).not.toContain(name.toLowerCase());
});

it('reports that nothing listens at the origin (B15)', async () => {
  const { handle } = await load<Handler>('fetch-handler', 'handler.js');
  const answer = await handle(new Request(LIST), `http://127.0.0.1:${await freePort()}`);
  expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([502, '*']);
});

it('passes parts of a file on', async () => {
  const origin: RequestListener = (request, response) => {
    if (request.headers.range) {
      response.writeHead(206, { ETag: '"a"', 'Content-Range': 'bytes 6-10/5000' });
      response.end('bytes');
    } else response.end(fileOf(request.url));
  };
  const [part, body] = await askOver(origin, `https://example.com/${PHOTO}`, {
    headers: { Range: 'bytes=6-10' },
  });
  expect([part.status, part.headers.get('Content-Range'), body]).toEqual([206, 'bytes 6-10/5000', 'bytes']);
});
