/** The archives of releases in a bucket: an index, pieces that releases share, and large documents. */

import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compressed } from '../../../src/publish/archive/compressed-lines.ts';
import {
  type ArchivedContent,
  isStale,
  keysOf,
  MAX_APART,
  openProperties,
  readIndex,
  writeContent,
} from '../../../src/publish/archive/content.ts';
import type { Source } from '../../../src/publish/source.ts';
import { entryOf } from '../../../src/release/release.ts';
import type { Bucket } from '../../../src/storage/bucket.ts';
import {
  ARCHIVE_HEADERS,
  archivedDocumentKey,
  PIECES_FOLDER,
  pieceKey,
  releaseObjectsKey,
} from '../../../src/storage/reserved-keys.ts';
import { openMemory } from '../../storage/memory.ts';
import { listKeys } from '../../support/bucket.ts';
import { idOf, type MadeSource, makeSource, textsOf } from '../made.ts';
import { recorded } from '../recorded.ts';

const LARGE = MAX_APART + 100;

/** A packed release of so many properties, of which some have another title. */
function large(count: number, renamed: Iterable<number> = [], documents = {}): MadeSource {
  const others = new Set(renamed);
  // Not in the order of their ids.
  const properties = Array.from({ length: count }, (_, index) => count - index).map((n) => ({
    id: idOf(n),
    title: others.has(n) ? `Renamed ${n}` : `House ${n}`,
  }));
  return makeSource({ api: { layout: 'packed' }, documents, properties });
}

const indexOf = async (bucket: Bucket, { release }: Source): Promise<ArchivedContent> => ({
  release,
  index: (await readIndex(bucket, release.name))!,
});

const all = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const pieces = (bucket: Bucket) => listKeys(bucket, `${PIECES_FOLDER}/`);

/** A source that records the reads of details. */
function counted(source: MadeSource): { source: Source; details: string[] } {
  const details: string[] = [];
  const body: Source['body'] = (object) => {
    if (object.kind === 'detail') details.push(object.id);
    return source.body(object);
  };
  return { details, source: { ...source, body } };
}

/** Titles of all properties, as the archive has them. */
async function titles(bucket: Bucket, source: Source): Promise<(string | undefined)[]> {
  const find = openProperties(bucket, source.release, (await readIndex(bucket, source.release.name))!);
  const found: (string | undefined)[] = [];
  for (const { id } of source.release.sequence) {
    const property = await find(id);
    found.push(property && (JSON.parse(property.detail) as { title: string }).title);
  }
  return found;
}

it('stores all properties and documents of a small release in one object', async () => {
  const bucket = openMemory();
  const documents = { 'openapi.json': 'o', 'explorer/app-00000000.js': 'kept' };
  const source = large(3, [], documents);
  await writeContent(bucket, source, undefined);
  const key = releaseObjectsKey(source.release.name);
  expect((await bucket.inspect(key))!.headers).toEqual(ARCHIVE_HEADERS);
  const lines = gunzipSync((await bucket.read(key))!.body)
    .toString()
    .trim()
    .split('\n');
  const property = (n: number) => {
    const { summary, detail } = textsOf({ id: idOf(n), title: `House ${n}` });
    return ['property', idOf(n), summary, detail];
  };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    ['manifest', source.release.bytes.toString()],
    ...[3, 2, 1].map(property),
    ['text', 'openapi.json', 'o'],
  ]);
  const { index } = await indexOf(bucket, source);
  expect(index.pieces).toEqual([]);
  expect([...index.apart.keys()]).toEqual([3, 2, 1].map(idOf));
  expect(index.documents).toEqual(new Map([['openapi.json', Buffer.from('o')]]));
  expect(keysOf(index, source.release)).toEqual([]);
  expect(await readIndex(bucket, 'f'.repeat(32))).toBeUndefined();
});

