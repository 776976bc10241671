import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/serve/server.ts';
import { makeFixture, writeFixture } from '../conformance/fixture.ts';

let folder: string;
let server: RunningServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'catalogue-server-'));
  const root = writeFixture(makeFixture({ base: '', sizes: [25], keys: [] }), folder);
  server = await startServer({ root, port: 0 });
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What comes back for these bytes. */
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

it('offers parts of files, and of nothing else (B4)', async () => {
  const accepts = async (path: string, method = 'GET') =>
    (await fetch(server.url + path, { method })).headers.get('Accept-Ranges');
  expect(await accepts('/media/00ff00ff00ff00ff00ff.jpg')).toBe('bytes');
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
