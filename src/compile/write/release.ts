/** Writes only the files that differ from the last release. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hasPages } from '../../contract/configuration.ts';
import { MEDIA_FOLDER, mediaKey, PARTS_FOLDER, PROPERTIES_FOLDER } from '../../contract/object-keys.ts';
import { BUILT_FOLDERS } from '../../contract/object-kinds.ts';
import { declaredTerms } from '../../contract/terms.ts';
import { makePublicFolder, removeEmptyFolders } from '../../files/files-and-folders.ts';
import { DIGEST_DIGITS } from '../../release/digest.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { StampedFile } from '../../source/file-stamp.ts';
import type { FindingCounts, Findings } from '../../source/findings.ts';
import { treeObjects } from '../../tree/objects.ts';
import type { BuildContext } from '../context.ts';
import type { PlannedRelease, ReleaseToWrite } from '../plan.ts';
import { createYield } from '../progress.ts';
import { recordsExcept } from '../read/catalogue.ts';
import type { FileRecord } from '../read/file-record.ts';
import { type StoredStamps, stampsToStore } from '../state/content-stamps.ts';
import { dependsOnStampsOnly, encoderVersionsIfNeeded } from '../state/freshness.ts';
import type { LastRelease, StoredRelease } from '../state/last-release.ts';
import { readOutputStamps } from '../state/output-stamps.ts';
import { recordPieces } from '../state/record-pieces.ts';
import { removeState, type StateSummary, writeRecords, writeState } from '../state/state-file.ts';
import type { FileDigestsByGroup, WrittenBulkFiles } from '../state/written-files.ts';
import { createWorkCounters } from '../threads/pool.ts';
import { type HiddenCounts, unchangedRangeAround } from '../visible-at.ts';
import type { PlannedBulkFiles } from './bulk-files.ts';
import { type ChangedFilesWriter, createChangedFilesWriter } from './changed-files-writer.ts';
import { spoolLocationsOf } from './detail-reader.ts';
import { divideEmitWork, type EmitTask, emitFiles, FILES_PER_BATCH } from './emit.ts';
import { goneKeys, removeFiles, strayKeys } from './gone-files.ts';
import { type Journal, openJournal } from './journal.ts';
import { writeRoot, writeTree } from './release-root.ts';
import { writeEdge } from './targets.ts';

/** Number of files that this thread writes while another one starts. */
const FILES_PER_THREAD = 10_000;

/** Number of properties whose parts or downloads this thread makes while another one starts. */
const MADE_PER_THREAD = 2000;

/** `files`: number of files that all threads wrote. `results`: one per thread. */
type Emitted = { readonly files: number; readonly results: readonly WrittenBulkFiles[] };

export type ReadCatalogueResult = {
  readonly records: readonly FileRecord[];
  readonly otherFindings: readonly Diagnostic[];
  readonly findings: Findings;
  /** Numbers of findings by code, before repeated findings about one field are merged. */
  readonly counts: FindingCounts;
  readonly leftOut: readonly string[];
  readonly hidden: HiddenCounts;
};

/**
 * The order makes a killed build harmless. Until the new state is written, at the end, the output counts as
 * incomplete. The journal is replaced only after files were removed, so a build can always tell which files builds
 * wrote. The root is written after the documents and parts that it names.
 */
export async function writeRelease(
  context: BuildContext,
  release: ReleaseToWrite,
  read: ReadCatalogueResult,
  last: LastRelease | undefined,
): Promise<{ name: string; written: number; removed: number; kept: readonly string[] }> {
  const { folder } = context;
  const { public: publicFolder } = folder;
  removeState(folder.state);
  const isNewFolder = !existsSync(publicFolder);
  if (!last) removeEmptyFolders(publicFolder, BUILT_FOLDERS);
  makeFolders(publicFolder, release);
  const media = await writeImages(context, release, last);
  const journal = openJournal(folder, last && { public: last.groups.files, edge: last.groups.edge });
  const note = (key: string, digest: string) => journal.note('public', key, digest);
  const files = createChangedFilesWriter(publicFolder, last?.groups.files, note);
  const finishEmitting = startEmitting(context, release, last);
  // Meanwhile, other threads write pages, details, parts and downloads.
  for (const document of release.documents) await files.write(document);
  const terms = declaredTerms(release.configuration);
  const tree = await writeTree(files, treeObjects(release.sequence, release.tree, terms, last));
  const edge = writeEdge(folder, release.edge, last, journal);
  const records = storeRecords(context, release, read, last);
  const emitted = await finishEmitting();
  context.stopwatch.start('finish');
  const bulk = withKnown(release, [...(last ? [last] : []), ...emitted.results]);
  const name = await writeRoot(files, publicFolder, { ...release, build: context.identity }, bulk, tree);
  const removed = removeGone(publicFolder, release, last, isNewFolder, { files, media, journal });
  const storedEdge = edge.copyLinked();
  const groups = { files: files.group(), media: media.group(), edge: edge.group };
  journal.close({ public: groups.files, edge: groups.edge });
  const { chunks, facets } = tree;
  storeBuild(context, release, read, name, records, { groups, ...bulk, chunks, facets, edge: storedEdge });
  const written = media.written() + files.written() + emitted.files;
  return { name, written, removed, kept: edge.edited.map((key) => `${basename(folder.edge)}/${key}`) };
}

