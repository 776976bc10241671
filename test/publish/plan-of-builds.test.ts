/** The plan computed from two manifests equals a comparison of two trees. */
import { expect, it } from 'vitest';
import { MANIFEST_KEY } from '../../src/contract/keys.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { allWrites, planFromManifests } from '../../src/publish/plan.ts';
import { countObjects, objectAt, objectsOf, type Release } from '../../src/release/release.ts';
import { createCatalogue, photo } from './catalogue.ts';

/** Keys that are new or have other bytes, and removed keys. */
function compareTrees(before: Map<string, string>, after: Map<string, string>) {
  const isPlanned = (key: string) => key !== MANIFEST_KEY;
  return {
    written: [...after.keys()].filter((key) => isPlanned(key) && after.get(key) !== before.get(key)).sort(),
    // Removed photos stay for rollbacks.
    removed: [...before.keys()].filter((key) => !after.has(key) && !key.startsWith('media/')).sort(),
  };
}

const keysOf = (objects: Iterable<{ key: string }>) => [...objects].map(({ key }) => key).sort();

function kinds(release: Release): string[] {
  const lists = ['media', 'detail', 'asset', 'page', 'total'] as const;
  const all = [...lists, 'problem', 'country', 'document', 'index'] as const;
  return all.flatMap((kind) => keysOf(objectsOf(release, kind)));
}

const CITIES = ['Galway', 'Cork', 'Paris', 'Sligo'];

it.each([1, 2])(
  'gives the right plan for a series of edits, compared with the output of builds: %i',
  async (seed) => {
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
  },
);
