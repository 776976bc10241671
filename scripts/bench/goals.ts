/** The goals of performance, and whether measurements meet them. Each is a ratio or a limit of one run. */
import type { Table } from './table.ts';

/** What a goal asks for. */
export type Goal = {
  readonly number: 1 | 2 | 3 | 4 | 5 | 6;
  readonly text: string;
  /** Met when the measurement is at most, or at least, this. */
  readonly limit: { readonly most: number } | { readonly least: number };
  /** Measurement and limit as text. */
  readonly format: (value: number) => string;
};

/** A goal and what was measured; undefined when this run did not measure it. */
export type Judged = { readonly goal: Goal; readonly value: number | undefined };

/** Whether a measurement meets a goal. */
export function isMet({ limit }: Goal, value: number): boolean {
  return 'most' in limit ? value <= limit.most : value >= limit.least;
}

/** The rows that say of each goal whether it is met. */
export function goalTable(judged: readonly Judged[]): Table {
  return {
    head: ['Goal', 'Limit', 'Measured', ''],
    rows: judged.map(({ goal, value }) => [
      `${goal.number}. ${goal.text}`,
      'most' in goal.limit
        ? `at most ${goal.format(goal.limit.most)}`
        : `at least ${goal.format(goal.limit.least)}`,
      value === undefined ? '-' : goal.format(value),
      value === undefined ? 'not measured' : isMet(goal, value) ? 'met' : '**not met**',
    ]),
  };
}

/** Builds of catalogues of several sizes in the same minute. */
export type GrowthRound = {
  /** Seconds of a build of next to nothing. */
  readonly startSeconds: number;
  readonly sizes: readonly { readonly properties: number; readonly seconds: number }[];
};

/**
 * Seconds of each further property by those of each earlier one: the most of all steps from one size to the next. What a
 * build of next to nothing takes counts for none of them, since starting costs the same whatever the size.
 */
export function growthOf({ sizes, startSeconds }: GrowthRound): number {
  let [properties, seconds] = [0, startSeconds];
  const each = sizes.map((size) => {
    const cost = (size.seconds - seconds) / (size.properties - properties);
    ({ properties, seconds } = size);
    return cost;
  });
  return Math.max(...each.slice(1).map((cost, step) => cost / each[step]!));
}
