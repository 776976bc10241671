/** The place of a benchmark: its folder, the command lines, and the description of the machine. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { cpus, freemem, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { type Command, run } from './process.ts';

const MEMORY = '/dev/shm';

/** All that the sections share. */
export type Bench = {
  /** An existing folder; each section cleans up in it. */
  readonly folder: string;
  /** The compiled command line. */
  readonly cli: string;
  /** Another one, which takes turns with it. */
  readonly before: string | undefined;
  readonly rounds: number;
  readonly isQuick: boolean;
  /** The number of properties, where the options give one. */
  readonly properties: number | undefined;
};

/** Makes a folder, in memory where there is room, and removes it when the process ends. */
export function makeFolder(bytes: number): string {
  const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
  const free = Math.min(bavail * bsize, process.availableMemory?.() ?? freemem());
  if (free < bytes) console.error(`${MEMORY} has too little room: the figures hold the costs of a disk.`);
  const folder = mkdtempSync(join(free < bytes ? tmpdir() : MEMORY, 'catalogue-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  return folder;
}

/** Lines that say when, on which machine, and with which versions. */
export function describeMachine(folder: string): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const day = new Date().toISOString().slice(0, 10);
  const files = execFileSync('df', ['--output=fstype', folder], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1);
  const [processor] = cpus();
  return `- ${day}: property-catalogue ${version}, Node ${process.versions.node}; load ${loadavg()[0]!.toFixed(2)} at the start
- ${processor?.model.trim()}, ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB; ${type()} ${release()}; files in ${files}`;
}

/** A command of the compiled command line, in the folder. */
export function catalogue({ folder, cli }: Pick<Bench, 'folder' | 'cli'>, ...args: string[]): Command {
  return { file: process.execPath, args: [cli, ...args], cwd: folder };
}

/** Removes trees in the folder. */
export async function clear({ folder }: Pick<Bench, 'folder'>, ...names: string[]): Promise<void> {
  await run({ file: 'rm', args: ['-rf', ...names], cwd: folder });
}
