/**
 * Bundles the command line and its worker threads into `lib/`, in place of what the type compiler made of them: a
 * process that loads a hundred small modules starts more slowly than one that loads a few. Libraries with native
 * code, or that are seldom needed, stay where they are.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIB = join(ROOT, 'lib');

/** Name of the entry in `lib/`, and its source. A worker is looked for beside the code that starts it. */
const ENTRIES = {
  cli: 'src/cli.ts',
  worker: 'src/pipeline/worker.ts',
  'bulk-worker': 'src/emit/bulk-worker.ts',
  'build-worker': 'src/pipeline/build-worker.ts',
};

for (const name of readdirSync(LIB)) if (name.startsWith('chunk-')) rmSync(join(LIB, name));
await build({
  absWorkingDir: ROOT,
  entryPoints: ENTRIES,
  outdir: LIB,
  entryNames: '[name]',
  chunkNames: 'chunk-[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['sharp', 'http-server', '@aws-sdk/*'],
  // Less to read at each start; names stay, for traces of errors that are ours.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'eof',
  // Some libraries call `require`, which a module has not.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
