/** The stage that writes what consumers find beside the API: documents, the reference page and the downloads. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Configuration, hasBulk } from '../../contract/configuration.ts';
import {
  CITY_LISTS_FOLDER,
  COUNTRIES_KEY,
  cityListKey,
  DATA_PACKAGE_KEY,
  DOCS_FOLDER,
  DOWNLOAD_KEYS,
  EXPLORER_KEY,
  INDEX_KEY,
  OPENAPI_JSON_KEY,
  OPENAPI_YAML_KEY,
  POINTS_FOLDER,
  pointsKey,
} from '../../contract/document-keys.ts';
import { EXPLORER_FOLDER, PARTS_FOLDER, propertyKey, scopeFolder } from '../../contract/keys.ts';
import { cityListText, countriesText, countryRuns } from '../../documents/countries.ts';
import { dataPackageText } from '../../documents/data-package.ts';
import { explorerPage } from '../../documents/explorer-page.ts';
import { downloadsOf, indexText } from '../../documents/index.ts';
import { pointsText } from '../../documents/points.ts';
import { copyPreparedFile, preparedFiles } from '../../documents/prepared-files.ts';
import { removeFolder, writeDocument } from '../../folder.ts';
import type { Comparison } from '../../release/comparison.ts';
import { DIGEST_LENGTH, digestOf } from '../../release/digest.ts';
import type { Entry, JoinedSummaries, Scope } from '../../release/sequence.ts';
import { readLogo } from '../inputs/logo.ts';
import type { OutputFolder } from '../output-folder.ts';
import { type FileRecord, readStaged } from '../read/files.ts';
import type { WrittenPart } from './bulk-chunks.ts';

/** What the last build wrote of these files; undefined when unknown. */
export type RememberedFiles = {
  readonly documents: Readonly<Record<string, string>>;
  /** The downloads. */
  readonly parts?: readonly WrittenPart[] | undefined;
};

/** What the last build wrote of these files, and the id of the property that came first. */
type LastFiles = RememberedFiles & {
  readonly first: string | undefined;
};

/** A release, as far as these files depend on it. */
export type CatalogueFilesInput = {
  readonly sequence: readonly Entry[];
  readonly scopes: readonly Scope[];
  readonly summaries: JoinedSummaries;
  readonly folder: OutputFolder;
  /** Records of files that were read, by entry: their details may not be published yet. */
  readonly fresh: ReadonlyMap<Entry, FileRecord>;
  /** The content folder. */
  readonly content: string;
  readonly configuration: Configuration;
  /** Its name. */
  readonly release: string;
  /** What differs from the last release. */
  readonly comparison: Comparison;
  readonly last: LastFiles | undefined;
};

const SMALL_KEYS = [OPENAPI_JSON_KEY, OPENAPI_YAML_KEY, COUNTRIES_KEY, INDEX_KEY];

/** Number of these files, the downloads apart, in a release with this number of countries. */
export function countCatalogueFiles(configuration: Configuration, countries: number): number {
  return (
    SMALL_KEYS.length +
    2 * countries +
    (hasBulk(configuration) ? 1 : 0) +
    (configuration.explorer.enabled ? 1 : 0) +
    (configuration.logo ? 1 : 0) +
    preparedFilesOf(configuration).size
  );
}

/** Digests of the files that come with the package, by key. */
function preparedFilesOf({ docs, explorer }: Configuration): Map<string, string> {
  return new Map([
    ...(docs ? preparedFiles(DOCS_FOLDER) : []),
    ...(explorer.enabled ? preparedFiles(EXPLORER_FOLDER) : []),
  ]);
}

/**
 * Writes those that differ, but for the downloads and what names them.
 *
 * @param documents is filled in with the digests of all.
 * @returns the number of files written.
 */
export async function writeCatalogueFiles(
  input: CatalogueFilesInput,
  documents: Map<string, string>,
): Promise<number> {
  const { configuration, sequence, scopes, last } = input;
  const root = input.folder.public;
  let written = 0;
  const write = (key: string, text: string | Buffer) => {
    written += writeDiffering(input, documents, key, text);
  };
  if (last && hasSameExample(input))
    for (const key of [OPENAPI_JSON_KEY, OPENAPI_YAML_KEY]) documents.set(key, last.documents[key]!);
  else written += await writeOpenApi(input, documents);
  const runs = countryRuns(scopes);
  write(COUNTRIES_KEY, countriesText(runs));
  for (const run of runs) write(cityListKey(run.country), cityListText(run));
  const changed = changedCountries(input);
  for (const { country, start, end } of runs) {
    const key = pointsKey(country);
    const known = changed.has(country) ? undefined : last?.documents[key];
    if (known !== undefined) documents.set(key, known);
    else write(key, pointsText(country, sequence.slice(start, end)));
  }
  const prepared = preparedFilesOf(configuration);
  if (configuration.explorer.enabled) write(EXPLORER_KEY, explorerPage(configuration, prepared.keys()));
  const { logo } = configuration;
  if (logo?.key) write(logo.key, readLogo(input.content, logo));
  for (const [key, digest] of prepared) {
    documents.set(key, digest);
    if (last?.documents[key] === digest) continue;
    copyPreparedFile(root, key);
    written++;
  }
  return written;
}

/**
 * Writes what names the downloads, once they are there: `index.json`, and the description of the data package.
 *
 * @param documents is filled in with their digests, and those of the downloads.
 * @returns the number of files written.
 */
