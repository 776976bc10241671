/** A manifest is read back as it was written. */

import { describe, expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { partKey } from '../../src/contract/document-keys.ts';
import { chunkKey, citiesKey, facetsKey, rootKey, sequenceKey } from '../../src/contract/object-keys.ts';
import { rootText } from '../../src/packed/format/root.ts';
import { columnsOf } from '../../src/release/columns.ts';
import type { Comparable } from '../../src/release/comparison.ts';
import { digestOf } from '../../src/release/digest.ts';
import { edgeName } from '../../src/release/edge-name.ts';
import { MANIFEST_VERSION, manifestBytes, sequenceLines } from '../../src/release/manifest.ts';
import { encodePiece } from '../../src/release/pieces.ts';
import { readRelease } from '../../src/release/read.ts';

const NAME = '0123456789abcdef0123456789abcdef';
const BUILD = { commit: 'a'.repeat(40), time: '2026-11-20T09:00:00Z' };
const KEY = digestOf('key').repeat(2);

function entries(count: number): Comparable[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    country: 'IE',
    city: index % 2 === 0 ? 'Cork' : '"a\\b"',
    summaryDigest: digestOf(`summary ${index}`),
    detailDigest: digestOf(`detail ${index}`),
  }));
}

const [CHUNK, SHARD, PART, FACETS] = ['chunk', 'shard', 'part', 'facets'].map(digestOf) as [
  string,
  string,
  string,
  string,
];
const ROOT = rootText(
  {
    release: NAME,
    countries: [{ country: 'IE', count: 3 }],
    chunks: [{ digest: CHUNK, count: 3, folded: 'cork', city: 'Cork' }],
    shards: [{ from: 0, digest: SHARD }],
    details: [{ digest: PART, from: '0' }],
    facets: Buffer.from(FACETS, 'hex').toString('base64'),
  },
  digestOf,
);
const PHOTO = `${'f'.repeat(32)}.jpg`;
/** What the root names. */
const ROOTED = {
  [chunkKey(CHUNK)]: CHUNK,
  [facetsKey(FACETS)]: FACETS,
  [citiesKey(SHARD)]: SHARD,
  [partKey(PART)]: PART,
};

async function written(settings: object, sequence: readonly Comparable[], piece?: Buffer, root = ROOT) {
  const configuration = configurationSchema.parse(settings);
  const pieces = piece ? [[sequenceKey(digestOf(piece)), digestOf(piece)] as const] : [];
  const packed = piece ? [...Object.entries(ROOTED), [rootKey(NAME), digestOf(ROOT)] as const] : [];
  const bytes = manifestBytes({
    name: NAME,
    build: BUILD,
    configuration,
    documents: new Map([['index.json', digestOf('index')], ...packed, ...pieces]),
    media: [PHOTO],
    ...(piece
      ? { sequence: undefined, pieces: [sequence.length] }
      : { sequence: [...sequenceLines(sequence)] }),
  });
  const read = async (key: string) => (key === rootKey(NAME) ? Buffer.from(root) : piece);
  const release = await readRelease(Buffer.concat(bytes), { read });
  return { configuration, release: release!, text: Buffer.concat(bytes).toString('utf8') };
}

