/** The plan for a bucket whose objects are listed and compared one by one. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { propertyKey, rootKey } from '../../src/contract/object-keys.ts';
import { isSharedKey } from '../../src/contract/object-kinds.ts';
import { planFromListing } from '../../src/publish/listing-plan.ts';
import { allWrites } from '../../src/publish/plan.ts';
import type { BucketSurvey } from '../../src/publish/survey.ts';
import { storedHeadersOf } from '../../src/release/release.ts';
import { type Bucket, type ObjectHeaders, withContentEncoding } from '../../src/storage/bucket.ts';
import { openMemory } from '../storage/memory.ts';
import {
  allObjects,
  CACHING,
  contentOf,
  idOf,
  type MadeSource,
  type Making,
  makeSource,
  photoKey,
} from './made.ts';

const APP = 'explorer/app-00000001.js';
const PAGE = '_catalogue/pages/-/-/2-1.json';
const TEXT = { contentType: 'text/plain', cacheControl: 'no-store' };

const make = (more: Partial<Making> = {}) =>
  makeSource({
    ...{ documents: { 'openapi.json': 'o', [APP]: 'app' } },
    properties: [1, 2].map((n) => ({ id: idOf(n), title: `House ${n}`, photo: 'a' })),
    ...more,
  });

/** A bucket with all objects of a release. */
async function filled(source: MadeSource): Promise<Bucket> {
  const bucket = openMemory();
  for (const [key, text] of await contentOf(source)) {
    const body = Buffer.from(text, 'latin1');
    await bucket.write(key, body, withContentEncoding(storedHeadersOf(source.release, key), body));
  }
  return bucket;
}

/** All parts of a plan. */
async function planOf(
  bucket: Bucket,
  source: MadeSource,
  {
    known = [source],
    live = source,
    replaced = [],
  }: { known?: MadeSource[]; live?: MadeSource | undefined | null; replaced?: MadeSource[] } = {},
) {
  const survey = {
    known: known.map(({ release }) => release),
    live: live?.release,
    last: live?.release,
    replaced: replaced.map(({ release }) => ({ release, isDue: false, isDoubtful: false })),
  } as unknown as BucketSurvey;
  const plan = await planFromListing(bucket, source, survey, 4);
  expect(plan.after).toBe(source.release);
  const writes = [...allWrites(plan)].map(({ key }) => key);
  return {
    writes,
    present: writes.filter(plan.isPresent),
    removals: [...plan.removals()],
    gone: plan.goneProperties,
    strangers: plan.strangers,
  };
}

const NOTHING = { writes: [], present: [], removals: [], gone: 0, strangers: 0 };
const keysOf = (source: MadeSource) => allObjects(source.release).map(({ key }) => key);

it('needs no write for a complete bucket, and writes everything to an empty one', async () => {
  const source = make();
  expect(await planOf(await filled(source), source)).toEqual(NOTHING);
  expect(await planOf(openMemory(), source)).toEqual({ ...NOTHING, writes: keysOf(source) });
});

it('writes missing objects and those with other bytes', async () => {
  const source = make();
  const bucket = await filled(source);
  await bucket.remove([PAGE]);
  for (const key of [propertyKey(idOf(1)), 'openapi.json', photoKey('a')])
    await bucket.write(key, Buffer.from('other'), storedHeadersOf(source.release, key));
  const differing = [photoKey('a'), propertyKey(idOf(1)), 'openapi.json'];
  expect(await planOf(bucket, source)).toEqual({
    ...NOTHING,
    ...{ writes: [differing[0], differing[1], PAGE, differing[2]], present: differing },
  });
});

it('removes objects of other releases, lists first, but keeps what releases share, what readers need, and foreign objects', async () => {
  const old = make({
    api: { page_sizes: [1] },
    documents: { 'openapi.yaml': 'x', 'explorer/old-00000000.js': 'x' },
    properties: [1, 3, 4].map((n) => ({ id: idOf(n), title: `House ${n}`, photo: 'b' })),
  });
  const source = make();
  const bucket = await filled(old);
  for (const key of [
    ...['_catalogue/log/00000001.json', 'changes/index.json'],
    ...['robots.txt', '_catalogue/pages/-/-/9-9.json'],
  ])
    await bucket.write(key, Buffer.from('x'), TEXT);
  const found = await planOf(bucket, source, { known: [source, old], live: old });
  const pages = [...keysOf(old), '_catalogue/pages/-/-/9-9.json'].filter((key) => /pages.*json$/.test(key));
  expect(found.removals).toEqual(
    [...pages, 'openapi.yaml', ...[3, 4].map((n) => propertyKey(idOf(n)))].sort(byKind),
  );
  expect([found.gone, found.strangers]).toEqual([2, 1]);
  expect(found.writes).toContain(PAGE);
  // Without a known release, lists and details are recognised by their keys; the guards count the details only if none is known.
  const only4 = make({ properties: [{ id: idOf(4), title: 'House 4' }] });
  const unknown = await planOf(bucket, source, { replaced: [only4] });
  expect(unknown.removals).toEqual([...pages, propertyKey(idOf(3))].sort(byKind));
  expect([unknown.gone, unknown.strangers]).toEqual([0, ['robots.txt', 'openapi.yaml'].length]);
  expect((await planOf(bucket, source, { live: null })).gone).toBe(2);
});