export function writeIndex(
  input: CatalogueFilesInput,
  parts: readonly WrittenPart[] | undefined,
  documents: Map<string, string>,
): number {
  const { configuration, release, scopes, sequence } = input;
  for (const { files } of parts ?? [])
    for (const { key, sha256 } of files) documents.set(key, sha256.slice(0, DIGEST_LENGTH));
  const downloads = parts && downloadsOf(parts);
  const countries = scopes.filter(({ country, city }) => country && !city).length;
  const index = indexText(configuration, { release, properties: sequence.length, countries, downloads });
  const written = writeDiffering(input, documents, INDEX_KEY, index);
  if (!downloads) return written;
  const description = dataPackageText(configuration, { release, downloads });
  return written + writeDiffering(input, documents, DATA_PACKAGE_KEY, description);
}

/** Writes a file that differs from that of the last build. Returns the number of files written. */
function writeDiffering(
  { folder, last }: Pick<CatalogueFilesInput, 'folder' | 'last'>,
  documents: Map<string, string>,
  key: string,
  text: string | Buffer,
): number {
  const digest = digestOf(text);
  documents.set(key, digest);
  if (last?.documents[key] === digest) return 0;
  writeDocument(folder.public, key, text);
  return 1;
}

/** Countries with a property that is new, gone or another one. */
function changedCountries({ comparison, fresh }: CatalogueFilesInput): Set<string> {
  const scopes = [...comparison.changed.map(({ scope }) => scope), ...fresh.keys()];
  return new Set(scopes.map(({ country }) => country));
}

/** Whether the OpenAPI document would have the same examples: the first property, and the list of its city. */
function hasSameExample({ sequence, comparison, last }: CatalogueFilesInput): boolean {
  const first = sequence[0];
  if (!first || last?.first !== first.id || comparison.writtenDetails.includes(first.id)) return false;
  const folder = scopeFolder(first.country, first.city);
  return comparison.changed.every((scope) => scope.folder !== folder);
}

/** Writes the OpenAPI document in both forms, if it differs. Returns the number of files written. */
async function writeOpenApi(input: CatalogueFilesInput, documents: Map<string, string>): Promise<number> {
  const { openApiText } = await import('../../documents/openapi.ts');
  const { configuration, sequence, scopes, summaries, last } = input;
  const root = input.folder.public;
  const first = sequence[0];
  const city = scopes.find(({ country, city }) => country === first?.country && city === first?.city);
  const text = openApiText(
    configuration,
    first && {
      id: first.id,
      detail: detailOf(first, input),
      summaries: summariesOf(summaries, city?.total ?? 0),
    },
  );
  const digest = digestOf(text);
  documents.set(OPENAPI_JSON_KEY, digest);
  const yamlDigest = last?.documents[OPENAPI_YAML_KEY];
  if (yamlDigest && last.documents[OPENAPI_JSON_KEY] === digest) {
    documents.set(OPENAPI_YAML_KEY, yamlDigest);
    return 0;
  }
  const { yamlText } = await import('../../documents/yaml-text.ts');
  const yaml = yamlText(text);
  documents.set(OPENAPI_YAML_KEY, digestOf(yaml));
  writeDocument(root, OPENAPI_JSON_KEY, text);
  writeDocument(root, OPENAPI_YAML_KEY, yaml);
  return 2;
}

/** The detail of a property: one that is to be published waits in a spool. */
function detailOf(entry: Entry, { folder, fresh }: CatalogueFilesInput): string {
  const staged = fresh.get(entry)?.staged;
  if (!staged) return readFileSync(join(folder.public, propertyKey(entry.id)), 'utf8');
  return readStaged(folder.staging, staged).toString('utf8');
}

/** The first entries: the sequence starts with the first city of the first country. */
function summariesOf({ bytes, offsets }: JoinedSummaries, count: number): string[] {
  const joined = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: count }, (_, index) =>
    joined.toString('utf8', offsets[index], offsets[index + 1]! - 1),
  );
}

/** Removes what an earlier configuration, or an earlier package, had and this one has not. */
export function removeOtherFiles(
  root: string,
  documents: ReadonlyMap<string, string>,
  last: RememberedFiles | undefined,
): number {
  let removed = 0;
  const known = last
    ? Object.keys(last.documents).filter((key) => isOfChangingName(key))
    : [...DOWNLOAD_KEYS, DATA_PACKAGE_KEY, ...preparedFiles(DOCS_FOLDER).keys(), ...explorerLeftovers(root)];
  for (const key of known) {
    if (documents.has(key) || !existsSync(join(root, key))) continue;
    rmSync(join(root, key));
    removed++;
    if (dirname(key) !== '.') removeFolder(join(root, dirname(key)));
  }
  return removed;
}

/** Whether another release may have files of this kind under other names, or none. */
function isOfChangingName(key: string): boolean {
  if (DOWNLOAD_KEYS.some((name) => name === key)) return true;
  return [EXPLORER_FOLDER, CITY_LISTS_FOLDER, POINTS_FOLDER, PARTS_FOLDER].some((folder) =>
    key.startsWith(`${folder}/`),
  );
}

/** What any version of the explorer may have left: its page is recognised by what it holds. */
function explorerLeftovers(root: string): string[] {
  const names = existsSync(join(root, EXPLORER_FOLDER)) ? readdirSync(join(root, EXPLORER_FOLDER)) : [];
  const keys = names.filter((name) => ASSET.test(name)).map((name) => `${EXPLORER_FOLDER}/${name}`);
  const page = join(root, EXPLORER_KEY);
  if (existsSync(page) && readFileSync(page, 'utf8').includes('<div id="explorer" data-settings='))
    keys.push(EXPLORER_KEY);
  return keys;
}

/** Names of what the explorer loads. */
const ASSET = /^[a-z]+-[\w-]{8}\.(?:js|css|json|txt|png|jpg|webp|avif)$/;
