import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { CURRENT_KEY } from '../../src/contract/object-keys.ts';
import { createHandler, type Handler } from '../../src/serve/handler.ts';
import { headerOf, openConnection } from '../conformance/client.ts';
import { makeFixture, writeFixture } from '../conformance/fixture.ts';
import { listening } from '../conformance/server.ts';
import { temporaryFolder } from '../support/temporary.ts';

const KEY = 'the key';
const NOWHERE = JSON.stringify({ version: 3, release: '0'.repeat(32) });
const DIGEST = createHash('sha256').update(KEY).digest('hex');

let folder: string;
let root: string;

beforeEach(() => {
  folder = temporaryFolder();
  root = writeFixture(makeFixture({ base: '', sizes: [25], keys: [] }), folder);
});

/** Sends one request to a server with this handler. */
async function ask(
  handle: Handler | Server,
  target: string,
  headers: [string, string][] = [],
  method = 'GET',
) {
  const server =
    typeof handle === 'function' ? createServer((request, response) => handle(request, response)) : handle;
  const { port, stop } = await listening(server);
  const connection = openConnection(port);
  try {
    return await connection.send(method, target, headers);
  } finally {
    connection.close();
    await stop();
  }
}

it('needs nothing but the folder', async () => {
  const response = await ask(createHandler({ root }), '/api/v1/public/properties?filter[country]=JP');
  expect(response.status).toBe(200);
  expect(JSON.parse(String(response.body))).toMatchObject({ meta: { pagination: { total_entries: 4 } } });
});

it('names what is missing when the folder holds no catalogue', () => {
  expect(() => createHandler({ root: join(folder, 'nowhere') })).toThrow(
    /There is no catalogue in .*nowhere.*catalogue build/,
  );
});

it('throws for a catalogue with API keys when it gets no keys', async () => {
  writeFixture(makeFixture({ base: '', sizes: [25], keys: [KEY] }), folder);
  expect(() => createHandler({ root })).toThrow(/asks for API keys/);
  const handler = createHandler({ root, apiKeys: [DIGEST] });
  const list = '/api/v1/public/properties';
  expect((await ask(handler, list)).status).toBe(401);
  expect((await ask(handler, list, [['X-API-KEY', KEY]])).status).toBe(200);
  // The header sent twice is neither of the keys.
  expect(
    (
      await ask(handler, list, [
        ['X-API-KEY', KEY],
        ['X-API-KEY', KEY],
      ])
    ).status,
  ).toBe(401);
});

it('passes other requests on, if they are neither for the API nor for a file', async () => {
  const handler = createHandler({ root });
  const server = () =>
    createServer((request, response) =>
      handler(request, response, () => {
        response.writeHead(299);
        response.end('next');
      }),
    );
  expect(String((await ask(server(), '/nothing')).body)).toBe('next');
  expect((await ask(server(), '/api/v1/public/nothing')).status).toBe(404);
  expect((await ask(server(), '/openapi.json')).status).toBe(200);
  expect((await ask(server(), '/nothing', [], 'DELETE')).status).toBe(405);
});

it('serves the index of a folder, but not below the API', async () => {
  mkdirSync(join(root, 'explore'));
  writeFileSync(join(root, 'explore/index.html'), '<p>explore</p>');
  mkdirSync(join(root, 'api/v1/public/properties'), { recursive: true });
  writeFileSync(join(root, 'api/v1/public/properties/index.html'), 'wrong');
  const handler = createHandler({ root });
  expect(headerOf(await ask(handler, '/'), 'Content-Type')).toBe('text/html; charset=utf-8');
  expect(String((await ask(handler, '/explore/')).body)).toBe('<p>explore</p>');
  expect((await ask(handler, '/explore')).status).toBe(404);
  expect((await ask(handler, '/api/v1/public/properties/')).status).toBe(404);
});

it('never leaves the folder through symbolic links', async () => {
  symlinkSync(join(folder, 'canary'), join(root, 'link'));
  symlinkSync(folder, join(root, 'folder'));
  symlinkSync(join(root, 'openapi.json'), join(root, 'inside.json'));
  const handler = createHandler({ root });
  expect((await ask(handler, '/link')).status).toBe(404);
  expect((await ask(handler, '/folder/canary')).status).toBe(404);
  expect((await ask(handler, '/inside.json')).status).toBe(200);
});

it.each(['', '{}', 'null', '{"version":99}', '{"version":3,"release"', NOWHERE])(
  'refuses a damaged current.json, or one that names no root: %j',
  (text) => {
    const root = writeFixture(makeFixture({ base: '', sizes: [25], keys: [] }), temporaryFolder());
    writeFileSync(join(root, CURRENT_KEY), text);
    expect(() => createHandler({ root })).toThrow(
      /current\.json is not what a build of this version writes\./,
    );
  },
);

it('serves no hidden files, and no folders as files', async () => {
  writeFileSync(join(root, '.secret'), 'x');
  mkdirSync(join(root, '.git'));
  writeFileSync(join(root, '.git/config'), 'x');
  const handler = createHandler({ root });
  for (const target of ['/.secret', '/%2esecret', '/.git/config', '/media', '/_catalogue']) {
    expect((await ask(handler, target)).status, target).toBe(404);
  }
});

it('recognises a changed file by its tag', async () => {
  const handler = createHandler({ root });
  const before = headerOf(await ask(handler, '/openapi.json'), 'ETag');
  writeFileSync(join(root, 'openapi.json'), '{"openapi":"3.1.2"}');
  const after = headerOf(await ask(handler, '/openapi.json'), 'ETag');
  expect(after).not.toBe(before);
  writeFileSync(join(root, 'openapi.json'), '{"openapi":"3.1.1"}');
  expect(headerOf(await ask(handler, '/openapi.json'), 'ETag')).toBe(before);
});

