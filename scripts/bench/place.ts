import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { cpus, freemem, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { type Command, run } from './process.ts';

const MEMORY = '/dev/shm';

export type Bench = {
  readonly folder: string;
  readonly cli: string;
  /** Another version of the command line to alternate with. */
  readonly before: string | undefined;
  readonly rounds: number;
  readonly isQuick: boolean;
  readonly properties: number | undefined;
};

export function makeFolder(bytes: number): string {
  const { bavail, bsize } = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
  const free = Math.min(bavail * bsize, process.availableMemory?.() ?? freemem());
  if (free < bytes) console.error(`${MEMORY} has too little room: the figures hold the costs of a disk.`);
  const folder = mkdtempSync(join(free < bytes ? tmpdir() : MEMORY, 'catalogue-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
  return folder;
}

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

export function catalogue({ folder, cli }: Pick<Bench, 'folder' | 'cli'>, ...args: string[]): Command {
  return { file: process.execPath, args: [cli, ...args], cwd: folder };
}

export async function clear({ folder }: Pick<Bench, 'folder'>, ...names: string[]): Promise<void> {
  await run({ file: 'rm', args: ['-rf', ...names], cwd: folder });
}
