/** What follows from two manifests by arithmetic is what comparing two trees shows. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MANIFEST_KEY } from '../../src/contract/keys.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { allWrites, isEmpty, planFromManifests } from '../../src/publish/plan.ts';
import { countObjects, objectAt, objectsOf, parseRelease, type Release } from '../../src/release/release.ts';
import { readTree } from '../build/workspace.ts';
import { createCatalogue, photo } from './catalogue.ts';

/** Keys that are new or have other bytes, and keys that have gone. */
function compareTrees(before: Map<string, string>, after: Map<string, string>) {
  const isPlanned = (key: string) => key !== MANIFEST_KEY;
  return {
    written: [...after.keys()].filter((key) => isPlanned(key) && after.get(key) !== before.get(key)).sort(),
    // Photos that have gone stay for those who go back.
    removed: [...before.keys()].filter((key) => !after.has(key) && !key.startsWith('media/')).sort(),
  };
}

const keysOf = (objects: Iterable<{ key: string }>) => [...objects].map(({ key }) => key).sort();

function kinds(release: Release): string[] {
  const all = ['media', 'detail', 'asset', 'page', 'total', 'problem', 'document', 'index'] as const;
  return all.flatMap((kind) => keysOf(objectsOf(release, kind)));
}

describe('a series of edits', () => {
  const CITIES = ['Galway', 'Cork', 'Paris', 'Sligo'];

  it.each([1, 2, 3, 4, 5, 6])('as trees show it, series %i', async (seed) => {
    let state = seed * 7919;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const catalogue = createCatalogue(0, 'page_sizes: [2, 25]\n');
    for (let n = 0; n < 3; n++) catalogue.write(`photo-${n}.jpg`, await photo(60 * n));
    const put = (n: number) =>
      catalogue.add(n, {
        city: CITIES[random(4)],
        country: random(3) === 0 ? 'FR' : 'IE',
        title: `House ${random(30)}`,
        photo: random(2) === 0 ? [{ file: `photo-${random(3)}.jpg` }] : undefined,
      });
    const present = new Set<number>();
    for (let n = 1; n <= 8 + random(8); n++) {
      put(n);
      present.add(n);
    }
    await catalogue.build();
    let before = { tree: catalogue.tree(), release: (await openDist(catalogue.out)).release };
    expect([...kinds(before.release), MANIFEST_KEY].sort()).toEqual([...before.tree.keys()].sort());
    for (let round = 0; round < 4; round++) {
      for (let edit = 0; edit <= random(4); edit++) {
        const n = 1 + random(20);
        if (present.has(n) && present.size > 1 && random(3) === 0) {
          catalogue.remove(`house-${n}.yaml`);
          present.delete(n);
        } else {
          put(n);
          present.add(n);
        }
      }
      if (random(3) === 0) catalogue.configure(`page_sizes: [${[2, 3, 7][random(3)]}, 25]\n`);
      await catalogue.build();
      const after = { tree: catalogue.tree(), release: (await openDist(catalogue.out)).release };
      const plan = planFromManifests(before.release, after.release);
      const writes = keysOf(allWrites(plan));
      expect({ written: writes, removed: [...plan.removals()].sort() }).toEqual(
        compareTrees(before.tree, after.tree),
      );
      expect(new Set(writes).size).toBe(writes.length);
      for (const key of writes) expect(plan.isPresent(key)).toBe(before.tree.has(key));
      expect(countObjects(after.release)).toBe(after.tree.size - 1);
      for (const key of after.tree.keys())
        expect(objectAt(after.release, key)?.key ?? MANIFEST_KEY).toBe(key);
      for (const key of before.tree.keys()) {
        if (!after.tree.has(key)) expect(objectAt(after.release, key), key).toBeUndefined();
      }
      before = after;
    }
  });
});

it('writes all objects of a group again when only its headers changed', async () => {
  const catalogue = createCatalogue(3);
  await catalogue.build();
  const before = (await openDist(catalogue.out)).release;
  expect(isEmpty(planFromManifests(before, before))).toBe(true);
  catalogue.configure('page_sizes: [25]\ncache_control:\n  problem: no-cache\n');
  await catalogue.build();
  const after = (await openDist(catalogue.out)).release;
  const plan = planFromManifests(before, after);
  const problems = keysOf(objectsOf(after, 'problem'));
  expect(problems.length).toBeGreaterThan(10);
  expect(keysOf(plan.writes('problem'))).toEqual(problems);
  for (const kind of ['media', 'detail', 'page', 'total'] as const)
    expect([...plan.writes(kind)]).toEqual([]);
});

it('knows a damaged manifest, and one that reaches for what is not its own', async () => {
  const catalogue = createCatalogue(2);
  await catalogue.build();
  const text = catalogue.read(MANIFEST_KEY);
  expect(parseRelease(Buffer.from(text))).toBeDefined();
  const change = (edit: (manifest: Record<string, unknown>) => void) => {
    const manifest = JSON.parse(text) as Record<string, unknown>;
    edit(manifest);
    return parseRelease(Buffer.from(JSON.stringify(manifest)));
  };
  expect(change(() => {})).toBeDefined();
  const digest = '0'.repeat(32);
  const damaged: ((manifest: Record<string, unknown>) => void)[] = [
    (manifest) => Object.assign(manifest, { version: 2 }),
    (manifest) => Object.assign(manifest, { documents: { '../secret': digest } }),
    (manifest) => Object.assign(manifest, { documents: { '/secret': digest } }),
    (manifest) => Object.assign(manifest, { documents: { '_catalogue/releases/x': digest } }),
    (manifest) => Object.assign(manifest, { documents: { '_catalogue/lock.json': digest } }),
    (manifest) => Object.assign(manifest, { parts: { 'properties.ndjson': [-1] } }),
    (manifest) => Object.assign(manifest, { parts: { 'properties.ndjson': 1 } }),
    (manifest) => Object.assign(manifest, { media: ['../x.jpg'] }),
    (manifest) => Object.assign(manifest, { sequence: [['../x', 'IE', 'Cork', digest, digest]] }),
    (manifest) => {
      delete manifest.sequence;
    },
  ];
  for (const edit of damaged) expect(change(edit), edit.toString()).toBeUndefined();
  for (const end of [0, 1, text.length / 2, text.length - 4]) {
    expect(parseRelease(Buffer.from(text.slice(0, end)))).toBeUndefined();
  }
});

it('refuses a folder that no build left', async () => {
  const catalogue = createCatalogue(2);
  await expect(openDist(catalogue.out)).rejects.toMatchObject({ code: 'nothing-built' });
  await catalogue.build();
  const path = join(catalogue.public, MANIFEST_KEY);
  writeFileSync(path, readFileSync(path, 'utf8').replace('Galway', 'Galwax'));
  await expect(openDist(catalogue.out)).rejects.toMatchObject({ code: 'dist-incomplete' });
  expect(readTree(catalogue.public).size).toBeGreaterThan(0);
});