it('streams a large file, with a tag of its size and time', async () => {
  const handler = createHandler({ root });
  const path = join(root, 'properties.ndjson');
  writeFileSync(path, `${' '.repeat(9_000_000)}end`);
  const whole = await ask(handler, '/properties.ndjson');
  expect([whole.status, whole.body.length]).toEqual([200, 9_000_003]);
  const tag = headerOf(whole, 'ETag')!;
  expect((await ask(handler, '/properties.ndjson', [['If-None-Match', tag]])).status).toBe(304);
  const end = await ask(handler, '/properties.ndjson', [['Range', 'bytes=-3']]);
  expect([end.status, String(end.body), headerOf(end, 'Content-Range')]).toEqual([
    206,
    'end',
    'bytes 9000000-9000002/9000003',
  ]);
  utimesSync(path, 1, 1);
  expect((await ask(handler, '/properties.ndjson', [['If-None-Match', tag]])).status).toBe(200);
});

it('treats a folder in the place of a page as a missing page', async () => {
  const handler = createHandler({ root });
  rmSync(join(root, '_catalogue/pages/JP/-/25-1.json'));
  mkdirSync(join(root, '_catalogue/pages/JP/-/25-1.json'));
  // The total says that there is such a page: an empty one would be wrong (B10).
  const response = await ask(handler, '/api/v1/public/properties?filter[country]=JP');
  expect([response.status, headerOf(response, 'Cache-Control')]).toEqual([502, 'no-store']);
});

it('treats a damaged total as missing (B10)', async () => {
  const handler = createHandler({ root });
  for (const text of ['', 'x', '1e3', '-1', '4\n4']) {
    writeFileSync(join(root, '_catalogue/pages/JP/-/total'), text);
    const { status } = await ask(handler, '/api/v1/public/properties?filter[country]=JP&page[number]=9');
    expect(status, text).toBe(502);
  }
});

it('serves no log and no lock, not even through a link (A4)', async () => {
  symlinkSync(join(root, '_catalogue/log/00000001.json'), join(root, 'open.json'));
  symlinkSync(join(root, '_catalogue/log'), join(root, 'open'));
  symlinkSync(join(root, '_catalogue/current.json'), join(root, 'list.json'));
  const handler = createHandler({ root });
  for (const path of ['/_catalogue/log/00000001.json', '/open.json', '/open/00000001.json', '/list.json'])
    expect((await ask(handler, path)).status, path).toBe(404);
});

it('shows a page to a browser that asks for a path without a file, and the problem to a program (D)', async () => {
  writeFileSync(join(root, '404.html'), '<h1>This page does not exist</h1>');
  const browser: [string, string][] = [['Accept', 'text/html,application/xhtml+xml,*/*;q=0.8']];
  const page = await ask(createHandler({ root }), '/nothing', browser);
  expect([page.status, headerOf(page, 'Content-Type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect([headerOf(page, 'Vary'), String(page.body)]).toEqual([
    'Accept',
    '<h1>This page does not exist</h1>',
  ]);
  const program = await ask(createHandler({ root }), '/nothing', [['Accept', '*/*']]);
  expect([program.status, headerOf(program, 'Content-Type')]).toEqual([404, 'application/problem+json']);
  // The API answers everyone alike.
  const api = await ask(createHandler({ root }), '/api/v1/public/nothing', browser);
  expect(headerOf(api, 'Content-Type')).toBe('application/problem+json');
});

it('answers 500 when something unforeseen fails, and goes on (D7)', async () => {
  let isBroken = true;
  const errors: unknown[] = [];
  const handle = createHandler({
    root,
    onError: (error) => errors.push(error),
    consistently: (make) => (isBroken ? Promise.reject(new Error('broken')) : make()),
  });
  const list = '/api/v1/public/properties';
  const failed = await ask(handle, list);
  expect([failed.status, headerOf(failed, 'Content-Type')]).toEqual([500, 'application/problem+json']);
  expect(headerOf(failed, 'Cache-Control')).toBe('no-store');
  expect(errors).toEqual([new Error('broken')]);
  isBroken = false;
  expect((await ask(handle, list)).status).toBe(200);
  rmSync(join(root, '_catalogue/pages'), { recursive: true });
  expect((await ask(handle, list)).status).toBe(502);
  expect(errors).toEqual([
    new Error('broken'),
    new Error('_catalogue/pages/-/-/total is missing or damaged.'),
  ]);
});

it('reports why a list or a preview is unavailable', async () => {
  const fixture = makeFixture({ base: '', sizes: [25], keys: [], layout: 'packed' });
  const errors: unknown[] = [];
  const handle = createHandler({
    root: writeFixture(fixture, folder),
    onError: (error) => errors.push(String(error)),
    read: async (key, stored) => {
      if (key.startsWith('_previews/')) throw new Error('no such disk');
      return key.startsWith('_catalogue/chunks/') ? Buffer.from('damaged') : stored();
    },
  });
  expect((await ask(handle, '/api/v1/public/properties')).status).toBe(502);
  expect(errors).toEqual([expect.stringMatching(/^Error: _catalogue\/chunks\/\S+ is damaged\.$/)]);
  expect((await ask(handle, '/_previews/pr-1/api/v1/public/properties')).status).toBe(502);
  expect(errors[1]).toBe('Error: no such disk');
});