/** Lists first, each in the order of a listing. */
const byKind = (one: string, other: string) =>
  Number(one.includes('/properties/')) - Number(other.includes('/properties/')) || (one < other ? -1 : 1);

it('inspects headers only where those of a known release may differ', async () => {
  const old = make({ api: { cache_control: { ...CACHING, media: 'no-cache' } } });
  const source = make();
  const inspected: string[] = [];
  const watch = (bucket: Bucket): Bucket => ({
    ...bucket,
    inspect(key) {
      inspected.push(key);
      return bucket.inspect(key);
    },
  });
  const [root, media] = [rootKey(source.release.name), keysOf(source).filter(isSharedKey)];
  const kept = media.filter((key) => key !== root);
  expect(media).toEqual(expect.arrayContaining([photoKey('a'), APP]));
  const before = await filled(old);
  expect(await planOf(watch(before), source, { known: [old] })).toEqual({
    ...NOTHING,
    // The settings are in the root, whose name is in the other.
    writes: media,
    present: kept,
  });
  expect(inspected.sort()).toEqual([...kept].sort());
  // The headers may have been updated already.
  expect(await planOf(await filled(source), source, { known: [source, old] })).toEqual(NOTHING);
  inspected.length = 0;
  expect((await planOf(watch(before), source, { known: [source] })).present).toEqual([]);
  expect(inspected).toEqual([]);
  // Without a live release nothing is known.
  expect((await planOf(watch(before), source, { known: [], live: null })).writes).toEqual(media);
  expect(inspected.sort()).toEqual(
    keysOf(source)
      .filter((key) => key !== root)
      .sort(),
  );
});

it('a release that says nothing about headers requires none', async () => {
  const source = make();
  const other = make({ api: { cache_control: { ...CACHING, media: 'no-cache' } } });
  const bare = { ...source, release: { ...source.release, headers: {} } };
  const { writes } = await planOf(await filled(other), source, { known: [bare] });
  expect(writes).toEqual([rootKey(source.release.name)]);
});

it('compares every header that is stored with an object', async () => {
  const source = make();
  const key = 'openapi.json';
  const compare = async (change: (headers: ObjectHeaders) => Partial<ObjectHeaders> | undefined) => {
    const bucket = await filled(source);
    const changed: Bucket = {
      ...bucket,
      async inspect(asked) {
        const found = (await bucket.inspect(asked))!;
        return asked === key ? { ...found, headers: change(found.headers as ObjectHeaders) } : found;
      },
    };
    return (await planOf(changed, source, { live: null })).writes;
  };
  expect(await compare((headers) => headers)).toEqual([]);
  // A store that keeps no headers cannot have different ones.
  expect(await compare(() => undefined)).toEqual([]);
  for (const other of [{ contentType: 'x' }, { cacheControl: 'x' }, { contentEncoding: 'gzip' }])
    expect(await compare((headers) => ({ ...headers, ...other })), JSON.stringify(other)).toEqual([key]);
  const bucket = await filled(source);
  const gone: Bucket = {
    ...bucket,
    inspect: async (asked) => (asked === key ? undefined : bucket.inspect(asked)),
  };
  expect((await planOf(gone, source, { live: null })).writes).toEqual([key]);
});

it('gives compressed bytes their encoding', async () => {
  const plain = make();
  const { documents } = plain.release;
  const body = gzipSync('{}');
  const source: MadeSource = {
    ...plain,
    body: async (object) => (object.key in documents ? body : plain.body(object)),
  };
  expect(await planOf(await filled(source), source, { live: null })).toEqual(NOTHING);
});

it('discards unfinished uploads of large objects that are ours', async () => {
  const source = make();
  const old = make({ documents: { 'openapi.yaml': 'x' } });
  const judged: [string, boolean][] = [];
  const bucket: Bucket = {
    ...(await filled(source)),
    async discardParts(isOurs) {
      for (const key of ['openapi.json', 'openapi.yaml', '_catalogue/log/x', 'theirs.json'])
        judged.push([key, isOurs(key, new Date())]);
    },
  };
  await planOf(bucket, source, { known: [old] });
  expect(judged).toEqual([
    ['openapi.json', true],
    ['openapi.yaml', true],
    ['_catalogue/log/x', true],
    ['theirs.json', false],
  ]);
});
