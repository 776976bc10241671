/** What a run of mutation testing has found so far: lines of JSON in one file, so that a run that is killed goes on. */
import { appendFileSync, readFileSync } from 'node:fs';

/** Holds the instrumented code and the log of a run. */
export const FOLDER = 'reports/mutation';
export const LOG = `${FOLDER}/log.ndjson`;

/** One line. A change is named by its number, a test by its id. */
export type Entry =
  /** The test reaches these changes, each so often. Milliseconds. */
  | { kind: 'test'; file: string; test: string; time: number; hits: Readonly<Record<string, number>> }
  /** These changes are reached while a test file is loaded. */
  | { kind: 'static'; changes: readonly string[] }
  /** A process begins with the tests of the file. */
  | { kind: 'start'; file: string }
  | { kind: 'tried'; change: string; test: string; pid: number }
  | { kind: 'found'; change: string; isTimeout: boolean }
  /** The test fails by itself when tests before it are left out. */
  | { kind: 'unfit'; test: string }
  /** The tests of the file were run with all that they reach. */
  | { kind: 'end'; file: string };

export function note(entry: Entry): void {
  appendFileSync(LOG, `${JSON.stringify(entry)}\n`);
}

export function entries(): Entry[] {
  return readFileSync(LOG, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Entry);
}

/** The entries of one kind. */
export function only<Kind extends Entry['kind']>(all: readonly Entry[], kind: Kind) {
  return all.filter((entry): entry is Extract<Entry, { kind: Kind }> => entry.kind === kind);
}
