// A file may import (types too) only from its own layer and earlier ones. `npm run lint` checks this.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastGlob from 'fast-glob';
import { isMain } from './command-line.ts';

export type Layer = {
  /** In `src/`; folders end with a slash. The longest match decides. */
  readonly paths: readonly string[];
  readonly noun: string;
  /** Undefined for a room of a folder that a later layer describes. */
  readonly holds?: string;
};

export const LAYERS: readonly Layer[] = [
  {
    paths: ['errors/', 'text/', 'files/', 'values/', 'process/', 'package/'],
    noun: 'the ground',
    holds:
      'errors a user may see, words, safe printing, folders, memoization, version and addresses of the package',
  },
  {
    paths: ['contract/'],
    noun: 'the API',
    holds: 'schemas, fields, parameters, `route()`, problems, headers, object keys, configuration, OpenAPI',
  },
  {
    paths: ['storage/'],
    noun: 'a place that holds objects',
    holds: '`Bucket`: S3, Google, Azure, a folder; connection, pace, retries; dry run; the log, the lock',
  },
  {
    paths: ['source/'],
    noun: 'an authored file',
    holds: 'finding, reading and checking YAML; diagnostics with positions, and their dictionary',
  },
  { paths: ['media/'], noun: 'an image', holds: 'a photo to published images and thumbnails' },
  { paths: ['tree/format/'], noun: 'the release tree', holds: 'the format of chunks, roots and tables' },
  {
    paths: ['release/'],
    noun: 'a release',
    holds: 'pages, comparison by leaves, digests, root; opening an existing release',
  },
  {
    paths: ['targets/runtime/'],
    noun: 'what runs at the edge',
    holds: 'an answer to a request, for every platform that runs JavaScript',
  },
  { paths: ['tree/'], noun: 'the release tree, used', holds: 'dividing, and serving from chunks' },
  {
    paths: ['documents/'],
    noun: 'a file beside the API',
    holds: 'OpenAPI, property schema, countries and cities, index, the page of the explorer',
  },
  {
    paths: ['targets/'],
    noun: 'a serving platform',
    holds: 'one folder for each: generator and README text',
  },
  {
    paths: ['compile/'],
    noun: '`dist`',
    holds: 'a build: inputs, read, images, plan, write, state, threads',
  },
  { paths: ['history/'], noun: 'the change feed', holds: 'what differs between two releases' },
  {
    paths: ['publish/'],
    noun: 'a publication',
    holds: 'plan, order, refusals, releases, rollback, prune, purge of caches',
  },
  { paths: ['verify/'], noun: 'a live deployment', holds: 'its comparison with a release' },
  { paths: ['diff/'], noun: 'a change of the content', holds: 'what it changes in what is published' },
  { paths: ['client/'], noun: 'a consumer', holds: 'the client for TypeScript' },
  { paths: ['export/'], noun: 'an export', holds: 'every property of a release in one file' },
  { paths: ['explorer/'], noun: 'the explorer', holds: 'the page that searches a catalogue in a browser' },
  { paths: ['serve/'], noun: 'a local server', holds: '`createHandler` and `catalogue serve`' },
  { paths: ['editing/'], noun: 'editing', holds: 'new properties, formatting, repairs, the schema file' },
  { paths: ['import/finding.ts', 'import/guarded-fetch.ts', 'import/words/'], noun: 'words of a table' },
  { paths: ['import/table/'], noun: 'a table' },
  { paths: ['import/mapping/'], noun: 'a mapping' },
  { paths: ['import/questions/'], noun: 'a question' },
  { paths: ['import/candidate/'], noun: 'a candidate' },
  { paths: ['import/files/'], noun: 'an imported file' },
  { paths: ['import/service/'], noun: 'a service' },
  {
    paths: ['import/'],
    noun: 'an import',
    holds:
      'properties of a service or a table, as YAML files; in order `words/`, `table/`, `mapping/`, `questions/`, `candidate/`, `files/`, `service/`',
  },
  { paths: ['report/'], noun: 'a report', holds: 'pretty text, JSON, SARIF, annotations, progress' },
  {
    paths: ['editor/'],
    noun: 'the page that edits a property',
    holds: 'the page, and what it asks of `dev/`',
  },
  {
    paths: ['dev/'],
    noun: 'an editing session',
    holds:
      '`session/` watches and builds, `preview/` serves the page that reloads; `api/`, `content/`, `git/` for the page that edits',
  },
  { paths: ['start/'], noun: 'a new repository', holds: 'what `catalogue init` asks and writes' },
  { paths: ['commands/'], noun: 'a command', holds: 'one file for each: options, action, exit code, help' },
  { paths: ['cli.ts', 'index.ts'], noun: 'the entrances', holds: 'the command line, and the library' },
];

/** Index in {@link LAYERS}. @param path within `src/` */
export function layerOf(path: string): number {
  let best = -1;
  let length = -1;
  LAYERS.forEach(({ paths }, place) => {
    for (const start of paths) {
      if (path.startsWith(start) && start.length > length) [best, length] = [place, start.length];
    }
  });
  if (best < 0) throw new Error(`src/${path} is in no layer: add its folder to scripts/layers.ts.`);
  return best;
}

/** Imports and exports of our own modules, including types and dynamic imports. */
const IMPORT = /^(?! *(?:\*|\/\/)).*?(?:\bfrom|\bimport) *\(? *'(\.[^']+\.tsx?)'/gm;

/** Imports from a later layer or from outside of `src/`, as `from -> to`. */
export function upwardImports(root: string): string[] {
  const paths = fastGlob.sync('src/**/*.{ts,tsx}', { cwd: root, ignore: ['**/*.d.ts'] }).sort();
  return paths.flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const imports = [...text.matchAll(IMPORT)].map(([, to]) => posix.join(posix.dirname(path), to!));
    return [...new Set(imports)].filter((to) => isUpward(path, to)).map((to) => `${path} -> ${to}`);
  });
}

function isUpward(from: string, to: string): boolean {
  return !to.startsWith('src/') || layerOf(to.slice(4)) > layerOf(from.slice(4));
}

if (isMain(import.meta.url)) {
  const found = upwardImports(fileURLToPath(new URL('..', import.meta.url)));
  for (const line of found) console.error(`${line} goes up: see scripts/layers.ts`);
  if (found.length > 0) process.exitCode = 1;
}
