/**
 * Bundles the simulation into one file, from the real sources. To prove that the simulation finds bugs, a bug can be planted.
 */
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { build, type Rolldown } from 'vite';

/** Replaces text of a source file. */
export type Change = {
  /** Below `src/`. */
  readonly file: string;
  /** Must occur exactly once. */
  readonly from: string;
  readonly to: string;
};

const ROOT = resolve(import.meta.dirname, '../..');

/** These make a schedule small and fast, and do not change behaviour. */
const SIMPLER: readonly Change[] = [
  {
    file: 'storage/body.ts',
    from: 'export const PART_SIZE = 8 * 2 ** 20;',
    to: 'export const PART_SIZE = 64;',
  },
  {
    file: 'publish/plan.ts',
    from: 'writes: (kind) => writesOf(before, after, comparison, kind, headersDiffer),',
    to: `writes: (kind) => (written[kind] ??= [...writesOf(before, after, comparison, kind, headersDiffer)]),`,
  },
  {
    file: 'publish/plan.ts',
    from: '  const headersDiffer = compareHeaders(before, after);',
    to: '  const headersDiffer = compareHeaders(before, after);\n  const written = {};',
  },
  // The simulated store polls whether the lock is lost: a real signal would take as long as a request.
  {
    file: 'storage/lock-handle.ts',
    from: 'const abort = new AbortController();',
    to: 'const abort = { signal: { aborted: false }, abort() { this.signal.aborted = true; } };',
  },
  { file: 'storage/lock-handle.ts', from: '  setMaxListeners(0, abort.signal);\n', to: '' },
  ...(
    [
      ['contract/headers.ts', 'headerGroup'],
      ['contract/object-keys.ts', 'mediaKey'],
      ['contract/object-keys.ts', 'propertyKey'],
      ['contract/object-kinds.ts', 'objectKindOf'],
      ['publish/cached-list-lifetime.ts', 'cacheLife'],
      ['publish/survey.ts', 'currentJsonDigest'],
      ['release/digest.ts', 'digestOf'],
      ['tree/format/chunk.ts', 'parseChunk'],
      ['tree/format/city-table.ts', 'parseCityShard'],
      ['tree/format/detail-part.ts', 'parsePart'],
      ['tree/format/root.ts', 'parseRoot'],
      ['release/root-contents.ts', 'parseRootContents'],
      ['release/root-contents.ts', 'parseCurrent'],
      ['release/root-contents.ts', 'parseImageList'],
      ['release/root-contents.ts', 'digestsByKey'],
      ['release/release.ts', 'countObjects'],
      ['release/release.ts', 'storedHeadersOf'],
      ['release/release.ts', 'sharedKeys'],
      ['release/release.ts', 'objectNamed'],
      ['storage/bucket.ts', 'etagOf'],
      ['storage/http/xml.ts', 'parse'],
    ] as const
  ).map(([file, name]) => once(file, name)),
];

/**
 * Caches a pure function of a text or object (or an object and another argument): all schedules publish the same few
 * releases. Arguments and results are never modified.
 */
function once(file: string, name: string): Change {
  const text = readFileSync(join(ROOT, 'src', file), 'utf8');
  const declared = new RegExp(`^((?:export )?function)(\\*)? ${name}\\(([^)]*)`, 'm').exec(text);
  if (!declared) throw new Error(`${file} has no function ${name}`);
  const [whole, start, star = '', parameters] = declared;
  const given = parameters!.includes(',') ? 'one, other' : 'one';
  const computed = star ? `[...${name}Computed(${given})]` : `${name}Computed(${given})`;
  const known = parameters!.includes(',')
    ? `${name}Objects.get(one) ?? (typeof other === 'string' ? new Map() : new WeakMap())`
    : `typeof one === 'string' ? ${name}Texts : ${name}Objects`;
  const last = given.slice(given.lastIndexOf(' ') + 1);
  const to = `
const ${name}Texts = new Map();
const ${name}Objects = new WeakMap();
${start} ${name}(${given}) {
  if (!one) return ${computed};
  const known = ${known};
  const found = known.get(${last});
  if (found) return found.value;
  const value = ${computed};
  known.set(${last}, { value });
  ${parameters!.includes(',') ? `${name}Objects.set(one, known);` : ''}
  return value;
}
function${star} ${name}Computed(${parameters}`;
  return { file, from: whole, to };
}

export async function bundle(entry: string, out: string, changes: readonly Change[] = []): Promise<void> {
  const all = [...SIMPLER, ...changes];
  const seen = new Set<string>();
  const { output } = (await build({
    root: ROOT,
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'simulation',
        enforce: 'pre',
        load(path) {
          if (!/\/src\/.*\.ts$/.test(path)) return;
          const file = relative(join(ROOT, 'src'), path);
          seen.add(file);
          const mine = all.filter((change) => change.file === file);
          return mine.length > 0 ? mine.reduce(changed, readFileSync(path, 'utf8')) : undefined;
        },
      },
    ],
    build: {
      write: false,
      ssr: true,
      target: 'node20.19',
      rolldownOptions: { input: join(import.meta.dirname, entry), output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput;
  // If a file moved, its change would silently not be made.
  for (const { file } of all) if (!seen.has(file)) throw new Error(`${file} is not part of the simulation`);
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, output[0].code);
}

function changed(text: string, { file, from, to }: Change): string {
  const count = text.split(from).length - 1;
  if (count !== 1) throw new Error(`${file} has ${count} times: ${from}`);
  return text.replace(from, () => to);
}