it('reads missing fields of a line as empty', async () => {
  const bucket = openMemory();
  const put = async (key: string, lines: string[][]) =>
    bucket.write(key, await compressed(lines, async (line) => line), ARCHIVE_HEADERS);
  const { release } = large(1);
  await put(releaseObjectsKey(release.name), [['piece'], ['property', 'a'], ['property'], ['document']]);
  const index = (await readIndex(bucket, release.name))!;
  const empty = { summary: '', detail: '' };
  expect(index).toEqual({
    pieces: [{ from: '', digest: '' }],
    apart: new Map([...['a', ''].map((id) => [id, empty] as const)]),
    documents: new Map([['', undefined]]),
  });
  expect(keysOf(index, release)).toEqual([pieceKey(''), archivedDocumentKey('')]);
});

it('stores a large document as an object of its own, once', async () => {
  const { bucket, requests } = recorded(openMemory());
  const sources = [8000, 8001].map((size) => large(1, [], { 'properties.csv': 'x'.repeat(size) }));
  for (const source of sources) await writeContent(bucket, source, undefined);
  const [within, apart] = await Promise.all(sources.map((source) => indexOf(bucket, source)));
  expect(within!.index.documents.get('properties.csv')).toHaveLength(8000);
  expect(apart!.index.documents).toEqual(new Map([['properties.csv', undefined]]));
  const key = archivedDocumentKey(sources[1]!.release.manifest.documents['properties.csv']!);
  expect(keysOf(apart!.index, apart!.release)).toEqual([key]);
  expect(requests.filter((request) => request === `write ${key}`)).toHaveLength(1);
  await writeContent(bucket, sources[1]!, undefined);
  expect(requests.filter((request) => request === `write ${key}`)).toHaveLength(1);
  // The next release has it, too: it is neither read nor looked for.
  const from = requests.length;
  const unread: Source = {
    ...sources[1]!,
    body: async (object) => {
      if (object.kind === 'document') throw new Error('read');
      return sources[1]!.body(object);
    },
  };
  await writeContent(bucket, unread, apart);
  expect(requests.slice(from).filter((request) => request.endsWith(key))).toEqual([]);
  // A document that is not in memory is an object of its own, however small it is.
  const parts: Source = {
    ...sources[0]!,
    body: (object) =>
      object.kind === 'document'
        ? { size: 3, read: async () => Buffer.from('abc') }
        : sources[0]!.body(object),
  };
  await writeContent(bucket, parts, undefined);
  expect((await indexOf(bucket, parts)).index.documents).toEqual(new Map([['properties.csv', undefined]]));
});

it('stores a document that differs in every release in the index, however large, and bytes that are no text', async () => {
  const bucket = openMemory();
  const bytes = Buffer.from([0xff, 0x00, 0x80]);
  const source = large(1, [], { 'index.json': 'é'.repeat(20_000), 'properties.csv': bytes });
  await writeContent(bucket, source, undefined);
  const { index } = await indexOf(bucket, source);
  expect(index.documents.get('index.json')).toEqual(Buffer.from('é'.repeat(20_000)));
  expect(index.documents.get('properties.csv')).toEqual(bytes);
  expect(keysOf(index, source.release)).toEqual([]);
});

