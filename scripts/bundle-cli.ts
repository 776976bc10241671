/**
 * Bundles the command line and its worker threads into `lib/`, in place of what the type compiler made of them: a
 * process that loads a hundred small modules starts more slowly than one that loads a few. What a build needs to find
 * out whether there is something to do is one file, and what it needs to do it is another one. Libraries with native
 * code, or that are seldom needed, stay where they are. What all of it comes to is written last, as a digest.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIB = join(ROOT, 'lib');

/** The library as modules: what is inside of a module of CommonJS is parsed twice. */
const YAML_MODULES = fileURLToPath(new URL('../browser/dist/index.js', import.meta.resolve('yaml')));

/** Name of the file with the digest of the program (`src/build/state/program.ts`). */
const PROGRAM = 'program';

/** Names of the entries in `lib/`, and their sources. A worker is looked for beside the code that starts it. */
const ENTRIES = {
  cli: 'src/cli.ts',
  worker: 'src/build/threads/worker.ts',
  'build-worker': 'src/build/threads/build-worker.ts',
};

/** Modules that are loaded together, with all that they need and those above them do not. */
const GROUPS = [
  {
    name: 'shared',
    test: /\/src\/(?:errors|printable|words|documentation|package-root|version)\.ts$/,
  },
  { name: 'build', test: /\/src\/commands\/build\.ts$/ },
  { name: 'release', test: /\/src\/build\/build-release\.ts$/ },
];

for (const name of readdirSync(LIB)) if (name.startsWith('chunk-')) rmSync(join(LIB, name));
for (const [name, source] of Object.entries(ENTRIES)) {
  // Threads share no module with each other: each of them loads one file, if it can.
  await build({
    cwd: ROOT,
    input: { [name]: source },
    platform: 'node',
    resolve: { mainFields: ['module', 'main'], alias: { yaml: YAML_MODULES } },
    external: [/^sharp(?:\/|$)/, /^http-server$/, /^open$/, /^undici$/, /^@(?:aws-sdk|smithy)\//],
    // Libraries in the bundle have the digest of its code (`src/build/state/program.ts`).
    transform: { target: 'node20.19', define: { BUNDLED: 'true' } },
    output: {
      dir: LIB,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: `chunk-${name}-[name]-[hash].js`,
      codeSplitting: {
        groups: GROUPS.map((group, place) => ({ ...group, priority: GROUPS.length - place })),
      },
      // Less to read at each start; names stay, for traces of errors that are ours.
      minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
    },
    checks: { ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
}

writeFileSync(join(LIB, PROGRAM), digestOfProgram());

/** The digest of everything that was compiled, by which builds know what another program left. */
function digestOfProgram(): string {
  const hash = createHash('sha256');
  const files = readdirSync(LIB, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== PROGRAM && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(relative(LIB, file)).update(readFileSync(file));
  return hash.digest('hex');
}
