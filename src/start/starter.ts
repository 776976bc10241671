/** A repository for a new catalogue: the files of `starter/`, with what is known of the catalogue filled in. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { planProperty, writePlanned } from '../editing/new-property.ts';
import { scalarText } from '../editing/scalar.ts';
import { SCHEMA_FILE, writeSchema } from '../editing/schema-file.ts';
import { slugOf } from '../editing/slug.ts';
import { ifThere, makeFolder } from '../folder.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import { findSourceFiles } from '../source/find-files.ts';
import { exampleProperty } from './example.ts';
import { MERGES } from './existing.ts';

/** Answers of the owner. */
export type Settings = {
  readonly title: string;
  /** URL in front of the API. */
  readonly baseUrl: string;
  /** ISO 3166-1 alpha-2 code of the first property. */
  readonly country: string;
  /** ISO 4217 code. */
  readonly currency: string;
};

/** Everything that the files of a new repository say. */
export type Start = Settings & {
  /** Version of this package, or an address that npm takes in its place. */
  readonly package: string;
};

/** Paths relative to the folder, sorted, with `/`. */
export type Started = {
  readonly written: readonly string[];
  /** Files that were there already, and have new lines. */
  readonly changed: readonly string[];
  /** Files that were there already, and were left as they are. */
  readonly left: readonly string[];
  /** Command that shows the catalogue: the owner may have another script of that name. */
  readonly dev: string;
};

const STARTER = fileURLToPath(new URL('starter/', PACKAGE_ROOT));
/** Folder of the pictures of the example property; they go to its photos. */
const PICTURES = 'pictures/';
/** Folder of the content in a new repository. */
const CONTENT = 'content';

/**
 * Writes the repository. A file that is there already is left as it is, or has lines added; so are the properties that are.
 *
 * @throws UsageError `invalid-package`, before anything is written.
 */
export function writeStarter(folder: string, start: Start): Started {
  const written: string[] = [];
  const changed: string[] = [];
  const left: string[] = [];
  const values = placeholders(folder, start);
  const files = starterFiles().map((source) => {
    const path = targetPath(source);
    const own = ifThere(() => readFileSync(join(folder, path), 'utf8'));
    const text = filled(readFileSync(join(STARTER, source), 'utf8'), values);
    return { path, own, text: own === undefined ? text : (MERGES[path]?.(own, text) ?? own) };
  });
  for (const { path, own, text } of files) {
    (own === undefined ? written : own === text ? left : changed).push(path);
    if (own === text) continue;
    makeFolder(dirname(join(folder, path)));
    writeFileSync(join(folder, path), text, { flag: own === undefined ? 'wx' : 'w' });
  }
  const content = join(folder, CONTENT);
  if (findSourceFiles(content).files.length === 0) {
    const planned = planProperty(content, exampleProperty(start.country, start.currency));
    writePlanned(content, planned);
    written.push(
      ...[planned.path, ...planned.copies.map(({ to }) => to)].map((path) => `${CONTENT}/${path}`),
    );
  }
  if (!existsSync(join(content, SCHEMA_FILE))) {
    writeSchema(content);
    written.push(`${CONTENT}/${SCHEMA_FILE}`);
  }
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const dev = scripts.dev === 'catalogue dev --open' ? 'npm run dev' : 'npx catalogue dev --open';
  return { written: written.sort(), changed, left, dev };
}

/** Paths of the texts of the starter, sorted. */
function starterFiles(): string[] {
  return readdirSync(STARTER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(STARTER, join(parentPath, name)).split(sep).join('/'))
    .filter((path) => !path.startsWith(PICTURES))
    .sort();
}

/** A name that starts with a dot starts with `_` in the package: npm leaves some of those out. */
function targetPath(source: string): string {
  return source.replace(/^_/, '.');
}

/** The values for `@@name@@` in the files, as the files need them. */
function placeholders(folder: string, start: Start): ReadonlyMap<string, string> {
  const { title, baseUrl } = start;
  return new Map([
    ['name', slugOf(folder.split(sep).at(-1) ?? '', 60) || 'catalogue'],
    ['title', scalarText(title)],
    ['heading', title.replace(/[\\`*_{}[\]<>#|]/g, '\\$&')],
    ['base_url', scalarText(baseUrl)],
    ['package', start.package],
    ['docs', 'node_modules/property-catalogue/docs'],
  ]);
}

function filled(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/@@(\w+)@@/g, (whole, name: string) => values.get(name) ?? whole);
}