it('shares the pieces of a large release with the next ones, which store their changes separately', async () => {
  const bucket = openMemory();
  expect((await keptApart(bucket, large(MAX_APART), undefined)).pieces).toEqual([]);
  const first = large(LARGE);
  await writeContent(bucket, first, undefined);
  const begun = await indexOf(bucket, first);
  const shared = await pieces(bucket);
  expect(shared.length).toBeGreaterThan(2);
  expect(begun.index.apart.size).toBe(0);
  expect(keysOf(begun.index, first.release).sort()).toEqual(shared);
  const starts = begun.index.pieces.map(({ from }) => from);
  expect(starts).toEqual([...starts].sort());
  expect(starts[0]).toBe(idOf(1));
  expect(await titles(bucket, first)).toEqual(
    all(LARGE)
      .reverse()
      .map((n) => `House ${n}`),
  );

  const second = counted(large(LARGE, [700]));
  await writeContent(bucket, second.source, begun);
  expect(second.details).toEqual([idOf(700)]);
  expect(await pieces(bucket)).toEqual(shared);
  const next = await indexOf(bucket, second.source);
  expect(next.index.pieces).toEqual(begun.index.pieces);
  expect((await titles(bucket, second.source))[LARGE - 700]).toBe('Renamed 700');

  // A separate property stays separate, even when it has its old value again; a removed one is gone.
  const third = counted(large(LARGE - 1, [701]));
  await writeContent(bucket, third.source, next);
  expect(third.details.sort()).toEqual([idOf(700), idOf(701)]);
  expect(await titles(bucket, third.source)).toEqual(
    all(LARGE - 1)
      .reverse()
      .map((n) => (n === 701 ? 'Renamed 701' : `House ${n}`)),
  );

  // A separate property that stays unchanged stays separate, unless it is removed; in the order of the sequence.
  const fourth = large(LARGE, [700, 701]);
  expect([...(await keptApart(bucket, fourth, next)).apart.keys()]).toEqual([idOf(701), idOf(700)]);
  expect((await titles(bucket, fourth))[LARGE - 700]).toBe('Renamed 700');
  const fifth = large(LARGE, [LARGE]);
  await writeContent(bucket, fifth, begun);
  const without = await keptApart(bucket, large(LARGE - 1), await indexOf(bucket, fifth));
  expect([...without.apart.keys()]).toEqual([]);

  // Beyond the limit the pieces are made again, and existing ones are not written again.
  expect((await keptApart(bucket, large(LARGE, all(MAX_APART)), begun)).apart.size).toBe(MAX_APART);
  const many = counted(large(LARGE, all(MAX_APART + 1)));
  const last = await keptApart(bucket, many.source, begun);
  expect(last.apart.size).toBe(0);
  expect(last.pieces.length).toBeGreaterThan(2);
  expect(many.details).toHaveLength(LARGE);
  // An index that lost its lines has nothing to share.
  const lost = { release: first.release, index: { ...begun.index, pieces: [] } };
  expect((await keptApart(bucket, first, lost)).pieces).toEqual(begun.index.pieces);
  expect(await titles(bucket, first)).toEqual(
    all(LARGE)
      .reverse()
      .map((n) => `House ${n}`),
  );
});

async function keptApart(bucket: Bucket, source: Source, last: ArchivedContent | undefined) {
  await writeContent(bucket, source, last);
  return (await indexOf(bucket, source)).index;
}

it('stores a property separately when only its detail or only its summary changed', async () => {
  const bucket = openMemory();
  const first = large(LARGE);
  await writeContent(bucket, first, undefined);
  const last = await indexOf(bucket, first);
  const change = (edit: { email?: string; photo?: string }) =>
    makeSource({
      api: { layout: 'packed' },
      properties: all(LARGE).map((n) => ({ id: idOf(n), title: `House ${n}`, ...(n === 5 ? edit : {}) })),
    });
  expect([...(await keptApart(bucket, change({ email: 'new' }), last)).apart.keys()]).toEqual([idOf(5)]);
  // Its detail is unchanged according to the manifest.
  const shown = change({ photo: 'a' });
  const sequence = [...shown.release.sequence].map((entry) => ({
    ...entry,
    detailDigest: entryOf(first.release, entry.id)!.detailDigest,
  }));
  const source = { ...shown, release: { ...shown.release, sequence } };
  expect([...(await keptApart(bucket, source, last)).apart.keys()]).toEqual([idOf(5)]);
});

