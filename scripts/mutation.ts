/**
 * Mutation testing of what publishes: changes the code in every small way, one at a time, and lists the changes that no
 * test notices.
 *
 *   npm run mutation                          all of src/storage and src/publish
 *   npm run mutation -- src/storage/lease.ts  these files
 *
 * The changes are those of StrykerJS, all of them in one copy of the code; `mutation/runner.ts` tries them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import fastGlob from 'fast-glob';
import { entries, FOLDER, LOG, note, only } from './mutation/log.ts';

/** A process that notes nothing for so long goes round for ever (milliseconds). */
const SILENCE = 20_000;

type Change = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number];

/** Writes the code with all changes in it. Returns these. */
async function instrument(names: readonly string[]): Promise<readonly Change[]> {
  const log = { debug() {}, info() {}, isDebugEnabled: () => false };
  const files = names.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
  const instrumenter = new Instrumenter(log as unknown as ConstructorParameters<typeof Instrumenter>[0]);
  const made = await instrumenter.instrument(files, { plugins: null, excludedMutations: [], ignorers: [] });
  rmSync(FOLDER, { recursive: true, force: true });
  for (const { name, content } of made.files) {
    mkdirSync(dirname(join(FOLDER, name)), { recursive: true });
    writeFileSync(join(FOLDER, name), content);
  }
  writeFileSync(LOG, '');
  return made.mutants;
}

/** Runs vitest until it ends, or its process goes round for ever and is killed. Returns whether it succeeded. */
async function runTests(args: readonly string[], mode: 'reach' | 'try'): Promise<boolean> {
  const vitest = ['node_modules/vitest/vitest.mjs', ...args, '--run', '--config=vitest.mutation.config.ts'];
  const child = spawn(process.execPath, vitest, {
    stdio: mode === 'reach' ? 'inherit' : 'ignore',
    env: { ...process.env, MUTATION: mode },
  });
  const watch = setInterval(() => {
    if (Date.now() - statSync(LOG).mtimeMs < SILENCE) return;
    const last = entries().at(-1);
    if (last?.kind !== 'tried') return;
    try {
      process.kill(last.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }, 1000);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  return code === 0;
}

/** Tries what the tests of a file reach, in as many processes as it takes. */
async function tryChanges(file: string): Promise<void> {
  for (;;) {
    note({ kind: 'start', file });
    const before = entries().length;
    await runTests([file], 'try');
    const all = entries();
    if (only(all, 'end').some((one) => one.file === file)) return;
    const last = all.at(-1)!;
    // It ended the process, or kept it busy.
    if (last.kind === 'tried') note({ kind: 'found', change: last.change, isTimeout: true });
    else if (all.length === before) throw new Error(`The tests of ${file} do not run.`);
  }
}

/** The files of tests that reach anything, the fastest first. */
function testFiles(): string[] {
  const times = new Map<string, number>();
  for (const { file, time, hits } of only(entries(), 'test'))
    if (Object.keys(hits).length > 0) times.set(file, (times.get(file) ?? 0) + time);
  return [...times].sort(([, one], [, other]) => one - other).map(([file]) => file);
}

/** The score of each file, and every change that was not found, as text. */
function summary(changes: readonly Change[]): string {
  const all = entries();
  const found = new Map(only(all, 'found').map((one) => [one.change, one.isTimeout]));
  const reached = new Set(only(all, 'test').flatMap(({ hits }) => Object.keys(hits)));
  // What is made when a file is loaded does not change any more.
  const fixed = new Set(only(all, 'static').flatMap((one) => one.changes));
  const counted = changes.filter(({ id, status }) => !status && (reached.has(id) || !fixed.has(id)));
  const row = (name: string, of: readonly Change[]) => {
    const count = of.filter(({ id }) => found.has(id)).length;
    const share = ((100 * count) / of.length).toFixed(1);
    return of.length > 0 ? `| ${name} | ${count} of ${of.length} | ${share} % |\n` : '';
  };
  const files = [...new Set(changes.map(({ fileName }) => fileName))];
  const rows = files.map((name) =>
    row(
      `\`${name}\``,
      counted.filter((one) => one.fileName === name),
    ),
  );
  const missed = counted.filter(({ id }) => !found.has(id)).map((one) => describe(one, reached.has(one.id)));
  const late = counted.filter(({ id }) => found.get(id)).map((one) => describe(one, true));
  return `| File | Found | |
| --- | --: | --: |
${rows.join('')}${row('all', counted)}
${missed.join('')}
Found since the tests did not end:
${late.join('')}`;
}

function describe({ fileName, mutatorName, replacement, location }: Change, isReached: boolean): string {
  const { start, end } = location;
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = lines[last]!.slice(0, end.column);
  lines[0] = lines[0]!.slice(start.column);
  const text = `${lines.join(' ')} -> ${replacement}`.replace(/\s+/g, ' ');
  return `${fileName}:${start.line + 1} ${mutatorName}${isReached ? '' : ' (never run)'}: ${text}\n`;
}

// Other work on the machine comes first.
setPriority(10);
const given = process.argv.slice(2);
const names = given.length > 0 ? given : await fastGlob('src/{storage,publish}/**/*.ts');
const changes = await instrument(names.sort());
const isSound = await runTests(['related', ...names], 'reach');
if (!isSound) throw new Error('The tests fail as they are.');
for (const file of testFiles()) {
  await tryChanges(file);
  console.log(
    `${file}: ${new Set(only(entries(), 'found').map(({ change }) => change)).size} of ${changes.length}`,
  );
}
const text = summary(changes);
writeFileSync(join(FOLDER, 'summary.md'), text);
console.log(text);
