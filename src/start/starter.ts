/** A repository for a new catalogue: the files of `starter/`, with what is known of the catalogue filled in. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { planProperty, writePlanned } from '../editing/new-property.ts';
import { scalarText } from '../editing/scalar.ts';
import { SCHEMA_FILE, writeSchema } from '../editing/schema-file.ts';
import { slugOf } from '../editing/slug.ts';
import { makeFolder } from '../folder.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import { findSourceFiles } from '../source/find-files.ts';
import { repository, version } from '../version.ts';
import { exampleProperty } from './example.ts';

/** What is to be known of a catalogue before it has a repository. */
export type Start = {
  readonly title: string;
  /** URL in front of the API. */
  readonly baseUrl: string;
  /** ISO 3166-1 alpha-2 code of the first property. */
  readonly country: string;
  /** ISO 4217 code. */
  readonly currency: string;
};

/** Paths relative to the folder, sorted, with `/`. */
export type Started = {
  readonly written: readonly string[];
  /** Files that were there already, and were left as they are. */
  readonly left: readonly string[];
};

const STARTER = fileURLToPath(new URL('starter/', PACKAGE_ROOT));
/** Folder of the pictures of the example property; they go to its photos. */
const PICTURES = 'pictures/';
/** Folder of the content in a new repository. */
const CONTENT = 'content';

/** Writes the repository. A file that is there already is left as it is; so are the properties that are. */
export function writeStarter(folder: string, start: Start): Started {
  const written: string[] = [];
  const left: string[] = [];
  const values = placeholders(folder, start);
  for (const source of starterFiles()) {
    const path = targetPath(source);
    const file = join(folder, path);
    if (existsSync(file)) left.push(path);
    else {
      makeFolder(dirname(file));
      writeFileSync(file, filled(readFileSync(join(STARTER, source), 'utf8'), values), { flag: 'wx' });
      written.push(path);
    }
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
  return { written: written.sort(), left: left.sort() };
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
function placeholders(folder: string, { title, baseUrl }: Start): ReadonlyMap<string, string> {
  const { host, pathname } = new URL(repository);
  return new Map([
    ['name', slugOf(folder.split(sep).at(-1) ?? '', 60) || 'catalogue'],
    ['title', scalarText(title)],
    ['heading', title.replace(/[\\`*_{}[\]<>#|]/g, '\\$&')],
    ['base_url', scalarText(baseUrl)],
    ['version', version],
    ['action', `${pathname.slice(1)}@v${version}`],
    ['docs', `${repository}/blob/main/docs`],
    ['raw', host === 'github.com' ? `https://raw.githubusercontent.com${pathname}` : `${repository}/raw`],
  ]);
}

function filled(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/@@(\w+)@@/g, (whole, name: string) => values.get(name) ?? whole);
}
