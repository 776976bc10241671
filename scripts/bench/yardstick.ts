/** How fast the machine is, whatever we do: what limits in seconds have to be read against. */
import { createHash } from 'node:crypto';
import { run } from './child.ts';
import { median } from './statistics.ts';

/** What the machine takes for what no program can avoid. */
export type Yardstick = {
  /** Seconds of wall time of a process of Node that does nothing. */
  readonly emptyProcess: number;
  /** Seconds that SHA-256 takes for 100 MB. */
  readonly digest: number;
};

const RUNS = 9;

/** Measures both. */
export async function measureYardstick(): Promise<Yardstick> {
  const starts: number[] = [];
  for (let index = 0; index < RUNS; index++) {
    starts.push((await run({ file: process.execPath, args: ['-e', '0'] })).seconds);
  }
  const bytes = Buffer.alloc(100_000_000, 1);
  const digests = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    createHash('sha256').update(bytes).digest();
    return (performance.now() - start) / 1000;
  });
  return { emptyProcess: median(starts), digest: median(digests) };
}
