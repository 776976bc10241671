/** Builds catalogues of several sizes from nothing, in turn: how the cost grows with the catalogue. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, buildCommand, type CatalogueCase, clear, makeContent } from './catalogue-builds.ts';
import { run } from './child.ts';
import type { GrowthRound } from './goals.ts';

/** How the cost of catalogues with the same page sizes grows. */
export type MeasuredGrowth = {
  readonly sizes: CatalogueCase['sizes'];
  /** Numbers of properties, rising. */
  readonly properties: readonly number[];
  readonly rounds: readonly GrowthRound[];
};

/**
 * Measures it: in each round every catalogue once, and one of a single property, so that all of a round meet the machine
 * in the same minute. Leaves nothing behind.
 */
export async function measureGrowth(
  bench: Bench,
  { sizes, properties }: Pick<MeasuredGrowth, 'sizes' | 'properties'>,
  rounds: number,
): Promise<MeasuredGrowth> {
  const single = benchIn(bench, 'single');
  makeContent(single, { properties: 1, sizes: [25] });
  const others = properties.map((count) => {
    const own = benchIn(bench, `growth-${count}`);
    makeContent(own, { properties: count, sizes });
    return own;
  });
  const measured: GrowthRound[] = [];
  for (let round = 0; round < rounds; round++) {
    bench.say(`growth, page sizes ${sizes}, ${round + 1} of ${rounds}`);
    const startSeconds = await build(single);
    const seconds: number[] = [];
    for (const other of others) seconds.push(await build(other));
    const grown = seconds.map((taken, index) => ({ properties: properties[index]!, seconds: taken }));
    measured.push({ startSeconds, sizes: grown });
  }
  await clear(bench, 'single', ...properties.map((count) => `growth-${count}`));
  return { sizes, properties, rounds: measured };
}

function benchIn(bench: Bench, name: string): Bench {
  const folder = join(bench.folder, name);
  mkdirSync(folder);
  return { ...bench, folder };
}

async function build(bench: Bench): Promise<number> {
  const { seconds } = await run(buildCommand(bench));
  await clear(bench, 'out');
  return seconds;
}
