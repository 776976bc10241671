/** Builds one catalogue in every way, with other writers of the same tree beside it. */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCatalogue } from '../make-catalogue.ts';
import { type Command, run } from './child.ts';
import { type EditableContent, editableContent } from './edits.ts';
import { compareSnapshots, takeSnapshot } from './written-files.ts';

/** A catalogue to measure. */
export type CatalogueCase = {
  readonly properties: number;
  /** Page sizes; `all` are 1 to 100. */
  readonly sizes: 'all' | readonly number[];
  /** How often the cold build and the other writers take turns. */
  readonly rounds: number;
  /** How often each change is made and built. */
  readonly edits: number;
};

/** Kinds of builds on top of another one. */
export const CHANGES = ['unchanged', 'one field', 'one added', 'one removed', '1 % edited'] as const;

/** A kind of build on top of another one. */
export type Change = (typeof CHANGES)[number];

/** What was measured of one catalogue; times in seconds, one a round. */
export type Measured = {
  readonly measured: CatalogueCase;
  readonly files: number;
  /** Of pages and totals. */
  readonly pageBytes: number;
  readonly cold: readonly number[];
  /** CPU time of the cold builds. */
  readonly coldCpu: readonly number[];
  /** Largest of all cold builds. */
  readonly peakBytes: number;
  /** `cp -a` of the output. */
  readonly copy: readonly number[];
  /** `tar x` of the output. */
  readonly untar: readonly number[];
  /** Nothing but opening, writing and closing. */
  readonly floor: readonly number[];
  /** `check`. */
  readonly check: readonly number[];
  readonly changes: Readonly<Record<Change, { seconds: readonly number[]; written: number }>>;
};

/** Where to work, and what to measure. */
export type Bench = {
  /** An existing folder. */
  readonly folder: string;
  /** The compiled command line. */
  readonly cli: string;
  /** Hears what is going on. */
  readonly say: (text: string) => void;
};

type BuildReport = { work: { written: number }; counts: { files: number; pageBytes: number } };

/** The command that builds a content folder. */
export function buildCommand({ folder, cli }: Bench): Command {
  const args = [cli, 'build', '--content', 'content', '--out', 'out', '--format', 'json'];
  return { file: process.execPath, args, cwd: folder };
}

/** The command that checks a content folder. */
export function checkCommand({ folder, cli }: Bench): Command {
  const args = [cli, 'check', '--content', 'content', '--format', 'json'];
  return { file: process.execPath, args, cwd: folder };
}

/** Makes a content folder `content`. */
export function makeContent(
  { folder }: Bench,
  { properties, sizes }: Pick<CatalogueCase, 'properties' | 'sizes'>,
): void {
  makeCatalogue({ folder: join(folder, 'content'), count: properties });
  if (sizes !== 'all') {
    appendFileSync(join(folder, 'content/catalogue.yaml'), `\npage_sizes: [${sizes.join(', ')}]\n`);
  }
}

/** Removes trees in the folder of a benchmark. */
export async function clear({ folder }: Bench, ...names: string[]): Promise<void> {
  await run({ file: 'rm', args: ['-rf', ...names], cwd: folder });
}

/** Measures one catalogue. Leaves nothing behind. */
export async function measureCatalogue(bench: Bench, measured: CatalogueCase): Promise<Measured> {
  bench.say(`${measured.properties} properties, page sizes ${measured.sizes}: making the content`);
  makeContent(bench, measured);
  const cold = await measureCold(bench, measured);
  const changes = await measureChanges(bench, measured);
  const check: number[] = [];
  for (let round = 0; round < measured.edits; round++) {
    check.push((await run(checkCommand(bench))).seconds);
  }
  await clear(bench, 'content', 'out');
  return { measured, ...cold, changes, check };
}

