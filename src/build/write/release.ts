/** The build stage that writes a release: only files that differ from the last one. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { hasPages } from '../../contract/configuration.ts';
import {
  MANIFEST_KEY,
  MEDIA_FOLDER,
  mediaKey,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
} from '../../contract/keys.ts';
import { makeFolder } from '../../folder.ts';
import { packedObjects } from '../../packed/pack.ts';
import { DIGEST_LENGTH, digestOf } from '../../release/digest.ts';
import { manifestBytes, sequenceLines } from '../../release/manifest.ts';
import { releaseName } from '../../release/name.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { StampedFile } from '../../source/stamp.ts';
import type { BuildContext } from '../context.ts';
import type { PlannedRelease, ReleaseToWrite } from '../plan.ts';
import { createPause } from '../progress.ts';
import { type FileRecord, spoolPath } from '../read/files.ts';
import { removeState, type StateSummary, writeRecords, writeState } from '../state/file.ts';
import type { LastRelease, Remembered } from '../state/last-release.ts';
import { recordPieces } from '../state/records.ts';
import { type LeftStamps, stampsToLeave } from '../state/stamps.ts';
import { engineOf, isSettled, outputsOf } from '../state/trust.ts';
import { createCounter } from '../threads/pool.ts';
import { type HiddenCounts, validityAt } from '../visible.ts';
import { documentsOfDownloads } from './documents.ts';
import type { Downloads, DownloadsResult } from './downloads.ts';
import { type EmitTask, FILES_PER_PIECE, type StagedDetail, toPieces, writeFiles } from './pages.ts';
import { createDocumentWriter, goneKeys, removeKeys, strayKeys } from './public-files.ts';
import { copyLinked, writeEdge } from './targets.ts';

/** Number of files that one thread writes in the time another takes to start. */
const FILES_PER_THREAD = 10_000;

/** Pages, totals and details being written. */
type Emission = {
  /** Writes the remaining files. Returns the number of all. */
  readonly finish: () => Promise<number>;
};

/** Records of all files, with the diagnostics. */
export type ReadCatalogue = {
  readonly records: readonly FileRecord[];
  readonly diagnostics: readonly Diagnostic[];
  readonly leftOut: readonly string[];
  /** Number of sound properties not shown, by reason. */
  readonly hidden: HiddenCounts;
};

/** Writes the differences. The output is incomplete until the new state is written. */
export async function writeRelease(
  context: BuildContext,
  release: ReleaseToWrite,
  read: ReadCatalogue,
  last: LastRelease | undefined,
  downloads: Downloads,
): Promise<{ name: string; written: number; removed: number }> {
  const { folder } = context;
  removeState(folder.state);
  const root = folder.public;
  const isFirst = !existsSync(root);
  makeFolders(root, release);
  const lines = linesOf(release);
  const name = releaseName(lines ?? sequenceLines(release.sequence), release.configuration);
  const images = await publishImages(context, release, last);
  const documents = createDocumentWriter(root, last?.documents);
  const emission = startEmitting(context, release);
  // Work that other threads need not wait for.
  const { packed, sequence, summaries } = release;
  for (const document of release.documents) await documents.write(document);
  for (const { key, digest, bytes } of packed ? packedObjects(sequence, summaries, packed, name) : [])
    await documents.write({ key, digest, content: () => bytes });
  const linked = writeEdge(folder.edge, release.edge);
  // Depends only on the configuration and the version, as does the existence of `last`.
  const schema = last?.schema ?? (await writeAuthoredSchema(folder.schema, release));
  const published = new Set(release.published);
  const pieces = recordPieces(read.records, published);
  const records = writeRecords(folder.state, pieces, published, last?.pieces);
  const emitted = await emission.finish();
  const edge = copyLinked(folder, release.edge, linked);
  context.stopwatch.start('finish');
  const made = await downloads.finish();
  for (const { files } of made.parts ?? [])
    for (const { key, sha256 } of files) documents.digests.set(key, sha256.slice(0, DIGEST_LENGTH));
  for (const document of documentsOfDownloads(release, name, made.parts)) await documents.write(document);
  const files = { ...release, documents: documents.digests.keys() };
  // Listing half a million files is slow, so a first build skips it.
  const strays = () => (isFirst ? [] : strayKeys(root, files));
  const removed = removeKeys(
    root,
    last ? goneKeys(files, { ...last, documents: Object.keys(last.documents) }) : strays(),
  );
  const { digests } = documents;
  const manifest = manifestBytes({
    ...release,
    name,
    build: context.identity,
    documents: digests,
    sequence: lines ?? sequence.length,
  });
  const digest = writePieces(join(root, MANIFEST_KEY), manifest);
  const { digests: mediaDigests } = images;
  const rest = restOf(release, read, { documents: digests, made, mediaDigests, schema, edge });
  const stamps = leftStamps(context, read.records);
  writeState(folder.state, summaryOf(context, release, read, rest, { name, digest }), {
    stamps,
    rest,
    records,
  });
  return { name, written: images.written + documents.written() + emitted + made.written + 1, removed };
}

/** Returns the sequence's lines for the manifest; undefined when the manifest names pieces instead. */
function linesOf({ packed, sequence }: ReleaseToWrite): Uint8Array[] | undefined {
  return packed && packed.pieces.length > 0 ? undefined : [...sequenceLines(sequence)];
}

function makeFolders(root: string, { configuration }: ReleaseToWrite): void {
  const pages = hasPages(configuration) ? [PAGES_FOLDER] : [];
  for (const key of [PROPERTIES_FOLDER, MEDIA_FOLDER, ...pages]) makeFolder(join(root, key));
}

