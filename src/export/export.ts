import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join as joinPath } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { toSchemaOrg } from '../client/schema-org.ts';
import type { PropertyRecord } from '../client/types.ts';
import { CSV_KEY, DATA_PACKAGE_KEY, INDEX_KEY, NDJSON_KEY, partKey } from '../contract/document-keys.ts';
import { chunkKey, facetsKey, rootKey } from '../contract/object-keys.ts';
import { isReleaseKey } from '../contract/object-kinds.ts';
import { csvFormatWithColumns } from '../documents/csv-format.ts';
import { UsageError } from '../errors/errors.ts';
import { renameFile } from '../files/rename-and-link.ts';
import { digestOf } from '../release/digest.ts';
import {
  fileDiffersError,
  fileMissingError,
  type OpenReleaseOptions,
  openFileReader,
  type ReadBytes,
} from '../release/open-release.ts';
import { entryBytes, parseChunk } from '../tree/format/chunk.ts';
import { parseFacetColumns } from '../tree/format/facets.ts';
import { facetDigests, parseRoot, type Root } from '../tree/format/root.ts';
import type { ExportFormat } from './formats.ts';

/** Only the members that are read here: documents of later versions may have more. */
const INDEX = z.object({ release: z.string(), downloads: z.array(z.unknown()).optional() });
const COLUMNS = z.array(z.object({ name: z.string().regex(/^\w+(?:@[\w-]+)?$/), type: z.string() }));
const PACKAGE = z.object({
  resources: z.array(z.object({ path: z.string(), schema: z.object({ fields: COLUMNS }).optional() })),
  columns: COLUMNS.optional(),
});
/**
 * Yields properties sorted by id, but GeoJSON in the order of lists. Holds the root in memory, and only one part
 * or one chunk with its facets.
 * @param place a folder such as `dist/public`, or a base URL
 * @throws UsageError `nothing-built`, `not-offered`, `invalid-api-key`; EnvironmentError `file-missing`,
 * `file-differs`, `unreachable`
 */
export async function* exportCatalogue(
  place: string,
  format: ExportFormat,
  options: OpenReleaseOptions = {},
): AsyncGenerator<Buffer | string> {
  const files = openFiles(openFileReader(place, options));
  const index = await files.ifThere(INDEX_KEY);
  if (!index)
    throw new UsageError(
      'nothing-built',
      `There is no catalogue at ${place}. Name a folder such as dist/public or a base URL.`,
    );
  const { release, downloads } = parsed(INDEX_KEY, index, INDEX);
  if (!downloads)
    throw new UsageError(
      'not-offered',
      `The catalogue at ${place} offers no downloads. Set "bulk: true" in catalogue.yaml and build again.`,
    );
  const root = await files.root(release);
  const parts = (async function* () {
    for (const { digest } of root.details) yield await files.checked(partKey(digest), digest);
  })();
  if (format === 'ndjson') yield* parts;
  else if (format === 'schema.org') yield* joined('[\n', textsOf(parts, inSchemaOrg), '\n]\n');
  else if (format === 'csv')
    yield* rowsOf(parts, columnsIn(parsed(DATA_PACKAGE_KEY, await files.at(DATA_PACKAGE_KEY), PACKAGE)));
  else yield* joined('{"type":"FeatureCollection","features":[\n', featuresOf(root, files), '\n]}\n');
}

function columnsIn({ resources, columns }: z.output<typeof PACKAGE>): Columns {
  const found = columns ?? resources.find(({ path }) => path === CSV_KEY)?.schema?.fields;
  if (!found) throw fileDiffersError(DATA_PACKAGE_KEY);
  return found;
}

type Columns = z.output<typeof COLUMNS>;
type Parts = AsyncGenerator<Buffer>;
type Files = ReturnType<typeof openFiles>;

/** Rejects keys that could lead out of the folder, since the documents may be untrusted. */
function openFiles(ifThere: ReadBytes) {
  const at = async (key: string) => {
    if (!isReleaseKey(key)) throw fileDiffersError(INDEX_KEY);
    return (await ifThere(key)) ?? Promise.reject(fileMissingError(key));
  };
  const checked = async (key: string, digest: string): Promise<Buffer> => {
    const bytes = await at(key);
    if (digestOf(bytes) === digest) return bytes;
    throw fileDiffersError(key);
  };
  return {
    ifThere,
    at,
    checked,
    async root(release: string): Promise<Root> {
      const key = rootKey(release);
      return parseRoot(await checked(key, release), release) ?? Promise.reject(fileDiffersError(key));
    },
  };
}

async function* textsOf(parts: Parts, textOf: (property: PropertyRecord) => string): AsyncGenerator<string> {
  for await (const part of parts)
    for (const line of part.toString('utf8').split('\n')) if (line !== '') yield textIn(line, textOf);
}

function textIn(line: string, textOf: (property: PropertyRecord) => string): string {
  try {
    return textOf(JSON.parse(line) as PropertyRecord);
  } catch {
    // The digest is right, so the file is not damaged: another program made the release.
    throw fileDiffersError(NDJSON_KEY);
  }
}

async function* rowsOf(parts: Parts, columns: Columns): AsyncGenerator<string> {
  const { head, rowOf } = csvFormatWithColumns(columns);
  yield head;
  yield* textsOf(parts, (property) => rowOf(property.id, property));
}

async function* featuresOf(root: Root, files: Files): AsyncGenerator<string> {
  const names = facetDigests(root);
  for (const [index, { digest, start, end }] of root.chunks.entries()) {
    const [key, facetKey] = [chunkKey(digest), facetsKey(names[index]!)];
    const chunk = parseChunk(await files.checked(key, digest));
    if (chunk?.count !== end - start) throw fileDiffersError(key);
    const facets = parseFacetColumns(await files.checked(facetKey, names[index]!), chunk.count);
    if (!facets) throw fileDiffersError(facetKey);
    for (let index = 0; index < chunk.count; index++) {
      const summary = Buffer.from(entryBytes(chunk, index, index + 1));
      const id = JSON.stringify(parsed(key, summary, z.object({ id: z.string() })).id);
      const at = `{"type":"Point","coordinates":[${facets.longitude[index]},${facets.latitude[index]}]}`;
      yield `{"type":"Feature","id":${id},"geometry":${at},"properties":${summary}}`;
    }
  }
}

function inSchemaOrg(property: PropertyRecord): string {
  return JSON.stringify(toSchemaOrg(property));
}

async function* joined(
  head: string,
  members: AsyncGenerator<Buffer | string>,
  end: string,
): AsyncGenerator<Buffer | string> {
  yield head;
  let isFirst = true;
  for await (const member of members) {
    if (!isFirst) yield ',\n';
    isFirst = false;
    yield member;
  }
  yield end;
}

function parsed<Schema extends z.ZodType>(key: string, bytes: Buffer, schema: Schema): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw fileDiffersError(key);
  }
}

/** Replaces the file only after everything is written. */
export async function writeFileFromStream(
  path: string,
  parts: AsyncIterable<Buffer | string>,
): Promise<void> {
  const temporary = joinPath(dirname(path), `.${basename(path).slice(0, 40)}.${randomUUID().slice(0, 8)}`);
  try {
    await pipeline(Readable.from(parts), createWriteStream(temporary, { flags: 'wx' }));
    renameFile(temporary, path);
  } catch (error) {
    if (Object(error).path === temporary) Object.assign(error as object, { path });
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
