import { readdirSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type RunningServer, startServer } from '../../src/serve/server.ts';
import { makeFixture, writeFixture } from '../conformance/fixture.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: string;
let root: string;
let server: RunningServer;

beforeAll(async () => {
  folder = temporaryFolder();
  root = writeFixture(makeFixture({ base: '', sizes: [25], keys: [] }), folder);
  server = await startServer({ root, port: 0 });
});

afterAll(async () => {
  await server.close();
});

/** The answer to these bytes. */
function exchange(sent: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(sent));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

it('supports ranges for files, but for nothing else (B4)', async () => {
  const accepts = async (path: string, method = 'GET') =>
    (await fetch(server.url + path, { method })).headers.get('Accept-Ranges');
  expect(await accepts('/media/00ff00ff00ff00ff00ff00ff00ff00ff.jpg')).toBe('bytes');
  expect(await accepts('/api/v1/public/properties')).toBeNull();
  expect(await accepts('/api/v1/public/properties?page[size]=0')).toBeNull();
  expect(await accepts('/api/v1/public/properties', 'OPTIONS')).toBeNull();
  expect(await accepts('/nothing')).toBeNull();
});

it.each([
  ['an unknown method', 'BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n', 405, 'method-not-allowed'],
  ['no HTTP', 'hello\r\n\r\n', 405, 'method-not-allowed'],
  ['a broken header', 'GET / HTTP/1.1\r\nHost: localhost\r\nbroken\r\n\r\n', 400, 'about:blank'],
  [
    'large headers',
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'about:blank',
  ],
])('answers %s with a problem (B4)', async (_, sent, status, type) => {
  const answer = await exchange(sent);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain('Access-Control-Allow-Origin: *');
  expect(answer).toContain('Cache-Control: no-store');
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
    type: expect.stringContaining(type),
    status,
  });
});

const PHOTO = '/media/00ff00ff00ff00ff00ff00ff00ff00ff.jpg';
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.url + path, { method, headers });

it('sends other files with the headers of every answer, without a warning of Node.js', async () => {
  const warnings: string[] = [];
  const collect = (warning: Error) => warnings.push(warning.message);
  process.on('warning', collect);
  for (const [path, type, caching] of [
    [PHOTO, 'image/jpeg', 'public, max-age=31536000, immutable'],
    ['/openapi.json', 'application/json', /^public, max-age=60,/],
    ['/explorer/app-AbCd_-12.js', 'text/javascript', 'public, max-age=31536000, immutable'],
    ['/properties.ndjson', 'application/x-ndjson', /^public, max-age=60,/],
    ['/', 'text/html; charset=utf-8', /^public, max-age=60,/],
  ] as const) {
    const { status, headers } = await ask(path);
    expect([path, status, headers.get('Content-Type')]).toEqual([path, 200, type]);
    expect(headers.get('Cache-Control')).toMatch(caching);
    expect(headers.get('ETag')).toMatch(/^"[^"]+"$/);
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(headers.get('Access-Control-Expose-Headers')).toBe('ETag, Content-Range, Catalogue-Release');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect((await ask(path, { 'If-None-Match': headers.get('ETag')! })).status).toBe(304);
  }
  process.off('warning', collect);
  expect(warnings).toEqual([]);
});

it.each([
  ['GET', 'bytes=6-10', {}, 206, 5],
  ['GET', 'bytes=4990-', {}, 206, 10],
  ['HEAD', 'bytes=6-10', {}, 200, 0],
  ['GET', 'bytes=-5', {}, 200, 5000],
  ['GET', 'bytes=0-1,5-6', {}, 200, 5000],
  ['GET', 'bytes=9-1', {}, 200, 5000],
  ['GET', 'bytes=6-10', { 'If-Range': '"other"' }, 200, 5000],
])('answers %s with Range %s (B4)', async (method, range, others, status, length) => {
  const response = await ask(PHOTO, { Range: range, ...others }, method);
  expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([status, length]);
});

it('answers a range beyond the end of a file with a problem (B4)', async () => {
  const response = await ask(PHOTO, { Range: 'bytes=5000-' });
  expect(response.headers.get('Content-Range')).toBe('bytes */5000');
  expect(await response.json()).toMatchObject({ type: 'about:blank', status: 416 });
});

it('sends a part of a text that is too large for the memory, and goes on', async () => {
  writeFileSync(join(root, 'all.json'), '[1,2]');
  truncateSync(join(root, 'all.json'), 2 ** 31 + 1);
  const part = await ask('/all.json', { Range: 'bytes=1-3' });
  expect([part.status, await part.text()]).toEqual([206, '1,2']);
  expect((await ask('/all.json', {}, 'HEAD')).headers.get('Content-Length')).toBe(String(2 ** 31 + 1));
});

it.runIf(process.platform === 'linux').each(['large.jpg', 'large.csv'])(
  'closes %s when the client leaves',
  async (name) => {
    writeFileSync(join(root, name), '');
    truncateSync(join(root, name), 2 ** 27);
    const open = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).endsWith(name);
        } catch {
          return false;
        }
      });
    const client = new AbortController();
    const { body } = await fetch(`${server.url}/${name}`, { signal: client.signal });
    await body!.getReader().read();
    expect(open()).toHaveLength(1);
    client.abort();
    await vi.waitFor(() => expect(open()).toEqual([]));
  },
);
