/**
 * The simulation as one file: the real sources, with small and uncompressed archives, so that a schedule takes
 * milliseconds; and, for the proof that it finds bugs, with a planted one.
 */
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/** A change of the text of a source file. */
export type Change = {
  /** Below `src/`. */
  readonly file: string;
  /** Occurs exactly once. */
  readonly from: string;
  readonly to: string;
};

const ROOT = resolve(import.meta.dirname, '../..');

/** Changes that make a schedule small and fast, without an effect on the behaviour of the sources. */
const SIMPLER: readonly Change[] = [
  {
    file: 'publish/archive/content.ts',
    from: 'export const MAX_APART = 1000;',
    to: 'export const MAX_APART = 2;',
  },
  {
    file: 'storage/body.ts',
    from: 'export const PART = 8 * 2 ** 20;',
    to: 'export const PART = 64;',
  },
  {
    file: 'publish/plan.ts',
    from: 'writes: (kind) => writesOf(before, after, comparison, kind, isRestored),',
    to: `writes: (kind) => (written[kind] ??= [...writesOf(before, after, comparison, kind, isRestored)]),`,
  },
  {
    file: 'publish/plan.ts',
    from: '  const isRestored = createHeaderCheck(before, after);',
    to: '  const isRestored = createHeaderCheck(before, after);\n  const written = {};',
  },
  once('publish/plan.ts', 'planFromManifests', 'object', 'object'),
  once('release/read.ts', 'parseManifest', 'object'),
  once('release/read.ts', 'parseRelease', 'object'),
  once('release/release.ts', 'headersOf', 'object', 'text'),
  once('release/release.ts', 'objectsOf', 'object', 'text'),
  once('release/release.ts', 'documentKind', 'text'),
  once('release/release.ts', 'keptKeys', 'object'),
  once('release/release.ts', 'countObjects', 'object'),
  once('release/digest.ts', 'digestOf', 'text'),
  once('contract/headers.ts', 'headerGroup', 'text'),
  once('publish/survey.ts', 'manifestDigest', 'object'),
  once('publish/timeline.ts', 'parseTimeline', 'object'),
  once('publish/reader-life.ts', 'cacheLife', 'text'),
  once('storage/bucket.ts', 'tagOf', 'object'),
];

/**
 * Caches a pure function: all schedules publish the same few releases. What it gives is as unchanging as what it is given.
 *
 * @param parameters the kind of each; anything else that is given is not remembered.
 */
function once(file: string, name: string, ...parameters: ('object' | 'text')[]): Change {
  const text = readFileSync(join(ROOT, 'src', file), 'utf8');
  const [from, start, generates] = new RegExp(`^((?:export )?function(\\*)?) ${name}\\(`, 'm').exec(text)!;
  const names = ['one', 'other'].slice(0, parameters.length);
  const given = names.join(', ');
  const computed = generates ? `[...${name}Computed(${given})]` : `${name}Computed(${given})`;
  const isKnown = names.map((one, index) =>
    parameters[index] === 'text' ? `typeof ${one} === 'string'` : `typeof ${one} === 'object'`,
  );
  const map = (index: number) => `new ${parameters[index] === 'text' ? 'Map' : 'WeakMap'}()`;
  const to = `
const ${name}Known = ${map(0)};
${start!.replace('*', '')} ${name}(${given}) {
  if (!(${isKnown.join(' && ')})) return ${computed};
  ${names.length === 1 ? `const known = ${name}Known;` : `let known = ${name}Known.get(one);\n  if (!known) ${name}Known.set(one, (known = ${map(1)}));`}
  let found = known.get(${names.at(-1)});
  if (!found) known.set(${names.at(-1)}, (found = { value: ${computed} }));
  return found.value;
}
function${generates ?? ''} ${name}Computed(`;
  return { file, from, to };
}

/** Archives hold plain text: compression would take half of the time, and threads of its own. */
const LINES_FILE = 'publish/archive/compressed-lines.ts';
const PLAIN_LINES = `
export async function compressed(items, line) {
  let text = '';
  for await (const item of items) text += JSON.stringify(await line(item)) + '\\n';
  return Buffer.from(text);
}
const known = new WeakMap();
export async function* linesOf(bytes) {
  const lines = known.get(bytes) ?? bytes.toString('utf8').trimEnd().split('\\n').map((line) => JSON.parse(line));
  known.set(bytes, lines);
  yield* lines;
  return undefined;
}
`;

/** Writes the bundle of an entry file. */
export async function bundle(entry: string, out: string, changes: readonly Change[] = []): Promise<void> {
  const all = [...SIMPLER, ...changes];
  const seen = new Set<string>();
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'silent',
    plugins: [
      {
        name: 'simulation',
        setup({ onLoad }) {
          onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
            const file = relative(join(ROOT, 'src'), path);
            seen.add(file);
            if (file === LINES_FILE) return { contents: PLAIN_LINES, loader: 'js' };
            const mine = all.filter((change) => change.file === file);
            if (mine.length === 0) return undefined;
            return { contents: mine.reduce(changed, readFileSync(path, 'utf8')), loader: 'ts' };
          });
        },
      },
    ],
  });
  // A moved file would stay unchanged, and its bug would never be planted.
  for (const file of [LINES_FILE, ...all.map((change) => change.file)])
    if (!seen.has(file)) throw new Error(`${file} is not part of the simulation`);
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, outputFiles[0]!.contents);
}

function changed(text: string, { file, from, to }: Change): string {
  const count = text.split(from).length - 1;
  if (count !== 1) throw new Error(`${file} has ${count} times: ${from}`);
  return text.replace(from, () => to);
}
