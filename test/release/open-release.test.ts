/** A release is read from a folder and from a live catalogue, and nothing else passes for it. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import {
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  CURRENT_KEY,
  PARTS_FOLDER,
  rootKey,
} from '../../src/contract/object-keys.ts';
import { openRelease } from '../../src/release/open-release.ts';
import { readIds } from '../../src/release/release.ts';
import { contentOf, idOf, type MadeSource, makeSource } from '../publish/made.ts';
import { serveLoopback } from '../support/loopback.ts';
import { temporaryFolder } from '../support/temporary.ts';

const SOURCE = makeSource({
  api: { page_sizes: [1, 2] },
  documents: { 'openapi.json': 'öpen' },
  properties: [1, 2, 3].map((n) => ({ id: idOf(n), title: `Höuse ${n}` })),
});
const ID = idOf(3);
const keyOf = (folder: string) => [...SOURCE.bodies.keys()].filter((key) => key.startsWith(folder)).at(-1)!;
/** The part with this property, and the chunk. */
const [PART, CHUNK, CITIES] = [PARTS_FOLDER, CHUNKS_FOLDER, CITIES_FOLDER].map(keyOf) as [
  string,
  string,
  string,
];

async function files(source: MadeSource): Promise<Map<string, Buffer>> {
  const found = [...(await contentOf(source))].map(
    ([key, text]) => [key, Buffer.from(text, 'latin1')] as const,
  );
  return new Map(found);
}

async function folder(source = SOURCE): Promise<string> {
  const root = temporaryFolder();
  for (const [key, bytes] of await files(source)) {
    mkdirSync(dirname(join(root, key)), { recursive: true });
    writeFileSync(join(root, key), bytes);
  }
  return root;
}

/** Serves the release behind a base path; `change` gives another status or body. */
async function serve(change: (path: string, key: string) => { status?: number; body?: Buffer } = () => ({})) {
  const found = await files(SOURCE);
  const keys = new Map<string, string>();
  const origin = await serveLoopback(({ url = '', headers }, answer) => {
    const path = url.replace(/^\/base\//, '');
    const key = String(headers['x-api-key'] ?? '');
    keys.set(path, key);
    const file = found.get(path);
    const { status = file ? 200 : 404, body = file } = change(path, key);
    answer.writeHead(status, status === 302 ? { Location: body!.toString() } : {}).end(body);
  });
  return { url: `${origin}/base`, keys };
}

it.each([
  ['a folder', async () => folder()],
  ['a live catalogue', async () => `${(await serve()).url}//`],
])('opens %s', async (_where, open) => {
  const release = (await openRelease(await open()))!;
  expect(release.release.rootBytes).toEqual(SOURCE.release.rootBytes);
  expect(await release.ids()).toEqual(await readIds(SOURCE.release));
  expect(await release.detail(ID)).toBe(await SOURCE.detail(ID));
  expect(await release.read('openapi.json')).toBe('öpen');
  expect(await release.read('nothing.json')).toBeUndefined();
});

it('fails where current.json cannot be read', async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, CURRENT_KEY), { recursive: true });
  await expect(openRelease(root)).rejects.toMatchObject({ code: 'EISDIR' });
});

it('finds no release where there is no current.json', async () => {
  expect(await openRelease(join(await folder(), 'nothing'))).toBeUndefined();
  // Buckets without permission to list answer 403.
  for (const status of [403, 404])
    expect(await openRelease((await serve(() => ({ status }))).url)).toBeUndefined();
});

it.each([
  [PART, 'detail'],
  [CHUNK, 'ids'],
] as const)('notices that %s is damaged or missing', async (key, read) => {
  const root = await folder();
  const release = (await openRelease(root))!;
  for (const text of ['{', JSON.stringify({ data: [{ title: 'Other' }] }), '{}']) {
    writeFileSync(join(root, key), text);
    const again = (await openRelease(root))!;
    await expect(again[read](ID)).rejects.toMatchObject({
      code: 'file-differs',
      message: expect.stringContaining(key),
    });
  }
  rmSync(join(root, key));
  await expect(release[read](ID)).rejects.toMatchObject({
    code: 'file-missing',
    message: expect.stringContaining(key),
  });
});

it.each([CURRENT_KEY, rootKey(SOURCE.release.name)])('refuses %s that is damaged', async (key) => {
  const root = await folder();
  writeFileSync(join(root, key), '{');
  await expect(openRelease(root)).rejects.toMatchObject({ code: 'file-differs' });
});

it('sends the key with guarded files alone', async () => {
  const { url, keys } = await serve();
  const release = (await openRelease(url, { apiKey: 'k3y' }))!;
  await release.ids();
  await release.detail(ID);
  await release.read('properties.ndjson');
  expect(Object.fromEntries(keys)).toEqual({
    [CURRENT_KEY]: 'k3y',
    [rootKey(SOURCE.release.name)]: 'k3y',
    [CITIES]: 'k3y',
    [CHUNK]: 'k3y',
    [PART]: 'k3y',
    'properties.ndjson': 'k3y',
  });
});

it('asks for another key where a file refuses one', async () => {
  const { url } = await serve((path) => (path === CHUNK ? { status: 401 } : {}));
  const message = `${url} asks for another key. Put it into CATALOGUE_API_KEY.`;
  await expect((await openRelease(url))!.ids()).rejects.toMatchObject({
    code: 'invalid-api-key',
    message,
  });
});

it('never sends the key to another host', async () => {
  const { url: elsewhere, keys } = await serve();
  const { url } = await serve((path) =>
    path === CHUNK || path === 'openapi.json'
      ? { status: 302, body: Buffer.from(`${elsewhere}/${path}`) }
      : {},
  );
  const release = (await openRelease(url, { apiKey: 'k3y' }))!;
  await expect(release.ids()).rejects.toMatchObject({ code: 'unreachable' });
  expect(keys.size).toBe(0);
  // What needs no key follows a redirect.
  expect(await release.read('openapi.json')).toBe('öpen');
  expect(keys.get('openapi.json')).toBe('');
});

it('names a catalogue that does not answer', async () => {
  const { url } = await serve(() => ({ status: 500 }));
  await expect(openRelease(url)).rejects.toMatchObject({
    code: 'unreachable',
    message: `${url}/${CURRENT_KEY} answered 500. Try again later.`,
  });
  await expect(openRelease('http://127.0.0.1:1')).rejects.toMatchObject({
    code: 'unreachable',
    message: `http://127.0.0.1:1/${CURRENT_KEY} cannot be reached. Check the URL and the network.`,
  });
});

it('gives a live catalogue that does not answer, or stops amid an answer, a limited time (D7)', async () => {
  const silent = await serveLoopback(() => {});
  const halting = await serveLoopback((_request, answer) => void answer.writeHead(200).write('{'));
  for (const url of [silent, halting])
    await expect(openRelease(url, { limit: 50 })).rejects.toMatchObject({ code: 'unreachable' });
});