function storeRecords(
  { folder, stamps }: BuildContext,
  { published }: ReleaseToWrite,
  { records }: ReadCatalogueResult,
  last: LastRelease | undefined,
) {
  const unpublished = new Set(recordsExcept(records, published));
  const hasSamePaths = stamps.pathsDigest === last?.stamps.pathsDigest;
  const pieces = recordPieces(records, unpublished, hasSamePaths ? last?.pieces : undefined);
  return writeRecords(folder.state, pieces, unpublished, last?.pieces);
}

type Written = {
  readonly files: ChangedFilesWriter;
  readonly media: ChangedFilesWriter;
  readonly journal: Journal;
};

function removeGone(
  publicFolder: string,
  release: ReleaseToWrite,
  last: LastRelease | undefined,
  isNewFolder: boolean,
  { files, media, journal }: Written,
): number {
  const { unedited } = journal.stale('public', files.group());
  if (last) {
    const gone = [...goneKeys(release), ...media.gone().map(mediaKey), ...unedited];
    return removeFiles(publicFolder, new Set(gone));
  }
  // Listing half a million files is slow, and unnecessary in a new folder.
  if (isNewFolder) return 0;
  const sequence = release.pageScopes.length > 0 ? release.sequence : [];
  const strays = strayKeys(publicFolder, { ...release, sequence, files: files.digests.keys() });
  return removeFiles(publicFolder, new Set([...strays, ...unedited]));
}

/** Makes the folders of details and parts now: writing such a file does not make its folder. */
function makeFolders(publicFolder: string, { configuration, sequence, parts }: ReleaseToWrite): void {
  makePublicFolder(publicFolder);
  const details = hasPages(configuration) && sequence.length > 0 ? [PROPERTIES_FOLDER] : [];
  const folders = parts.length > 0 ? [...details, PARTS_FOLDER] : details;
  for (const key of folders) makePublicFolder(join(publicFolder, key));
}

async function writeImages(
  { folder, options }: BuildContext,
  release: PlannedRelease,
  last: LastRelease | undefined,
): Promise<ChangedFilesWriter> {
  const known = last?.groups.media;
  const images = join(folder.public, MEDIA_FOLDER);
  const group = createChangedFilesWriter(images, known);
  const content = async (name: string) => {
    const { openMediaCache, copyImage } = await import('../../media/cache.ts');
    const cache = openMediaCache(folder.mediaCache);
    return (path: string) => copyImage(cache, name, path).digest.slice(0, DIGEST_DIGITS);
  };
  for (const name of release.media)
    await group.write({ key: name, digest: known?.[name], content: () => content(name) });
  if (known && group.written() + group.gone().length === 0) return group;
  // A killed build may have left incomplete image files.
  (await import('../../media/temporary.ts')).removeStaleFiles(images);
  // Builds for `catalogue dev` and builds to publish share the cache. The former must not remove images of the latter.
  if (!options.preview)
    (await import('../../media/cache.ts')).pruneCache(folder.mediaCache, new Set(release.media));
  return group;
}

