/** From measurements to the Markdown that stands in docs/performance.md. */
import { CHANGES, type Measured } from './catalogue-builds.ts';
import { MEMORY_SOURCE } from './child.ts';
import { type Goal, goalTable, growthOf, type Judged } from './goals.ts';
import type { MeasuredGrowth } from './growth.ts';
import { median, medianRatio, pairsOf } from './statistics.ts';
import { count, markdownTable, megabytes, milliseconds, seconds, times } from './table.ts';
import type { Yardstick } from './yardstick.ts';

/** All that one run measured. */
export type Results = {
  /** Lines about the machine. */
  readonly machine: readonly string[];
  readonly yardstick: Yardstick;
  readonly growth: readonly MeasuredGrowth[];
  /** Seconds of CPU of `catalogue --help`. */
  readonly helpCpu: number;
  /** Files written although they had the right bytes. */
  readonly needless: number;
  readonly catalogues: readonly Measured[];
};

/** The whole report. */
export function report(results: Results): string {
  const { machine, catalogues } = results;
  return [
    machine.join('\n'),
    'Goals:',
    markdownTable(goalTable(judge(results)), { numbers: false }),
    'Built from nothing. Times are medians; ratios are medians of the ratios of neighbouring runs.',
    coldTable(catalogues),
    `Peak memory: ${MEMORY_SOURCE}. The minimal writer has the files in memory, and as many threads as cores.`,
    'Built again, in a process of its own each time; in brackets the files that were written.',
    changeTable(catalogues),
    'Built from nothing, all sizes in turn: seconds, and how much more a further property takes than an earlier one.',
    growthTable(results.growth),
    otherTable(results),
  ].join('\n\n');
}

const sizesOf = (sizes: MeasuredGrowth['sizes']): string =>
  sizes === 'all' ? 'all page sizes' : `page sizes ${sizes.join(' and ')}`;

const nameOf = ({ measured: { properties, sizes } }: Measured): string =>
  `${count(properties)}, ${sizesOf(sizes)}`;

function coldTable(catalogues: readonly Measured[]): string {
  return markdownTable({
    head: [
      'Properties',
      'Files',
      'Pages',
      'Build',
      'a property',
      'CPU time',
      'a property',
      'Peak memory',
      '`cp -a`',
      '`tar x`',
      'Minimal writer',
      'Build / `cp -a`',
      'Build / `tar x`',
      'Build / minimal',
    ],
    rows: catalogues.map((one) => [
      nameOf(one),
      count(one.files),
      megabytes(one.pageBytes),
      seconds(median(one.cold)),
      milliseconds(median(one.cold) / one.measured.properties),
      seconds(median(one.coldCpu)),
      milliseconds(median(one.coldCpu) / one.measured.properties),
      megabytes(one.peakBytes),
      seconds(median(one.copy)),
      seconds(median(one.untar)),
      seconds(median(one.floor)),
      times(medianRatio(pairsOf(one.cold, one.copy))),
      times(medianRatio(pairsOf(one.cold, one.untar))),
      times(medianRatio(pairsOf(one.cold, one.floor))),
    ]),
  });
}

function changeTable(catalogues: readonly Measured[]): string {
  return markdownTable({
    head: [
      'Properties',
      'Nothing changed',
      'One title',
      'One added',
      'One removed',
      '1 % of titles',
      '`check`',
    ],
    rows: catalogues.map((one) => [
      nameOf(one),
      ...CHANGES.map((kind) => {
        const { seconds: taken, written } = one.changes[kind];
        return kind === 'unchanged'
          ? seconds(median(taken))
          : `${seconds(median(taken))} (${count(written)})`;
      }),
      seconds(median(one.check)),
    ]),
  });
}

