import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostName } from '../contract/hosts.ts';
import { planProperty, writePlannedProperty } from '../editing/new-property.ts';
import { replaceFile } from '../editing/read-and-replace.ts';
import { scalarText } from '../editing/scalar.ts';
import { hasSchema, SCHEMA_FILE, SETTINGS_SCHEMA_FILE, writeSchemas } from '../editing/schema-file.ts';
import { slugOf } from '../editing/slug.ts';
import { UsageError } from '../errors/errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { makeFolder, undefinedIfMissing } from '../files/files-and-folders.ts';
import { PACKAGE_ROOT } from '../package/package-root.ts';
import { readTerms } from '../source/configuration-file.ts';
import { findPropertyFiles } from '../source/find-property-files.ts';
import { exampleProperty } from './example.ts';
import { isStarterFileForHost, pipelineText } from './pipeline.ts';

export type StarterSettings = {
  readonly title: string;
  /** URL before the path of the API. */
  readonly baseUrl: string;
  /** @default undecided */
  readonly host?: HostName | undefined;
  /** ISO 3166-1 alpha-2 code, for the first property. */
  readonly country: string;
  /** ISO 4217 code. */
  readonly currency: string;
};

export type StarterValues = StarterSettings & {
  /** Version of this package, or an npm dependency specifier. */
  readonly package: string;
};

/** All paths are sorted, relative to the folder, and have `/` as separator. */
export type StarterResult = {
  readonly written: readonly string[];
  readonly changed: readonly string[];
  /** Existing files, left unchanged. */
  readonly left: readonly string[];
  /**
   * Commands to try next, such as `npm run dev`, or `npx catalogue dev --open` if the owner has another script named
   * `dev`.
   */
  readonly next: readonly string[];
};

const STARTER = fileURLToPath(new URL('starter/', PACKAGE_ROOT));
const PICTURES = 'pictures/';
const STEPS = 'hosts/';
const CONTENT = 'content';

/**
 * Leaves existing files as they are, except those of {@link MERGES}.
 * @throws UsageError `invalid-package`, before any write
 */
export function writeStarter(folder: string, start: StarterValues): StarterResult {
  const written: string[] = [];
  const changed: string[] = [];
  const left: string[] = [];
  const values = placeholders(folder, start);
  const files = starterFiles()
    .filter((source) => isStarterFileForHost(source, start.host))
    .map((source) => {
      const path = targetPath(source);
      const own = undefinedIfMissing(() => readFileSync(join(folder, path), 'utf8'));
      const text = filled(pipelineText(source, start.host, readStarter), values);
      return { path, own, text: own === undefined ? text : (MERGES[path]?.(own, text) ?? own) };
    });
  for (const { path, own, text } of files) {
    (own === undefined ? written : own === text ? left : changed).push(path);
    if (own === text) continue;
    makeFolder(dirname(join(folder, path)));
    if (own === undefined) writeAtomically(join(folder, path), text, { isNew: true });
    else replaceFile(join(folder, path), text);
  }
  const content = join(folder, CONTENT);
  if (findPropertyFiles(content).files.length === 0) {
    const planned = planProperty(
      content,
      exampleProperty(start.country, start.currency, readTerms(content).fields),
    );
    writePlannedProperty(content, planned);
    written.push(
      ...[planned.path, ...planned.copies.map(({ to }) => to)].map((path) => `${CONTENT}/${path}`),
    );
  }
  if (!hasSchema(content)) {
    writeSchemas(content);
    written.push(`${CONTENT}/${SCHEMA_FILE}`, `${CONTENT}/${SETTINGS_SCHEMA_FILE}`);
  }
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const runs = (name: string, command: string) =>
    scripts[name] === command ? `npm run ${name}` : `npx ${command}`;
  const next = [
    runs('dev', 'catalogue dev --open'),
    `${runs('edit', 'catalogue dev --edit')}  # a form for editors`,
  ];
  return { written: written.sort(), changed: changed.sort(), left: left.sort(), next };
}

function starterFiles(): string[] {
  return readdirSync(STARTER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(STARTER, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => ![PICTURES, STEPS].some((folder) => path.startsWith(folder)))
    .sort();
}

function readStarter(path: string): string {
  return readFileSync(join(STARTER, path), 'utf8');
}

/** In the package, `_` stands for the dot of a name such as `.gitignore`, since npm leaves some dotfiles out. */
function targetPath(source: string): string {
  return source.replace(/^_/, '.');
}

function placeholders(folder: string, start: StarterValues): ReadonlyMap<string, string> {
  const { title, baseUrl, host } = start;
  return new Map([
    ['name', slugOf(folder.split(sep).at(-1) ?? '', 60) || 'catalogue'],
    ['title', scalarText(title)],
    ['heading', title.replace(/[\\`*_{}[\]<>#|]/g, '\\$&')],
    ['base_url', scalarText(baseUrl)],
    ['guide', host ?? 'README'],
    ['host', host ? `host: ${host}` : '# host: cloudflare-workers'],
    ['package', start.package],
    ['docs', 'node_modules/property-catalogue/docs'],
  ]);
}

function filled(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/@@(\w+)@@/g, (whole, name: string) => values.get(name) ?? whole);
}

/** Merges the starter's files into the owner's, without removing anything. */
const MERGES: Readonly<Record<string, (own: string, starter: string) => string>> = {
  'package.json': mergeManifest,
  '.gitignore': mergeLines,
};

type Manifest = { scripts?: Record<string, string>; devDependencies?: Record<string, string> };

function mergeManifest(text: string, starter: string): string {
  const own = readManifest(text);
  const { scripts, devDependencies } = readManifest(starter);
  const isNamed = /"property-catalogue":/.test(JSON.stringify([own.dependencies, own.devDependencies]));
  const merged = {
    ...own,
    scripts: { ...scripts, ...own.scripts },
    ...(isNamed ? {} : { devDependencies: { ...own.devDependencies, ...devDependencies } }),
  };
  const [indent = '  '] = /^[ \t]+(?=")/m.exec(text) ?? [];
  const isSame = JSON.stringify(merged) === JSON.stringify(own);
  return isSame ? text : `${JSON.stringify(merged, null, indent)}\n`;
}

function readManifest(text: string): Manifest & { dependencies?: object } {
  try {
    const manifest = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (Object(manifest) === manifest && !Array.isArray(manifest)) return manifest;
  } catch {}
  throw new UsageError('invalid-package', 'package.json is no JSON object. Correct it, and run this again.');
}

function mergeLines(own: string, starter: string): string {
  const bare = (line: string) => line.replace(/^\/|\/$/g, '');
  const present = new Set(own.split(/\r?\n/).map(bare));
  const missing = starter.split('\n').filter((line) => line && !present.has(bare(line)));
  return missing.length === 0 ? own : `${own.replace(/(?<!\n)$/, '\n')}${missing.join('\n')}\n`;
}
