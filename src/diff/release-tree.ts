/** Makes release trees for comparisons, without a build. */
import { join } from 'node:path';
import { planBulkFiles } from '../compile/plan.ts';
import type { RecordEntry } from '../compile/read/file-record.ts';
import { writeDownloads, writePart } from '../compile/write/bulk-files.ts';
import { createChangedFilesWriter } from '../compile/write/changed-files-writer.ts';
import { createDetailReader, spoolLocationsOf } from '../compile/write/detail-reader.ts';
import { type DocumentFolders, documentsOfRelease } from '../compile/write/documents.ts';
import { writeRoot, writeTree } from '../compile/write/release-root.ts';
import type { Configuration } from '../contract/configuration.ts';
import { documentCopyKey, PARTS_FOLDER, scopeFolder } from '../contract/object-keys.ts';
import type { Summary } from '../contract/property.ts';
import { declaredTerms } from '../contract/terms.ts';
import { csvFormatOfFields } from '../documents/csv-format.ts';
import { makePublicFolder } from '../files/files-and-folders.ts';
import { digestOf } from '../release/digest.ts';
import { idInSummary, type Release, readSummaries } from '../release/release.ts';
import { UNKNOWN_BUILD } from '../release/root-contents.ts';
import { joinSummaries, scopesOf } from '../release/sequence.ts';
import { indexesById, sequenceColumns } from '../release/sequence-columns.ts';
import { type Chunk, cityRunsOf, encodeChunk, parseChunk } from '../tree/format/chunk.ts';
import type { Root } from '../tree/format/root.ts';
import { planTree, treeObjects } from '../tree/objects.ts';

/** Writes the tree and the documents, since the name of the release depends on both. Returns the name. */
export async function writeReleaseTree(
  folders: DocumentFolders,
  configuration: Configuration,
  sequence: readonly RecordEntry[],
  media: readonly string[],
): Promise<string> {
  const { public: publicFolder, staging } = folders.folder;
  const terms = declaredTerms(configuration);
  const scopes = scopesOf(sequence);
  const columns = sequenceColumns(sequence);
  const order = indexesById(columns);
  const reader = createDetailReader({
    publicFolder,
    staging,
    columns,
    spooled: spoolLocationsOf(sequence),
    summaries: joinSummaries(sequence.map(({ summary }) => summary)),
    lastParts: [],
  });
  makePublicFolder(join(publicFolder, PARTS_FOLDER));
  const planned = planBulkFiles(configuration, columns, order);
  const parts = planned.parts.map((part) => writePart(publicFolder, reader, part, order));
  const downloads =
    planned.downloads &&
    writeDownloads(publicFolder, reader, planned.downloads, order.length, csvFormatOfFields(terms.fields));
  reader.close();
  const release = { configuration, sequence, scopes, media, build: UNKNOWN_BUILD };
  const made = documentsOfRelease(
    { ...release, before: [], comparison: { changed: [] }, lastParts: [] },
    folders,
    undefined,
  );
  // Documents with a known digest are files of this package, and need not be copied.
  const known = made.flatMap(({ key, digest }) =>
    digest === undefined ? [] : [[key, digest] as const, [documentCopyKey(digest), digest] as const],
  );
  const files = createChangedFilesWriter(publicFolder, Object.fromEntries(known));
  for (const document of made) await files.write(document);
  const tree = await writeTree(files, treeObjects(sequence, planTree(columns, scopes), terms));
  return writeRoot(files, publicFolder, release, { parts, downloads }, tree);
}

/** Removes some properties from the lists of a release. Its details and `bytes` remain those of the whole release. */
export async function withoutListEntries(release: Release, ids: ReadonlySet<string>): Promise<Release> {
  const { leaves, root } = release;
  const made = new Map<string, Chunk>();
  const chunks: Root['chunks'][number][] = [];
  const listed: Summary[] = [];
  for (const chunk of root.chunks) {
    const all = await readSummaries(release, chunk.start, chunk.end);
    const texts = all.filter((text) => !ids.has(idInSummary(text)));
    const summaries = texts.map((text) => JSON.parse(text) as Summary);
    const range = { start: listed.length, end: listed.length + texts.length };
    listed.push(...summaries);
    if (texts.length === all.length) chunks.push({ ...chunk, ...range });
    else if (texts.length > 0) {
      const bytes = encodeChunk(texts, cityRunsOf(summaries, 0, texts.length));
      const digest = digestOf(bytes);
      made.set(digest, parseChunk(bytes)!);
      chunks.push({ ...chunk, ...range, digest });
    }
  }
  return {
    ...release,
    root: { ...root, total: listed.length, chunks },
    leaves: { ...leaves, chunk: async (digest) => made.get(digest) ?? leaves.chunk(digest) },
    scopes: new Map(scopesOf(listed).map((scope) => [scopeFolder(scope.country, scope.city), scope])),
  };
}
