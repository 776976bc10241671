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
  onceABody('release/read.ts', 'parseManifest', 'bytes', 'Manifest | undefined'),
  onceABody('release/read.ts', 'parseRelease', 'bytes', 'Release | undefined'),
  onceABody('storage/bucket.ts', 'tagOf', 'body', 'string'),
];

/** Caches a pure function of bytes: all schedules publish the same few manifests and pages. */
function onceABody(file: string, name: string, parameter: string, result: string): Change {
  const declared = `function ${name}(${parameter}: Buffer): ${result} {`;
  const to = `
const ${name}Known = new WeakMap<Buffer, { value: ${result} }>();
export ${declared}
  const known = ${name}Known.get(${parameter}) ?? { value: ${name}Computed(${parameter}) };
  ${name}Known.set(${parameter}, known);
  return known.value;
}
${declared.replace(name, `${name}Computed`)}`;
  return { file, from: `export ${declared}`, to };
}

/** Archives hold plain text: compression would take half of the time, and threads of its own. */
const LINES_FILE = 'publish/archive/compressed-lines.ts';
const PLAIN_LINES = `
export async function compressed(items, line) {
  let text = '';
  for await (const item of items) text += JSON.stringify(await line(item)) + '\\n';
  return Buffer.from(text);
}
export async function* linesOf(bytes) {
  for (const line of bytes.toString('utf8').split('\\n')) if (line !== '') yield JSON.parse(line);
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