async function measureCold(bench: Bench, { rounds }: CatalogueCase) {
  const { folder } = bench;
  const times = {
    cold: [] as number[],
    coldCpu: [] as number[],
    copy: [] as number[],
    untar: [] as number[],
    floor: [] as number[],
  };
  let peakBytes = 0;
  let report: BuildReport | undefined;
  const writer = new URL('./minimal-writer.ts', import.meta.url).pathname;
  const tsx = import.meta.resolve('tsx');
  for (let round = 0; round < rounds; round++) {
    bench.say(`  cold build and other writers, ${round + 1} of ${rounds}`);
    await clear(bench, 'out');
    const built = await run(buildCommand(bench), { peak: true });
    report = JSON.parse(built.stdout) as BuildReport;
    times.cold.push(built.seconds);
    times.coldCpu.push(built.cpuSeconds);
    peakBytes = Math.max(peakBytes, built.peakBytes ?? 0);

    times.copy.push((await run({ file: 'cp', args: ['-a', 'out', 'copy'], cwd: folder })).seconds);
    await clear(bench, 'copy');
    if (round === 0) await run({ file: 'tar', args: ['cf', 'out.tar', 'out'], cwd: folder });
    await run({ file: 'mkdir', args: ['copy'], cwd: folder });
    times.untar.push(
      (await run({ file: 'tar', args: ['xf', 'out.tar', '-C', 'copy'], cwd: folder })).seconds,
    );
    await clear(bench, 'copy');
    const args = ['--import', tsx, writer, 'out', 'copy'];
    times.floor.push(Number((await run({ file: process.execPath, args, cwd: folder })).stdout));
    await clear(bench, 'copy');
  }
  await clear(bench, 'out.tar');
  const { files, pageBytes } = report!.counts;
  return { ...times, peakBytes, files, pageBytes };
}

/** Makes one change. */
function change(content: EditableContent, kind: Change, properties: number): void {
  if (kind === 'one field') content.retitle(1 / properties);
  else if (kind === 'one added') content.add();
  else if (kind === 'one removed') content.remove();
  else if (kind === '1 % edited') content.retitle(0.01);
}

// Files that change within the clock's resolution of a build are read again by the next one.
const pause = () => sleep(60);
// A machine that is shared with others gives less to a process that kept it busy, and an editor's machine was not. A single
// round is to be quick.
const rest = () => sleep(10_000);

async function measureChanges(bench: Bench, { properties, edits }: CatalogueCase) {
  const content = editableContent(join(bench.folder, 'content'));
  const result = Object.fromEntries(
    CHANGES.map((kind) => [kind, { seconds: [] as number[], written: 0 }]),
  ) as Record<Change, { seconds: number[]; written: number }>;
  for (let round = 0; round < edits; round++) {
    bench.say(`  changes, ${round + 1} of ${edits}`);
    if (edits > 1) await rest();
    for (const kind of CHANGES) {
      change(content, kind, properties);
      await pause();
      const built = await run(buildCommand(bench));
      result[kind].seconds.push(built.seconds);
      result[kind].written = (JSON.parse(built.stdout) as BuildReport).work.written;
    }
    // The files of this round are no longer fresh for the next.
    await pause();
    await run(buildCommand(bench));
  }
  return result;
}

/** Files that builds after each kind of change wrote although they had the right bytes already; all kinds together. */
export async function countNeedlessWrites(bench: Bench, properties: number): Promise<number> {
  bench.say(`${properties} properties: which files a change writes`);
  makeContent(bench, { properties, sizes: 'all' });
  const content = editableContent(join(bench.folder, 'content'));
  const output = join(bench.folder, 'out/public');
  await run(buildCommand(bench));
  let before = takeSnapshot(output);
  let needless = 0;
  for (const kind of CHANGES) {
    change(content, kind, properties);
    await pause();
    await run(buildCommand(bench));
    const after = takeSnapshot(output);
    const { written, differing } = compareSnapshots(before, after);
    needless += written - differing;
    before = after;
  }
  await clear(bench, 'content', 'out');
  return needless;
}

/** Whether a file is a compiled command line. */
export function isCommandLine(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').startsWith('#!');
  } catch {
    return false;
  }
}
