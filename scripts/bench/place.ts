/** Where catalogues are made for a benchmark: in memory when there is room. */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';

/** A folder for everything that a benchmark makes. */
export type Place = {
  readonly folder: string;
  /** Why it is not in memory; undefined when it is. */
  readonly warning: string | undefined;
};

/**
 * Makes the folder.
 *
 * @param bytes what it will hold at most.
 */
export function makePlace(bytes: number): Place {
  const warning = whyNotInMemory(bytes);
  const parent = warning === undefined ? MEMORY : tmpdir();
  return { folder: mkdtempSync(join(parent, 'catalogue-bench-')), warning };
}

/** Removes the folder, also when the benchmark fails or is interrupted. */
export function removeAtExit({ folder }: Place): void {
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
}

function whyNotInMemory(bytes: number): string | undefined {
  const slow = 'the figures hold the costs of a disk, and compare with nothing';
  if (!existsSync(MEMORY)) return `There is no ${MEMORY}: ${slow}.`;
  const { bavail, bsize } = statfsSync(MEMORY);
  const free = Math.min(bavail * bsize, availableMemory());
  if (free >= bytes) return undefined;
  return `${MEMORY} has room for ${(free / 1e9).toFixed(1)} GB, and ${(bytes / 1e9).toFixed(1)} GB are needed: ${slow}.`;
}

/** Memory that can be taken, caches included. */
function availableMemory(): number {
  return process.availableMemory?.() ?? freemem();
}
