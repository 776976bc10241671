import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builds } from './bench/builds.ts';
import { dev } from './bench/dev.ts';
import { edit } from './bench/edit.ts';
import { imports } from './bench/imports.ts';
import { million } from './bench/million.ts';
import { photos } from './bench/photos.ts';
import { type Bench, describeMachine, makeFolder } from './bench/place.ts';
import { publishing } from './bench/publishing.ts';
import { type Row, rowTable } from './bench/row.ts';
import { search } from './bench/search.ts';
import { serve } from './bench/serve.ts';
import { line } from './bench/slow-network.ts';
import { readOptions, UsageError, wholeNumber } from './command-line.ts';
import { replaceSection } from './table.ts';

const USAGE = `Usage: npm run bench -- [options]

Builds, checks, publishes and serves catalogues, in turn with its peers, and prints tables. An hour on two idle cores, and 8 GB
in /dev/shm. rclone, Hugo and wrk come from Debian's packages, npm fetches Velite; what is not there is left out.

  --quick                less of each, in one round: five minutes
  --million              a million properties from YAML to the Worker, and nothing else: an hour more, 6 GB in /dev/shm and 24 GB
                         of disk
  --only <names>         only these tables, of: builds, imports, publishing, line, dev, edit, serve,
                         search, photos
  --properties <number>  catalogues of that many, to try something out
  --rounds <number>      how often all take turns; 5 otherwise
  --before <file>        another compiled command line (lib/cli.js of another commit) that takes turns with this one
  --write                puts the tables into docs/measurements.md`;

/** `bytes`: disk space that the section's files take. */
const SECTIONS = {
  builds: { rowsOf: builds, bytes: 8e9 },
  imports: { rowsOf: imports, bytes: 1e9 },
  publishing: { rowsOf: publishing, bytes: 2e9 },
  line: { rowsOf: line, bytes: 2e9 },
  dev: { rowsOf: dev, bytes: 3e9 },
  edit: { rowsOf: edit, bytes: 3e9 },
  serve: { rowsOf: serve, bytes: 1e8 },
  search: { rowsOf: search, bytes: 2e9 },
  photos: { rowsOf: photos, bytes: 1e9 },
  million: { rowsOf: million, bytes: 6e9 },
};
type Section = keyof typeof SECTIONS;

const DOCUMENT = new URL('../docs/measurements.md', import.meta.url);
const CLI = fileURLToPath(new URL('../lib/cli.js', import.meta.url));

type Options = Omit<Bench, 'folder'> & { readonly sections: readonly Section[]; readonly write: boolean };

function readArguments(args: string[]): Options {
  const given = readOptions(args, {
    quick: { type: 'boolean' },
    million: { type: 'boolean' },
    only: { type: 'string' },
    properties: { type: 'string' },
    rounds: { type: 'string' },
    before: { type: 'string' },
    write: { type: 'boolean' },
  });
  const isQuick = given.quick === true;
  const number = (name: string) =>
    given[name] === undefined ? undefined : wholeNumber(name, String(given[name]), 1);
  const before = given.before === undefined ? undefined : String(given.before);
  for (const file of [CLI, ...(before === undefined ? [] : [before])])
    if (!existsSync(file)) throw new UsageError(`${file} is not there: npm run compile`);
  const all = Object.keys(SECTIONS).filter((name) => name !== 'million');
  const sections = given.million ? ['million'] : String(given.only ?? all).split(',');
  for (const name of sections) if (!(name in SECTIONS)) throw new UsageError(`there is no table ${name}`);
  return {
    cli: CLI,
    before,
    isQuick,
    rounds: number('rounds') ?? (isQuick ? 1 : 5),
    properties: number('properties'),
    sections: sections as Section[],
    write: given.write === true,
  };
}

async function main(): Promise<void> {
  const { sections, write, ...options } = readArguments(process.argv.slice(2));
  // The local server has no certificate.
  delete process.env.AWS_CA_BUNDLE;
  const size = options.properties === undefined ? 1 : Math.min(1, options.properties / 10_000);
  for (const name of sections) {
    const { rowsOf, bytes } = SECTIONS[name];
    const folder = makeFolder(bytes * size);
    const machine = describeMachine(folder);
    const rows: readonly Row[] = await rowsOf({ ...options, folder });
    const text = `${machine}\n\n${rowTable(rows)}`;
    console.log(text);
    if (write) writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), `bench:${name}`, text));
  }
}

main().catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
});