it('limits new pieces to the properties of their release', async () => {
  const bucket = openMemory();
  const first = large(LARGE);
  await writeContent(bucket, first, undefined);
  const begun = await indexOf(bucket, first);
  expect(isStale(begun)).toBe(false);
  const second = large(LARGE, [5]);
  await writeContent(bucket, second, begun);
  const stale = await indexOf(bucket, second);
  expect(isStale(stale)).toBe(true);
  const { bucket: watched, requests } = recorded(bucket);
  const { source, details } = counted(second);
  await writeContent(watched, source, stale, { isFresh: true });
  const fresh = await indexOf(bucket, second);
  expect(isStale(fresh)).toBe(false);
  expect(fresh.index.apart.size).toBe(0);
  // One piece differs from the existing ones: only that one is read and written.
  const written = requests.filter((request) => request.startsWith(`write ${PIECES_FOLDER}/`));
  expect(written).toHaveLength(1);
  expect(details.length).toBeLessThan(LARGE / 2);
  expect(isStale({ release: large(3).release, index: fresh.index })).toBe(true);
  expect(isStale({ release: large(3).release, index: { ...fresh.index, pieces: [] } })).toBe(false);
});

it('returns no property that differs from the manifest', async () => {
  const bucket = openMemory();
  const source = large(2);
  const { release } = source;
  const id = idOf(1);
  const { summary, detail } = textsOf({ id, title: 'House 1' });
  const find = (apart: { summary: string; detail: string }, asked = id) =>
    openProperties(bucket, release, { pieces: [], apart: new Map([[asked, apart]]) })(asked);
  expect(await find({ summary, detail })).toEqual({ summary, detail });
  expect(await find({ summary: `${summary} `, detail })).toBeUndefined();
  expect(await find({ summary, detail: `${detail} ` })).toBeUndefined();
  expect(await find({ summary, detail }, idOf(9))).toBeUndefined();
  expect(await openProperties(bucket, release, { pieces: [], apart: new Map() })(id)).toBeUndefined();
});

it('reads the piece that contains an id, once, and keeps the last sixteen pieces', async () => {
  const memory = openMemory();
  const source = large(60);
  const lineOf = async (n: number) => {
    const { summary, detail } = textsOf({ id: idOf(n), title: `House ${n}` });
    return ['property', idOf(n), summary, detail];
  };
  // Three properties in each piece; the least id is that of the first.
  const index = all(20).map((piece) => ({ from: idOf(3 * piece - 2), digest: `piece-${piece}` }));
  for (const [place, { digest }] of index.entries()) {
    const bytes = await compressed(
      [1, 2, 3].map((n) => 3 * place + n),
      lineOf,
    );
    await memory.write(pieceKey(digest), bytes, ARCHIVE_HEADERS);
  }
  const { bucket, requests } = recorded(memory);
  const find = openProperties(bucket, source.release, {
    pieces: index,
    apart: new Map(),
  });
  const reads = () => requests.splice(0).map((request) => Number(/piece-(\d+)/.exec(request)![1]));
  for (const n of all(48)) expect((await find(idOf(n)))?.detail).toContain(`House ${n}"`);
  expect(reads()).toEqual(all(16));
  // The piece of the latest request is kept longest.
  await find(idOf(1));
  await find(idOf(49));
  expect(reads()).toEqual([17]);
  await find(idOf(1));
  expect(reads()).toEqual([]);
  await find(idOf(4));
  expect(reads()).toEqual([2]);
  await Promise.all([find(idOf(58)), find(idOf(59))]);
  expect(reads()).toEqual([20]);
});

it('returns no property from a missing or damaged piece', async () => {
  const bucket = openMemory();
  const first = large(LARGE);
  await writeContent(bucket, first, undefined);
  const { index } = await indexOf(bucket, first);
  const [key = ''] = keysOf(index, first.release);
  const { body } = (await bucket.read(key))!;
  await bucket.remove([key]);
  const found = async () => (await titles(bucket, first)).filter((title) => title !== undefined).length;
  const left = await found();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(LARGE);
  await bucket.write(key, Buffer.from('nonsense'), ARCHIVE_HEADERS);
  expect(await found()).toBe(left);
  const lines = all(LARGE).map((n) => ['property', idOf(n)]);
  await bucket.write(key, await compressed(lines, async (line) => line), ARCHIVE_HEADERS);
  expect(await found()).toBe(left);
  await bucket.write(key, body, ARCHIVE_HEADERS);
  expect(await found()).toBe(LARGE);
});
