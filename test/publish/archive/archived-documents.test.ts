/** The archives of releases in a bucket: an index, and large documents. */
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import {
  readArchiveIndex,
  separateObjectKeys,
  writeArchivedDocuments,
} from '../../../src/publish/archive/archived-documents.ts';
import { gzipLines } from '../../../src/publish/archive/compressed-lines.ts';
import type { ReleaseSource } from '../../../src/publish/source.ts';
import type { Bucket } from '../../../src/storage/bucket.ts';
import {
  ARCHIVE_HEADERS,
  archivedDocumentKey,
  releaseObjectsKey,
} from '../../../src/storage/reserved-keys.ts';
import { openMemory } from '../../storage/memory.ts';
import { idOf, type MadeSource, makeSource } from '../made.ts';
import { recorded } from '../recorded.ts';

const NONE: ReadonlySet<string> = new Set();

function source(documents: Readonly<Record<string, Buffer | string>> = {}): MadeSource {
  return makeSource({ documents, properties: [{ id: idOf(1), title: 'House' }] });
}

/** The documents of a source's index that its tree has not. */
async function indexOf(bucket: Bucket, { release }: ReleaseSource) {
  return (await readArchiveIndex(bucket, release.name))!;
}

it('stores the documents of a small release in one object, but nothing that its tree has', async () => {
  const bucket = openMemory();
  const made = source({ 'openapi.json': 'o', 'explorer/app-00000000.js': 'kept' });
  await writeArchivedDocuments(bucket, made, NONE);
  const key = releaseObjectsKey(made.release.name);
  expect((await bucket.inspect(key))!.headers).toEqual(ARCHIVE_HEADERS);
  const lines = gunzipSync((await bucket.read(key))!.body)
    .toString()
    .trim()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    ['manifest', made.release.bytes.toString()],
    ['text', 'openapi.json', 'o'],
    ['text', '_catalogue/current.json', made.bodies.get('_catalogue/current.json')!.toString()],
  ]);
  const index = await indexOf(bucket, made);
  expect(index.get('openapi.json')).toEqual(Buffer.from('o'));
  expect(separateObjectKeys(index, made.release)).toEqual([]);
  expect(await readArchiveIndex(bucket, 'f'.repeat(32))).toBeUndefined();
});

it('reads missing fields of a line as empty', async () => {
  const bucket = openMemory();
  const { release } = source();
  const lines = [['other'], ['text'], ['document', 'a']];
  await bucket.write(releaseObjectsKey(release.name), await gzipLines(lines), ARCHIVE_HEADERS);
  const index = (await readArchiveIndex(bucket, release.name))!;
  expect(index).toEqual(
    new Map([
      ['', Buffer.from('')],
      ['a', undefined],
    ]),
  );
  expect(separateObjectKeys(index, release)).toEqual([archivedDocumentKey('')]);
});

it('stores a large document as an object of its own, once', async () => {
  const { bucket, requests } = recorded(openMemory());
  const sources = [8000, 8001].map((size) => source({ 'properties.csv': 'x'.repeat(size) }));
  for (const one of sources) await writeArchivedDocuments(bucket, one, NONE);
  const [within, apart] = await Promise.all(sources.map((one) => indexOf(bucket, one)));
  expect(within!.get('properties.csv')).toHaveLength(8000);
  expect([apart!.has('properties.csv'), apart!.get('properties.csv')]).toEqual([true, undefined]);
  const key = archivedDocumentKey(sources[1]!.release.manifest.documents['properties.csv']!);
  expect(separateObjectKeys(apart!, sources[1]!.release)).toEqual([key]);
  expect(requests.filter((request) => request === `write ${key}`)).toHaveLength(1);
  await writeArchivedDocuments(bucket, sources[1]!, NONE);
  expect(requests.filter((request) => request === `write ${key}`)).toHaveLength(1);
  // The next release has it, too: it is neither read nor looked for.
  const from = requests.length;
  const unread: ReleaseSource = {
    ...sources[1]!,
    body: async (object) => {
      if (object.kind === 'document') throw new Error('read');
      return sources[1]!.body(object);
    },
  };
  await writeArchivedDocuments(bucket, unread, new Set([key]));
  expect(requests.slice(from).filter((request) => request.endsWith(key))).toEqual([]);
  // A document that is not in memory is an object of its own, however small it is.
  const parts: ReleaseSource = {
    ...sources[0]!,
    body: (object) =>
      object.kind === 'document'
        ? { size: 3, read: async () => Buffer.from('abc') }
        : sources[0]!.body(object),
  };
  await writeArchivedDocuments(bucket, parts, NONE);
  const index = await indexOf(bucket, parts);
  expect([index.has('properties.csv'), index.get('properties.csv')]).toEqual([true, undefined]);
});

it('stores a document that differs in every release in the index, however large, and bytes that are no text', async () => {
  const bucket = openMemory();
  const bytes = Buffer.from([0xff, 0x00, 0x80]);
  const made = source({ 'index.json': 'é'.repeat(20_000), 'properties.csv': bytes });
  await writeArchivedDocuments(bucket, made, NONE);
  const index = await indexOf(bucket, made);
  expect(index.get('index.json')).toEqual(Buffer.from('é'.repeat(20_000)));
  expect(index.get('properties.csv')).toEqual(bytes);
  expect(separateObjectKeys(index, made.release)).toEqual([]);
});
