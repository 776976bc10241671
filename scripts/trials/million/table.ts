/** The table of the trial: what each step took, and the limits. */
import { count, megabytes, seconds } from '../../bench/table.ts';

/** What a step may take for a million properties. */
type Limit = {
  readonly seconds?: number;
  /** Peak memory, in millions of bytes. */
  readonly memory?: number;
  readonly writes?: number;
  /** Millions of bytes. */
  readonly sent?: number;
};

const LIMITS: Readonly<Record<string, Limit>> = {
  'Build from nothing': { seconds: 90, memory: 2000 },
  'Build, nothing changed': { seconds: 6, memory: 600 },
  'Build, one title': { seconds: 9, memory: 900 },
  'Publish all': { memory: 512 },
  'Publish one title': { seconds: 3, writes: 12, sent: 10 },
};

/** A row of the table. */
export type Row = {
  readonly step: string;
  readonly seconds: number;
  readonly cpuSeconds?: number | undefined;
  readonly peakBytes?: number | undefined;
  /** What the store got. */
  readonly requests?: number | undefined;
  readonly writes?: number | undefined;
  readonly sent?: number | undefined;
  readonly outcome: string;
};

const dash = (value: number | undefined, format: (value: number) => string) =>
  value === undefined ? '-' : format(value);

/** A row as the table shows it. */
export function cellsOf({ step, outcome, ...row }: Row): string[] {
  return [
    step,
    seconds(row.seconds),
    dash(row.cpuSeconds, seconds),
    dash(row.peakBytes, megabytes),
    dash(row.requests, count),
    dash(row.writes, count),
    dash(row.sent, megabytes),
    outcome,
  ];
}

/** The limits, and whether each is met. */
export function judged(rows: readonly Row[]): string[][] {
  return rows.flatMap((row) => {
    const limit = LIMITS[row.step] ?? {};
    const judge = (name: string, most: number | undefined, value: number, unit: string): string[][] => {
      if (most === undefined) return [];
      const met = value <= most ? 'met' : '**not met**';
      return [
        [`${row.step}: ${name}`, `${count(most)}${unit}`, `${value.toFixed(value < 10 ? 1 : 0)}${unit}`, met],
      ];
    };
    return [
      ...judge('seconds', limit.seconds, row.seconds, ' s'),
      ...judge('memory', limit.memory, (row.peakBytes ?? 0) / 1e6, ' MB'),
      ...judge('writes', limit.writes, row.writes ?? 0, ''),
      ...judge('bytes sent', limit.sent, (row.sent ?? 0) / 1e6, ' MB'),
    ];
  });
}
