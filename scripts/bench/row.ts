import { count, markdownTable, megabytes, seconds, times } from '../table.ts';
import type { Taken } from './process.ts';

export type Row = {
  readonly name: string;
  readonly ours: readonly Taken[];
  readonly peer?: { readonly name: string; readonly taken: readonly Taken[] } | undefined;
  readonly limit?: Limit | undefined;
  readonly outcome?: string | undefined;
};

export type Limit = {
  readonly ratio?: number;
  readonly cpuRatio?: number;
  readonly seconds?: number;
  readonly megabytes?: number;
};

/** @throws RangeError for an empty list */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('the median of nothing');
  return sorted.length % 2 === 1 ? upper : (sorted[middle - 1]! + upper) / 2;
}

/**
 * Pairs, not a ratio of medians: if the machine is slower for a while, both halves of a pair are. @throws RangeError
 */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  if (ours.length !== theirs.length) throw new RangeError('two series of different lengths make no pairs');
  return median(ours.map((value, index) => value / theirs[index]!));
}

/** Runs all works in each round; each is first equally often. */
export async function inTurn<Of extends Taken>(
  rounds: number,
  works: readonly (() => Promise<Of>)[],
): Promise<readonly Of[][]> {
  const series: Of[][] = works.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < works.length; turn++) {
      const place = (turn + round) % works.length;
      series[place]!.push(await works[place]!());
    }
  }
  return series;
}

const HEAD = [
  '',
  'Seconds',
  'CPU',
  'Peak memory',
  'Peer',
  'Seconds',
  'CPU',
  'Ratio',
  'CPU ratio',
  'Limit',
  '',
];

/** Omits empty columns. Times and ratios are medians, memory is the maximum. */
export function rowTable(rows: readonly Row[]): string {
  const all = [HEAD, ...rows.map(cells)];
  const isShown = (column: number) => column === 0 || all.slice(1).some((row) => row[column] !== '');
  const [head = [], ...shown] = all.map((row) => row.filter((_, column) => isShown(column)));
  return markdownTable({ head, rows: shown });
}

function cells(row: Row): string[] {
  const { name, ours, peer, outcome = '' } = row;
  const ratio = (number: (one: Taken) => number | undefined) => {
    const both = [ours, peer?.taken ?? []].map((taken) => taken.map(number));
    if (!peer || both.flat().includes(undefined)) return undefined;
    return medianRatio(both[0] as number[], both[1] as number[]);
  };
  const ratios = { ratio: ratio((one) => one.seconds), cpuRatio: ratio((one) => one.cpuSeconds) };
  return [
    name,
    ...cost(ours),
    peakOf(ours) === undefined ? '' : megabytes(peakOf(ours)!),
    peer?.name ?? '',
    ...(peer ? cost(peer.taken) : ['', '']),
    show(ratios.ratio, times),
    show(ratios.cpuRatio, times),
    verdict(row, ratios),
    outcome,
  ];
}

function cost(taken: readonly Taken[]): [wall: string, cpu: string] {
  const cpu = taken.flatMap(({ cpuSeconds }) => (cpuSeconds === undefined ? [] : [cpuSeconds]));
  return [seconds(median(taken.map((one) => one.seconds))), cpu.length > 0 ? seconds(median(cpu)) : ''];
}

function peakOf(taken: readonly Taken[]): number | undefined {
  const peaks = taken.flatMap(({ peakBytes }) => (peakBytes === undefined ? [] : [peakBytes]));
  return peaks.length > 0 ? Math.max(...peaks) : undefined;
}

function show(value: number | undefined, format: (value: number) => string): string {
  return value === undefined || Number.isNaN(value) ? '' : format(value);
}

type Ratios = { readonly ratio?: number | undefined; readonly cpuRatio?: number | undefined };

export function verdict({ ours, limit = {} }: Row, { ratio, cpuRatio }: Ratios): string {
  const peak = peakOf(ours);
  const measured = [
    { most: limit.ratio, value: ratio, text: times },
    { most: limit.cpuRatio, value: cpuRatio, text: (value: number) => `${times(value)} of CPU` },
    { most: limit.seconds, value: median(ours.map((one) => one.seconds)), text: seconds },
    { most: limit.megabytes, value: peak && peak / 1e6, text: (value: number) => `${count(value)} MB` },
  ];
  const told = measured.flatMap(({ most, value, text }) =>
    most === undefined || value === undefined
      ? []
      : [`${text(most)} ${value <= most ? 'met' : '**not met**'}`],
  );
  return told.length > 0 ? told.join(', ') : '';
}
