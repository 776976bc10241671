/** Runs schedules in processes of their own: a bundle has neither types nor tests to load. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { bundle, type Change } from './bundle.ts';
import type { Outcome } from './schedule.ts';

/** What came of many schedules. */
export type Report = {
  readonly schedules: number;
  /** Effective operations, after each of which everything was checked. */
  readonly effects: number;
  /** Seconds of a processor. */
  readonly seconds: number;
  readonly failures: readonly Outcome[];
};

const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache');
const run = promisify(execFile);

/** Opens the simulation, with a bug planted or without. */
export async function openSimulation(changes: readonly Change[] = []) {
  // Where the packages of the project are found.
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(join(CACHE, 'simulation-'));
  const file = join(folder, 'simulation.mjs');
  await bundle('run.ts', file, changes);
  return {
    /** @param mode `stop` at the first failure, `all` up to twenty of them, `tell` each effect. */
    async run(from: number, count: number, mode: 'stop' | 'all' | 'tell' = 'stop'): Promise<Report> {
      const { stdout } = await run(
        process.execPath,
        ['--max-semi-space-size=32', file, String(from), String(count), mode],
        { maxBuffer: 1 << 28 },
      );
      return JSON.parse(stdout) as Report;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What to read when a schedule failed. */
export function explain({ seed, violations, story }: Outcome): string {
  return [
    `Seed ${seed}. Again: npm run simulate -- --seed ${seed}`,
    ...violations.map((violation) => `  ${violation}`),
    ...story.map((line) => `    ${line}`),
  ].join('\n');
}
