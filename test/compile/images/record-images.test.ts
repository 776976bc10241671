/** `catalogue media` on one machine, and its report of photos that cannot be encoded. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeImages } from '../../../src/compile/images/make-images.ts';
import type { PhotoShardSetting } from '../../../src/media/shard.ts';
import { detailed } from '../../media/picture.ts';
import { createWorkspace, readTree } from '../workspace.ts';

const shard = (index: number, count: number): PhotoShardSetting => ({ index, count, source: 'test' });

async function filled(photos: number) {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\n');
  for (let n = 1; n <= photos; n++) {
    workspace.write(`${n}.jpg`, await detailed(120, 90, n).jpeg().toBuffer());
    workspace.add(n, { photo: [{ file: `${n}.jpg` }] });
  }
  const { content, out } = workspace;
  return { ...workspace, options: { content, out, jobs: 1 } };
}

it('fills the cache of the output folder, so that a build encodes no image', async () => {
  const workspace = await filled(3);
  const first = await makeImages(workspace.options);
  expect(first).toMatchObject({ diagnostics: [], shard: undefined, cache: undefined });
  expect(first.counts).toEqual({ photos: 3, images: 6, made: 6, present: 0, copied: 0, repaired: 0 });
  expect((await makeImages(workspace.options)).counts).toMatchObject({ made: 0, present: 6 });
  expect((await workspace.build()).work).toMatchObject({ made: 0, reused: 6 });
});

it('reports each problem in exactly one share, and makes the remaining images', async () => {
  const workspace = await filled(4);
  workspace.write('5.jpg', 'no photo');
  workspace.add(5, { photo: [{ file: '5.jpg' }, { file: '1.jpg' }] });
  workspace.add(6, { photo: [{ file: 'nowhere.jpg' }] });
  workspace.add(7, { country: 'Ireland', email: undefined });
  const codes = ['photo-missing', 'photo-unsupported', 'unknown-country'];
  const whole = await makeImages({ ...workspace.options, out: join(workspace.root, 'whole') });
  expect(whole.diagnostics.map(({ code }) => code).sort()).toEqual(codes);
  expect(whole.counts).toMatchObject({ photos: 5, images: 8, made: 8 });

  const cache = join(workspace.root, 'cache');
  const results = [];
  for (let index = 0; index < 3; index++) {
    results.push(await makeImages({ ...workspace.options, cache, shard: shard(index, 3) }));
  }
  expect(results.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)).sort()).toEqual(codes);
  expect(results.reduce((sum, { counts }) => sum + counts.made, 0)).toBe(8);

  // A build finds the same problems, and leaves out their files; the other images are in the cache.
  const built = await workspace.build({ cache, keepGoing: true });
  expect(built.work).toMatchObject({ made: 0, reused: 8 });
  expect(built.leftOut).toEqual(['house-5.yaml', 'house-6.yaml', 'house-7.yaml']);
});

it('uses the cache of the configuration', async () => {
  const workspace = await filled(2);
  const cache = join(workspace.root, 'cache');
  workspace.configure(`page_sizes: [25]\ncache:\n  location: ${cache}\n`);
  expect(await makeImages(workspace.options)).toMatchObject({ cache, counts: { made: 4 } });
  expect((await workspace.build()).work).toMatchObject({ made: 0, reused: 4 });
  const before = readTree(join(workspace.out, 'public'));
  rmSync(workspace.out, { recursive: true });
  expect((await workspace.build()).work).toMatchObject({ made: 0, reused: 4 });
  expect(readTree(join(workspace.out, 'public'))).toEqual(before);
});

it('reports a wrong configuration', async () => {
  const workspace = await filled(1);
  workspace.configure('cache:\n  location: somewhere\n');
  const { diagnostics, counts } = await makeImages(workspace.options);
  expect(diagnostics).toMatchObject([{ file: 'catalogue.yaml', severity: 'error' }]);
  expect(counts.images).toBe(0);
});
