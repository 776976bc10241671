/** Cloudflare's runtime, through miniflare. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Miniflare } from 'miniflare';
import { FEWER_SIZES, type RunningServer } from '../server.ts';

/** The runtime writes a stack trace for each request that is no legal HTTP. */
function handleRuntimeStdio(...outputs: Readable[]): void {
  for (const output of outputs) output.resume();
}

/** The address of the runtime. */
export const LISTENING = { host: '127.0.0.1', port: 0, cf: false, handleRuntimeStdio } as const;
/** The date of the runtime's behaviour. */
export const compatibilityDate = '2026-01-01';

/** A module around a generated one. */
export function modulesOf(edge: string, main: string, name: string) {
  return {
    compatibilityDate,
    modulesRoot: edge,
    modules: [
      { type: 'ESModule' as const, path: join(edge, 'main.js'), contents: main },
      { type: 'ESModule' as const, path: join(edge, name), contents: readFileSync(join(edge, name), 'utf8') },
    ],
  };
}

/** The runtime, when it listens. */
export async function running(worker: Miniflare): Promise<RunningServer> {
  const { port } = await worker.ready;
  return { port: Number(port), stop: () => worker.dispose() };
}

/** Tells whether a file is stored: of pages, those of fewer sizes. */
export function isStored(key: string): boolean {
  const size = /\/(\d+)-\d+\.json$/.exec(key)?.[1];
  return size === undefined || FEWER_SIZES.includes(Number(size));
}
