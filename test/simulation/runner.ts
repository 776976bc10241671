/** Runs schedules in separate processes: a bundle loads neither types nor tests. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bundle, type Change } from './bundle.ts';
import type { Counts, Outcome } from './schedule.ts';

export type Report = Counts & {
  readonly schedules: number;
  /** Processor time. */
  readonly seconds: number;
  readonly failures: readonly Outcome[];
};

/** `stop`: at the first failure. `all`: up to twenty failures per share. `detailed`: logs every effect. */
export type Mode = 'stop' | 'all' | 'detailed';

/** One for each of two cores. */
const PROCESSES = 2;
/** Schedules that a process runs before it reports. */
const SHARE = 5000;

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache');
const run = promisify(execFile);

/** With or without planted bugs. */
export async function openSimulation(changes: readonly Change[] = []) {
  // Inside the project, so that its packages are found.
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'simulation-'));
  const file = join(folder, 'simulation.mjs');
  await bundle('run.ts', file, changes);
  /** Runs schedules in one process. */
  const runShare = async (from: number, count: number, mode: Mode = 'stop'): Promise<Report> => {
    const { stdout } = await run(
      process.execPath,
      ['--min-semi-space-size=16', '--max-semi-space-size=32', file, String(from), String(count), mode],
      { maxBuffer: 1 << 28 },
    );
    return JSON.parse(stdout) as Report;
  };
  return {
    runShare,
    /** Runs schedules in several processes. @param onShare receives the results so far */
    async run(
      from: number,
      count: number,
      { processes = PROCESSES, share = SHARE, onShare = (_sum: Report) => {} } = {},
    ): Promise<Report> {
      const reports: Report[] = [];
      let begun = 0;
      const worker = async () => {
        while (begun < count) {
          const first = from + begun;
          const size = Math.min(share, count - begun);
          begun += size;
          reports.push(await runShare(first, size, 'all'));
          onShare(sumOf(reports));
        }
      };
      await Promise.all(Array.from({ length: processes }, worker));
      return sumOf(reports);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function sumOf(reports: readonly Report[]): Report {
  const sum = (name: Exclude<keyof Report, 'failures'>) =>
    reports.reduce((total, report) => total + report[name], 0);
  return {
    schedules: sum('schedules'),
    effects: sum('effects'),
    takeovers: sum('takeovers'),
    waits: sum('waits'),
    seconds: sum('seconds'),
    failures: reports.flatMap(({ failures }) => failures),
  };
}

/** Explains a failed schedule. */
export function explain({ seed, violations, story }: Outcome): string {
  return [
    `Seed ${seed}. Again: npm run simulate -- --seed ${seed}`,
    ...violations.map((violation) => `  ${violation}`),
    ...story.map((line) => `    ${line}`),
  ].join('\n');
}
