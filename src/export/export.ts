/** Writes every property of a release to one file: the downloads, joined from their parts, or in the words of schema.org. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { toSchemaOrg } from '../client/schema-org.ts';
import type { PropertyRecord } from '../client/types.ts';
import { CSV_KEY, GEOJSON_KEY, INDEX_KEY, NDJSON_KEY } from '../contract/document-keys.ts';
import { isReleaseKey } from '../contract/kinds.ts';
import { UsageError } from '../errors/errors.ts';
import { renameFile } from '../files/file-names.ts';
import { differs, locationOf, missing, type OpenOptions, type ReadBytes } from '../release/open.ts';
import type { ExportFormat } from './formats.ts';

const DOWNLOADS: Readonly<Record<ExportFormat, string>> = {
  ndjson: NDJSON_KEY,
  csv: CSV_KEY,
  geojson: GEOJSON_KEY,
  'schema.org': NDJSON_KEY,
};

/** What is read of an index; a later version may have more. */
const LIST = z.object({ parts: z.array(z.object({ href: z.string(), sha256: z.string() })) });
const DOWNLOAD = LIST.extend({ name: z.string(), lists: z.array(z.object({ href: z.string() })).optional() });
const INDEX = z.object({ downloads: z.array(DOWNLOAD).optional() });

/**
 * Yields the bytes of one file with every property, with one part in memory.
 *
 * @param place folder such as `dist/public`, or base URL of a live catalogue.
 * @throws UsageError `nothing-built`, `not-offered`, `invalid-api-key`; EnvironmentError `file-missing`, `file-differs`,
 *   `unreachable`.
 */
export async function* exportCatalogue(
  place: string,
  format: ExportFormat,
  options: OpenOptions = {},
): AsyncGenerator<Buffer | string> {
  const { read } = locationOf(place, options);
  const index = await read(INDEX_KEY);
  if (!index)
    throw new UsageError(
      'nothing-built',
      `There is no catalogue at ${place}. Name a folder such as dist/public or a base URL.`,
    );
  const { downloads = [] } = parsed(INDEX_KEY, index, INDEX);
  const wanted = downloads.find(({ name }) => name === DOWNLOADS[format]);
  if (!wanted) {
    const hint =
      downloads.length > 0
        ? 'A catalogue with "layout: packed" offers only --format ndjson and schema.org.'
        : 'Set "bulk: true" in catalogue.yaml and build again.';
    throw new UsageError('not-offered', `The catalogue at ${place} offers no ${DOWNLOADS[format]}. ${hint}`);
  }
  yield* FORMATS[format](partsOf(read, wanted));
}

type Parts = AsyncGenerator<Buffer>;

const FORMATS: Readonly<Record<ExportFormat, (parts: Parts) => AsyncGenerator<Buffer | string>>> = {
  ndjson: (parts) => parts,
  // The first part has the header row.
  csv: (parts) => parts,
  // Each part is a feature collection with a line for each feature.
  geojson: (parts) =>
    joined(
      '{"type":"FeatureCollection","features":[\n',
      (async function* () {
        for await (const part of parts)
          if (part.includes('"Feature"'))
            yield part.subarray(part.indexOf('\n') + 1, part.lastIndexOf('\n]'));
      })(),
      '\n]}\n',
    ),
  'schema.org': (parts) =>
    joined(
      '[\n',
      (async function* () {
        for await (const part of parts)
          for (const line of part.toString('utf8').split('\n')) if (line !== '') yield inSchemaOrg(line);
      })(),
      '\n]\n',
    ),
};

function inSchemaOrg(line: string): string {
  try {
    return JSON.stringify(toSchemaOrg(JSON.parse(line) as PropertyRecord));
  } catch {
    // Its digest fits, so that the index was made by something else.
    throw differs(NDJSON_KEY);
  }
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

/** Yields the files of a download. An index may be a stranger's: no address in it leads out of the folder. */
async function* partsOf(read: ReadBytes, { parts, lists }: z.output<typeof DOWNLOAD>): Parts {
  const bytesAt = async (key: string) => {
    if (!isReleaseKey(key)) throw differs(INDEX_KEY);
    return (await read(key)) ?? Promise.reject(missing(key));
  };
  for (const list of lists ?? [undefined]) {
    const found = list ? parsed(list.href, await bytesAt(list.href), LIST).parts : parts;
    for (const { href, sha256 } of found) {
      const bytes = await bytesAt(href);
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw differs(href);
      yield bytes;
    }
  }
}

function parsed<Schema extends z.ZodType>(key: string, bytes: Buffer, schema: Schema): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw differs(key);
  }
}

/** Writes parts to a file, which is replaced only by a whole one. */
export async function writeParts(path: string, parts: AsyncIterable<Buffer | string>): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 40)}.${randomUUID().slice(0, 8)}`);
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
