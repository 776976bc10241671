/** A manifest is read back as it was written. */

import { describe, expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { partKey } from '../../src/contract/document-keys.ts';
import { chunkKey, citiesKey, facetsKey, rootKey } from '../../src/contract/object-keys.ts';
import { rootText } from '../../src/packed/format/root.ts';
import { digestOf } from '../../src/release/digest.ts';
import { edgeConfigurationName } from '../../src/release/edge-configuration-name.ts';
import { MANIFEST_VERSION, manifestBytes } from '../../src/release/manifest.ts';
import { readRelease } from '../../src/release/read.ts';

const BUILD = { commit: 'a'.repeat(40), time: '2026-11-20T09:00:00Z' };
const KEY = digestOf('key').repeat(2);

const TABLE = '[\n["Cork","cork","IE",3]\n]\n';
const SHARD = digestOf(TABLE);
const [CHUNK, PART, FACETS] = ['chunk', 'part', 'facets'].map(digestOf) as [string, string, string];
const ROOT = rootText({
  rest: digestOf('rest'),
  countries: [{ country: 'IE', count: 3 }],
  chunks: [{ digest: CHUNK, count: 3, folded: 'cork', city: 'Cork' }],
  shards: [{ from: 0, digest: SHARD }],
  details: [{ digest: PART, from: '0' }],
  facets: Buffer.from(FACETS, 'hex').toString('base64'),
});
const NAME = digestOf(ROOT);
const PHOTO = `${'f'.repeat(32)}.jpg`;
/** What the root names. */
const ROOTED = {
  [chunkKey(CHUNK)]: CHUNK,
  [facetsKey(FACETS)]: FACETS,
  [citiesKey(SHARD)]: SHARD,
  [partKey(PART)]: PART,
};

async function written(settings: object, root = ROOT) {
  const configuration = configurationSchema.parse(settings);
  const bytes = manifestBytes({
    name: NAME,
    build: BUILD,
    configuration,
    documents: new Map([['index.json', digestOf('index')], ...Object.entries(ROOTED), [rootKey(NAME), NAME]]),
    media: [PHOTO],
  });
  const read = async (key: string) => (key === rootKey(NAME) ? Buffer.from(root) : Buffer.from(TABLE));
  const open = async (isPartial = false) => (await readRelease(bytes, { read, isPartial }))!;
  return { configuration, open, release: await open(), text: bytes.toString('utf8') };
}

describe('a manifest', () => {
  it.each(['packed', 'pages'])('names what the root does not (%s)', async (layout) => {
    const { release, text } = await written({ layout });
    for (const digest of [CHUNK, FACETS, SHARD, PART, `roots/${NAME}`]) expect(text).not.toContain(digest);
    expect(release).toMatchObject({
      name: NAME,
      manifest: { version: MANIFEST_VERSION, build: BUILD, media: [PHOTO] },
    });
    expect(release.manifest.documents).toEqual({
      'index.json': digestOf('index'),
      [rootKey(NAME)]: NAME,
      ...ROOTED,
    });
  });

  it.each([
    ['is missing', ''],
    ['differs', ROOT.replace('cork', 'cobh')],
  ])('names too little where its root %s', async (_, root) => {
    const { release, open } = await written({}, root);
    expect(release).toBeUndefined();
    expect(Object.keys((await open(true)).manifest.documents)).toEqual(['index.json', rootKey(NAME)]);
  });

  it('holds the settings that serving needs, and no key', async () => {
    const { configuration, release, text } = await written({
      base_url: 'https://stays.example/a',
      page_sizes: ['25'],
      layout: 'packed',
      api_keys: [KEY],
    });
    expect(release.manifest.api).toEqual({
      base: '/a',
      url: 'https://stays.example/a',
      media_url: 'https://stays.example/a',
      page_sizes: [25],
      layout: 'packed',
      cache_control: configuration.cache_control,
      api_keys: true,
      edge: edgeConfigurationName(configuration),
    });
    expect(text).not.toContain(KEY);
    expect((await written({})).release.manifest.api).toMatchObject({ base: '', api_keys: false });
    const elsewhere = await written({ media_base_url: 'https://photos.example' });
    expect(elsewhere.release.manifest.api.media_url).toBe('https://photos.example');
  });

  it('has a digest of the headers of each group, which changes with them', async () => {
    const headersOf = async (settings: object) => (await written(settings)).release.manifest.headers;
    const plain = await headersOf({});
    const files = ['documents.json', '_catalogue/parts.ndjson', 'media.jpg'];
    const tree = ['packed.json', 'current'];
    const lists = ['properties', 'pages', 'totals'];
    expect(Object.keys(plain).sort()).toEqual([...tree, ...lists, ...files].sort());
    expect(Object.keys(await headersOf({ layout: 'packed' })).sort()).toEqual([...tree, ...files].sort());
    const other = await headersOf({ cache_control: { media: 'no-cache' } });
    expect(Object.keys(other).filter((group) => other[group] !== plain[group])).toEqual([
      ...['packed.json', '_catalogue/parts.ndjson', 'media.jpg'],
    ]);
    expect(await headersOf({ api_keys: [KEY] })).not.toEqual(plain);
  });
});

it('the name of an edge configuration depends on what it serves, not on the content', () => {
  const nameOf = (settings: object) => edgeConfigurationName(configurationSchema.parse(settings));
  expect(nameOf({})).toMatch(/^\d+\.\d+\.\d+.*-[0-9a-f]{8}$/);
  expect(nameOf({ docs: 'false' })).toBe(nameOf({}));
  for (const settings of [{ base_url: 'https://stays.example' }, { layout: 'packed' }, { api_keys: [KEY] }])
    expect(nameOf(settings)).not.toBe(nameOf({}));
  expect(nameOf({ api_keys: [KEY] })).toBe(nameOf({ api_keys: [digestOf('other').repeat(2)] }));
});
