/**
 * Mutation testing of what publishes: changes the code in every small way, one at a time, and lists the changes that no
 * test notices.
 *
 *   npm run mutation                          all of src/storage and src/publish
 *   npm run mutation -- src/storage/lease.ts  these files
 *   npm run mutation -- --list                what the last run left, without running anything
 *
 * StrykerJS needs Node.js 22; with an older one, npm fetches that for this run.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';

const REPORT = 'reports/mutation.json';

type Mutant = {
  readonly status: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Place; readonly end: Place };
};
type Place = { readonly line: number; readonly column: number };
type Report = {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
};

const FOUND = new Set(['Killed', 'Timeout']);
const MISSED = new Set(['Survived', 'NoCoverage']);

/** Runs Stryker. Returns its exit code. */
function run(files: readonly string[]): number {
  const stryker = ['stryker', 'run', ...(files.length > 0 ? ['--mutate', files.join(',')] : [])];
  const fetched = ['exec', '--yes', '--package=node@22', '--', ...stryker];
  const isOld = Number(process.versions.node.split('.')[0]) < 22;
  const [program, ...args] = isOld ? ['npm', ...fetched] : ['npx', ...stryker];
  // Other work on the machine comes first.
  setPriority(10);
  return spawnSync(program, args, { stdio: 'inherit' }).status ?? 1;
}

/** The score of each file, and every mutant that was not found, as text. */
function summary({ files }: Report): string {
  const lines: string[] = [];
  const missed: string[] = [];
  let all = { found: 0, of: 0 };
  for (const [file, { source, mutants }] of Object.entries(files).sort()) {
    const found = mutants.filter(({ status }) => FOUND.has(status)).length;
    const left = mutants.filter(({ status }) => MISSED.has(status));
    const of = found + left.length;
    all = { found: all.found + found, of: all.of + of };
    if (of > 0) lines.push(`| \`${file}\` | ${found} of ${of} | ${percent(found, of)} |`);
    missed.push(...left.map((mutant) => describe(file, source, mutant)));
  }
  lines.push(`| all | ${all.found} of ${all.of} | ${percent(all.found, all.of)} |`);
  return `| File | Found | |\n| --- | --: | --: |\n${lines.join('\n')}\n\n${missed.join('\n')}\n`;
}

function percent(found: number, of: number): string {
  return of === 0 ? '' : `${((100 * found) / of).toFixed(1)} %`;
}

function describe(file: string, source: string, { status, mutatorName, replacement, location }: Mutant) {
  const { start, end } = location;
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]!.slice(0, end.column - 1);
  lines[0] = lines[0]!.slice(start.column - 1);
  const before = lines.join(' ').replace(/\s+/g, ' ');
  const mark = status === 'NoCoverage' ? ' (never run)' : '';
  return `${file}:${start.line} ${mutatorName}${mark}: ${before} -> ${replacement.replace(/\s+/g, ' ')}`;
}

const given = process.argv.slice(2);
const exitCode = given.includes('--list') ? 0 : run(given);
process.stdout.write(summary(JSON.parse(readFileSync(REPORT, 'utf8')) as Report));
process.exitCode = exitCode;