/** Starts to write in other threads. The returned function also writes in this thread, then waits for the others. */
function startEmitting(
  { folder, threads, listener }: BuildContext,
  release: PlannedRelease,
  last: LastRelease | undefined,
): () => Promise<Emitted> {
  const { comparison, sequence, columns, sizes, summaries } = release;
  const scopes = hasPages(release.configuration) ? comparison.changed : [];
  const spooled = spoolLocationsOf(sequence);
  const details: number[] = [];
  if (hasPages(release.configuration)) {
    const changed = comparison.details().written;
    for (let index = 0; index < sequence.length; index++)
      if (spooled.spool[index]! >= 0 && changed.has(sequence[index]!.id)) details.push(index);
  }
  const known = new Set(last?.parts.map(({ inputs }) => inputs));
  const parts = release.parts.filter(({ inputs }) => !known.has(inputs));
  const downloads = release.downloads?.inputs === last?.downloads?.inputs ? undefined : release.downloads;
  const work = { scopes, sizes, details, parts, downloads };
  const batches = divideEmitWork(work);
  const counter = createWorkCounters();
  const folders = { publicFolder: folder.public, staging: folder.staging };
  const source = { ...folders, columns, summaries, spooled, lastParts: last?.parts ?? [] };
  const { fields } = declaredTerms(release.configuration);
  const task: EmitTask = { ...source, ...work, order: release.order, batches, fields, counter };
  const pause = createYield();
  const onBatch = () => {
    listener({ kind: 'progress', stage: 'emit', done: Atomics.load(counter, 1), total: release.size.files });
    return pause();
  };
  const inParts = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  const made = inParts + (downloads ? sequence.length : 0);
  const files = FILES_PER_BATCH * (batches.length - parts.length - (downloads ? 1 : 0));
  const worth = files / FILES_PER_THREAD + made / MADE_PER_THREAD;
  const shared = threads.share('emit', task, worth);
  // The last task of a build: the threads end once it is done.
  threads.dismiss();
  return async () => {
    const results = await shared.finish(() => emitFiles(task, onBatch));
    return { files: Atomics.load(counter, 1), results };
  };
}

/** @param known the parts and downloads of the last build, and those that this build has written */
function withKnown(
  { parts, downloads }: PlannedBulkFiles,
  known: readonly WrittenBulkFiles[],
): WrittenBulkFiles {
  const written = new Map(known.flatMap((one) => one.parts.map((part) => [part.inputs, part])));
  return {
    parts: parts.map(({ inputs, from }) => ({ ...written.get(inputs)!, from })),
    downloads: known.find((one) => downloads && one.downloads?.inputs === downloads.inputs)?.downloads,
  };
}

function stampsForNextBuild(
  { stamps: now, since }: BuildContext,
  records: readonly FileRecord[],
): StoredStamps {
  const photos = new Map<string, StampedFile>();
  for (const { media } of records) for (const use of media) photos.set(use.path, use);
  return stampsToStore(now, [...photos.values()], since);
}

function storeBuild(
  context: BuildContext,
  release: ReleaseToWrite,
  read: ReadCatalogueResult,
  name: string,
  records: ReturnType<typeof writeRecords>,
  written: Omit<StoredRelease, 'publishedIndexes' | 'cities' | 'order'>,
): void {
  const { sequence, cities, order } = release;
  const publishedIndexes = new Uint32Array(sequence.length);
  for (let index = 0; index < publishedIndexes.length; index++)
    publishedIndexes[index] = sequence[index]!.publishedIndex!;
  writeState<StoredRelease>(
    context.folder.state,
    stateSummary(context, release, read, written.groups, name),
    {
      stamps: stampsForNextBuild(context, read.records),
      findings: { otherFindings: read.otherFindings, first: read.findings.first ?? [] },
      rest: { ...written, publishedIndexes, cities, order },
      records,
    },
  );
}

function stateSummary(
  { options, folder, inputs, identity, asOf, scanned }: BuildContext,
  { configuration, counts, edge, pageScopes, media }: ReleaseToWrite,
  { records, counts: found, leftOut, hidden }: ReadCatalogueResult,
  groups: FileDigestsByGroup,
  name: string,
): StateSummary {
  return {
    configuration,
    inputs,
    identity,
    preview: options.preview ?? false,
    release: name,
    engine: encoderVersionsIfNeeded(media),
    outputs: readOutputStamps(folder, { groups, pageScopes, files: counts.files }),
    settled: dependsOnStampsOnly(scanned, found, leftOut),
    validity: unchangedRangeAround(records, asOf.instant),
    hidden,
    findings: found,
    counts,
    leftOut,
    refusedTargets: edge.stored.refused,
  };
}