describe('a manifest', () => {
  // 5000 entries are more than one chunk of text.
  it.each([0, 1, 2, 5000])('holds a sequence of %i entries', async (count) => {
    const { release, text } = await written({}, entries(count));
    expect([...release.sequence]).toEqual(entries(count));
    expect(release).toMatchObject({
      name: NAME,
      manifest: { version: MANIFEST_VERSION, build: BUILD, media: [PHOTO] },
    });
    // One line for each entry, so that releases can be compared by line.
    expect(text.split('\n')).toHaveLength(Math.max(count, 1) + 3);
  });

  it.each(['packed', 'pages'])(
    'names the pieces of a sequence, and the root names the rest (%s)',
    async (layout) => {
      const sequence = entries(3);
      const piece = encodePiece(sequence, columnsOf(sequence), 0, 3);
      const { release, text } = await written({ layout }, sequence, piece);
      const digest = Buffer.from(digestOf(piece), 'hex').toString('base64url');
      expect(text).toContain(`"names":{"_catalogue/sequence/*.bin":"${digest}"}`);
      expect([...release.sequence]).toEqual(sequence);
      expect(release.manifest.sequence).toMatchObject({ total: 3, pieces: [digestOf(piece)] });
      expect(release.manifest.documents).toEqual({
        'index.json': digestOf('index'),
        [rootKey(NAME)]: digestOf(ROOT),
        ...ROOTED,
        [sequenceKey(digestOf(piece))]: digestOf(piece),
      });
    },
  );

  it.each([
    ['is missing', ''],
    ['differs', ROOT.replace('cork', 'cobh')],
  ])('names too little where its root %s', async (_, root) => {
    const sequence = entries(3);
    const piece = encodePiece(sequence, columnsOf(sequence), 0, 3);
    const { release, text } = await written({}, sequence, piece, root);
    expect(release).toBeUndefined();
    const read = async (key: string) => (key === rootKey(NAME) ? Buffer.from(root) : piece);
    const partial = await readRelease(Buffer.from(text), { read, isPartial: true });
    expect([...partial!.sequence]).toEqual(sequence);
    expect(Object.keys(partial!.manifest.documents)).toEqual([
      'index.json',
      rootKey(NAME),
      sequenceKey(digestOf(piece)),
    ]);
  });

  it('holds the settings that serving needs, and no key', async () => {
    const { configuration, release, text } = await written(
      { base_url: 'https://stays.example/a', page_sizes: ['25'], layout: 'packed', api_keys: [KEY] },
      entries(1),
    );
    expect(release.manifest.api).toEqual({
      base: '/a',
      url: 'https://stays.example/a',
      media_url: 'https://stays.example/a',
      page_sizes: [25],
      layout: 'packed',
      cache_control: configuration.cache_control,
      api_keys: true,
      edge: edgeName(configuration),
    });
    expect(text).not.toContain(KEY);
    expect((await written({}, [])).release.manifest.api).toMatchObject({ base: '', api_keys: false });
    const elsewhere = await written({ media_base_url: 'https://photos.example' }, []);
    expect(elsewhere.release.manifest.api.media_url).toBe('https://photos.example');
  });

  it('has a digest of the headers of each group, which changes with them', async () => {
    const headersOf = async (settings: object) =>
      (await written(settings, entries(1))).release.manifest.headers;
    const plain = await headersOf({});
    const files = ['documents.json', 'media.jpg'];
    const tree = ['packed.bin', 'packed.json', 'current'];
    expect(Object.keys(plain)).toEqual([...tree, 'properties', 'pages', 'totals', ...files]);
    expect(Object.keys(await headersOf({ layout: 'packed' }))).toEqual([...tree, ...files]);
    const other = await headersOf({ cache_control: { media: 'no-cache' } });
    expect(Object.keys(other).filter((group) => other[group] !== plain[group])).toEqual([
      ...['packed.bin', 'packed.json', 'media.jpg'],
    ]);
    expect(await headersOf({ api_keys: [KEY] })).not.toEqual(plain);
  });
});

it('the name of an edge configuration depends on what it serves, not on the content', () => {
  const nameOf = (settings: object) => edgeName(configurationSchema.parse(settings));
  expect(nameOf({})).toMatch(/^\d+\.\d+\.\d+.*-[0-9a-f]{8}$/);
  expect(nameOf({ docs: 'false' })).toBe(nameOf({}));
  for (const settings of [{ base_url: 'https://stays.example' }, { layout: 'packed' }, { api_keys: [KEY] }])
    expect(nameOf(settings)).not.toBe(nameOf({}));
  expect(nameOf({ api_keys: [KEY] })).toBe(nameOf({ api_keys: [digestOf('other').repeat(2)] }));
});