/** A row for each number of page sizes, a column for each number of properties. */
function growthTable(growth: readonly MeasuredGrowth[]): string {
  const columns = [...new Set(growth.flatMap(({ properties }) => properties))].sort((a, b) => a - b);
  return markdownTable({
    head: [
      '',
      '1 property, page size 25',
      ...columns.map((properties) => count(properties)),
      'Further by earlier',
    ],
    rows: growth.map(({ sizes, rounds }) => [
      sizesOf(sizes),
      seconds(median(rounds.map(({ startSeconds }) => startSeconds))),
      ...columns.map((properties) => {
        const taken = rounds.flatMap((round) => round.sizes.filter((one) => one.properties === properties));
        return taken.length === 0 ? '-' : seconds(median(taken.map((one) => one.seconds)));
      }),
      times(median(rounds.map(growthOf))),
    ]),
  });
}

function otherTable({ yardstick, helpCpu, needless }: Results): string {
  return markdownTable({
    head: ['Besides', ''],
    rows: [
      ['A process of Node that does nothing', seconds(yardstick.emptyProcess)],
      ['SHA-256 of 100 MB', seconds(yardstick.digest)],
      ['CPU time of `catalogue --help` (limit: 80 ms)', `${(1000 * helpCpu).toFixed(0)} ms`],
      ['Files that changes made a build write although they had the right bytes', count(needless)],
    ],
  });
}

type GoalRow = readonly [
  number: Goal['number'],
  text: string,
  limit: Goal['limit'],
  format: Goal['format'],
  value: number | undefined,
];

/** What each goal asks for and what was measured. Hugo and Velite are measured by `npm run bench:peers`, photos by `npm run bench:photos`. */
export function judge({ growth, needless, catalogues }: Results): Judged[] {
  const all = catalogues.filter(({ measured }) => measured.sizes === 'all');
  const some = catalogues.filter(({ measured }) => measured.sizes !== 'all');
  const ten = all.find(({ measured }) => measured.properties === 10_000);
  const hundred = some.find(({ measured }) => measured.properties === 100_000);
  const spreadOf = (isAll: boolean) => {
    const group = growth.find(({ sizes }) => (sizes === 'all') === isAll);
    return group && group.properties.length > 1 ? median(group.rounds.map(growthOf)) : undefined;
  };
  const optional = (one: Measured | undefined, value: (one: Measured) => number) => one && value(one);
  const rows: readonly GoalRow[] = [
    [
      1,
      '10,000 properties from nothing, against `cp -a` of the output',
      { most: 0.6 },
      times,
      optional(ten, ({ cold, copy }) => medianRatio(pairsOf(cold, copy))),
    ],
    [
      1,
      'The same, against a minimal writer of the same files',
      { most: 1.3 },
      times,
      optional(ten, ({ cold, floor }) => medianRatio(pairsOf(cold, floor))),
    ],
    [1, 'Peak memory at 10,000 properties', { most: 300e6 }, megabytes, ten?.peakBytes],
    [1, 'Peak memory at 100,000 properties', { most: 1e9 }, megabytes, hundred?.peakBytes],
    [2, '`check`, 10,000 properties', { most: 1 }, seconds, optional(ten, ({ check }) => median(check))],
    [3, 'Nothing changed, 10,000 properties', { most: 0.3 }, seconds, optional(ten, unchanged)],
    [3, 'Nothing changed, 100,000 properties', { most: 1.2 }, seconds, optional(hundred, unchanged)],
    [
      4,
      'One title changed, 10,000 properties',
      { most: 0.4 },
      seconds,
      optional(ten, ({ changes }) => median(changes['one field'].seconds)),
    ],
    [4, 'Files written although their bytes are the same', { most: 0 }, count, needless],
    [
      5,
      'Seconds of a further property by those of an earlier one, all page sizes',
      { most: 1 },
      times,
      spreadOf(true),
    ],
    [5, 'The same with two page sizes', { most: 1 }, times, spreadOf(false)],
  ];
  return rows.map(([number, text, limit, format, value]) => ({
    goal: { number, text, limit, format },
    value,
  }));
}

const unchanged = ({ changes }: Measured): number => median(changes.unchanged.seconds);