/** Writes `property.schema.json`. Returns its digest. */
async function writeAuthoredSchema(path: string, { configuration }: ReleaseToWrite): Promise<string> {
  const { authoredSchemaText } = await import('../../documents/property-schema.ts');
  const text = authoredSchemaText(configuration.vocabulary);
  writeFileSync(path, text);
  return digestOf(text);
}

/** Writes a file in pieces. Returns its SHA-256. */
function writePieces(path: string, pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  const file = openSync(path, 'w');
  try {
    for (const piece of pieces) {
      hash.update(piece);
      for (let written = 0; written < piece.length; ) written += writeSync(file, piece, written);
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

/** Publishes missing images. Returns their number, and the digests of all images, in order. */
async function publishImages(
  { folder, options }: BuildContext,
  release: PlannedRelease,
  last: LastRelease | undefined,
): Promise<{ readonly written: number; readonly digests: readonly string[] }> {
  const digests = new Map(last?.media.map((name, index) => [name, last.mediaDigests[index]!]));
  const names = release.media.filter((name) => !digests.has(name));
  if (names.length === 0 && last && last.media.length === release.media.length)
    return { written: 0, digests: last.mediaDigests };
  const { openMediaCache, pruneCache, publishMedia } = await import('../../media/cache.ts');
  const { removeStale } = await import('../../media/temporary.ts');
  const cache = openMediaCache(folder.mediaCache);
  // A killed build may have left incomplete files of images.
  removeStale(join(folder.public, MEDIA_FOLDER));
  for (const name of names) {
    const { digest } = publishMedia(cache, name, join(folder.public, mediaKey(name)));
    digests.set(name, digest.slice(0, DIGEST_LENGTH));
  }
  // A preview shares the cache with the output folder, whose build prunes it.
  if (!options.preview) pruneCache(folder.mediaCache, new Set(release.media));
  return { written: names.length, digests: release.media.map((name) => digests.get(name)!) };
}

/** Starts to write pages, totals and details, on other threads if there are any. */
function startEmitting({ folder, threads, listener }: BuildContext, release: PlannedRelease): Emission {
  const { comparison, fresh, sizes, summaries } = release;
  const scopes = hasPages(release.configuration) ? comparison.changed : [];
  const read = new Map([...fresh].map(([{ id }, record]) => [id, record]));
  const spools: string[] = [];
  const details = comparison.writtenDetails.map((id): StagedDetail => {
    const staged = read.get(id)!.staged!;
    spools[staged.spool] ??= spoolPath(folder.staging, staged.spool);
    return { id, ...staged };
  });
  const pieces = toPieces(scopes, sizes, details.length);
  const counter = createCounter();
  const task: EmitTask = {
    root: folder.public,
    summaries,
    scopes,
    sizes,
    details,
    spools,
    pieces,
    counter,
  };
  const pause = createPause();
  const onPiece = () => {
    listener({ kind: 'progress', stage: 'emit', done: Atomics.load(counter, 1), total: release.plan.files });
    return pause();
  };
  const worth = (pieces.length * FILES_PER_PIECE) / FILES_PER_THREAD;
  const shared = threads.share('emit', task, worth);
  threads.dismiss();
  return {
    async finish() {
      await shared.finish(() => writeFiles(task, onPiece));
      return Atomics.load(counter, 1);
    },
  };
}

function leftStamps({ stamps: now, since }: BuildContext, records: readonly FileRecord[]): LeftStamps {
  const photos = new Map<string, StampedFile>();
  for (const { media } of records) for (const use of media) photos.set(use.path, use);
  return stampsToLeave(now, [...photos.values()], since);
}

/** Values known once the files are written. */
type Written = Pick<Remembered, 'mediaDigests' | 'schema' | 'edge'> & {
  readonly documents: ReadonlyMap<string, string>;
  readonly made: DownloadsResult;
};

function restOf(
  { sequence, scopes, media, advice }: ReleaseToWrite,
  { records, diagnostics }: ReadCatalogue,
  { documents, made, mediaDigests, schema, edge }: Written,
): Remembered {
  const index = new Map(records.map((record, place) => [record.entry, place]));
  return {
    diagnostics,
    sequence: sequence.map((entry) => index.get(entry)!),
    scopes,
    media,
    mediaDigests,
    schema,
    documents: Object.fromEntries(documents),
    parts: made.parts,
    edge,
    advised: advice?.packed.files,
  };
}

function summaryOf(
  { options, folder, inputs, identity, asOf, found }: BuildContext,
  { configuration, counts, edge, sequence, pageScopes, media }: ReleaseToWrite,
  { records, leftOut, hidden }: ReadCatalogue,
  { documents, diagnostics }: Remembered,
  { name, digest }: { readonly name: string; readonly digest: string },
): StateSummary {
  const { size, mtimeMs } = statSync(join(folder.public, MANIFEST_KEY));
  const keys = [
    ...Object.keys(documents),
    ...(sequence.length > 0 ? [PROPERTIES_FOLDER] : []),
    ...(pageScopes.length > 0 ? [PAGES_FOLDER] : []),
    ...(media.length > 0 ? [MEDIA_FOLDER] : []),
  ];
  return {
    configuration,
    inputs,
    identity,
    preview: options.preview ?? false,
    release: name,
    manifest: { digest, size, modified: mtimeMs },
    engine: engineOf(media),
    outputs: outputsOf(folder, keys, edge.remembered.targets),
    settled: isSettled(found, diagnostics, leftOut),
    validity: validityAt(records, asOf.instant),
    hidden,
    diagnostics: diagnostics.length,
    counts,
    leftOut,
    refusedTargets: edge.remembered.refused,
  };
}
