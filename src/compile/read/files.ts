/**
 * Reads YAML files into records and writes details to temporary files. A counter in shared memory gives each thread
 * its next group of files.
 */

import { closeSync, openSync, readSync } from 'node:fs';
import { sep } from 'node:path';
import type { AuthoredProperty } from '../../contract/authored.ts';
import type { PhotoSettings, ThumbnailSettings } from '../../contract/configuration.ts';
import { serializeFacets } from '../../contract/filterable-values.ts';
import { mediaKey } from '../../contract/object-keys.ts';
import type { Terms } from '../../contract/terms.ts';
import { visibilityOf } from '../../contract/visibility.ts';
import { fileErrorReason } from '../../errors/file-error.ts';
import { photoName, thumbnailName } from '../../media/image-name.ts';
import { isInPhotoShard, type PhotoShard } from '../../media/shard.ts';
import { digestFile, digestSample } from '../../media/source-photo.ts';
import { digestOf } from '../../release/digest.ts';
import { thumbnailIndex, toProperty, toSummary } from '../../release/to-published.ts';
import { createDiagnostic, type Diagnostic } from '../../source/diagnostic.ts';
import { applyDraftSeverity } from '../../source/draft-severity.ts';
import { createPhotoFinder, type PhotoFile, type PhotoFinder } from '../../source/photo-file.ts';
import { checkPropertyFile, parsePropertyFile } from '../../source/property-file.ts';
import type { PartialProperty } from '../../source/readable-property.ts';
import { locateIssue } from '../../source/schema-issues.ts';
import { MAX_FILE_BYTES } from '../../source/source-text.ts';
import { countTexts, type TextCounts } from '../../source/translation-counts.ts';
import type { DocumentWithSpans } from '../../source/yaml-document.ts';
import type { YieldIfDue } from '../progress.ts';
import { detailSizeDiagnostic, mayExceedDetailLimit } from './detail-limit.ts';
import type { FileRecord, PhotoUse, RecordEntry } from './file-record.ts';
import { encodeRows } from './record-block-encoding.ts';
import { createSpool, type Spool, spoolPath } from './spool.ts';

/** Sent to threads: only plain data and shared memory. */
export type ReadTask = {
  readonly content: string;
  /** Relative to `content`. */
  readonly paths: readonly string[];
  readonly terms: Terms;
  /** URL that precedes the keys of images. */
  readonly mediaBase: string;
  readonly photo: PhotoSettings;
  readonly thumbnail: ThumbnailSettings;
  readonly reusablePhotos: ReadonlyMap<string, PhotoFile>;
  /**
   * Maps the path of each record in `ReusableResults.reusableIfSameDigest` to its digest. If undefined, digests of
   * files are not computed.
   */
  readonly reusableDigests: ReadonlyMap<string, string> | undefined;

  /** Folder for temporary files of details; undefined if nothing will be published. */
  readonly staging: string | undefined;
  /** `diff` checks out small stand-ins for photos. Maps the digest of each stand-in to the digest of its photo. */
  readonly standIns?: ReadonlyMap<string, string> | undefined;
  /** Share of the photos to read; undefined for all. Used only if nothing will be published. */
  readonly shard?: PhotoShard | undefined;
  /** Two numbers: index of the next group of files, number of finished groups. */
  readonly counter: Int32Array;
};

/**
 * Encoded records (`record-block-format.ts`) of consecutive files. `start`: index of the first file among the task's
 * paths.
 */
export type ReadGroup = {
  readonly start: number;
  readonly rows: Uint8Array;
  /** Counts of translations. Empty if there is only one language, or if something will be published. */
  readonly texts: TextCounts;
};

const FILES_PER_GROUP = 32;

export function groupCount(task: ReadTask): number {
  return Math.ceil(task.paths.length / FILES_PER_GROUP);
}

/**
 * Reads one group of files after another, until no group is left. All threads share `task.counter`.
 * @param thread the number of this thread, from 0; its temporary file (spool) has the same number
 * @param take called with the records of each group
 * @param onGroup called and awaited after each group
 * @throws file system errors if the temporary file cannot be written
 */
export async function readFiles(
  task: ReadTask,
  thread: number,
  take: (group: ReadGroup) => void,
  onGroup?: YieldIfDue,
): Promise<undefined> {
  const photos = createPhotoFinder(task.content, task.reusablePhotos, digestIn(task));
  const spool = task.staging === undefined ? undefined : createSpool(spoolPath(task.staging, thread), thread);
  const buffer = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
  try {
    for (;;) {
      const start = Atomics.add(task.counter, 0, 1) * FILES_PER_GROUP;
      if (start >= task.paths.length) break;
      const paths = task.paths.slice(start, start + FILES_PER_GROUP);
      const records = paths.map((path) => readFile(task, path, buffer, photos, spool));
      const texts: TextCounts = {};
      if (!spool)
        for (const { readable } of records) if (readable) countTexts(readable, task.terms.fields, texts);
      take({ start, rows: encodeRows(records), texts });
      Atomics.add(task.counter, 1, 1);
      await onGroup?.();
    }
  } finally {
    spool?.close();
  }
  return undefined;
}

/**
 * Returns a function that computes the digest of a photo, or undefined if the photo is not in the shard. A sample of
 * each photo decides its shard: hashing whole photos on each machine would take as long as making a shard's images.
 */
function digestIn({
  shard,
  standIns,
}: Pick<ReadTask, 'shard' | 'standIns'>): (path: string) => string | undefined {
  if (shard) return (path) => (isInPhotoShard(shard, digestSample(path)) ? digestFile(path) : undefined);
  if (!standIns) return digestFile;
  return (path) => {
    const digest = digestFile(path);
    return standIns.get(digest) ?? digest;
  };
}

function readFile(
  task: ReadTask,
  path: string,
  buffer: Buffer,
  photos: PhotoFinder,
  spool: Spool | undefined,
): ReadRecord {
  const nothing = { path, digest: '', media: [] };
  let bytes: Buffer;
  try {
    bytes = readInto(buffer, task.content + sep + path);
  } catch (error) {
    return {
      ...nothing,
      diagnostics: [createDiagnostic('unreadable-file', path, null, { reason: fileErrorReason(error) })],
    };
  }
  if (bytes.length > MAX_FILE_BYTES) {
    const args = { bytes: `more than ${MAX_FILE_BYTES}`, limit: MAX_FILE_BYTES };
    return { ...nothing, diagnostics: [createDiagnostic('file-too-large', path, null, args)] };
  }
  const digest = task.reusableDigests ? digestOf(bytes) : '';
  if (task.reusableDigests?.get(path) === digest)
    return { path, digest, diagnostics: [], media: [], hasReusableDigest: true };
  return recordFromBytes(task, path, bytes, photos, spool, digest);
}

type ReadRecord = FileRecord & { readonly readable?: PartialProperty | undefined };

/** @param spool receives the detail; undefined if nothing will be published */
export function recordFromBytes(
  task: Pick<ReadTask, 'terms' | 'mediaBase' | 'photo' | 'thumbnail'>,
  path: string,
  bytes: Buffer,
  photos: PhotoFinder,
  spool: Pick<Spool, 'add'> | undefined,
  digest: string = digestOf(bytes),
): ReadRecord {
  const { property, readable, diagnostics, isFlat } = checkPropertyFile(bytes, path, task.terms);
  if (!readable) return { path, digest, diagnostics, media: [] };
  const used = findMedia(task, path, bytes, readable, photos);
  const isSound = property && used.diagnostics.length === 0;
  // If nothing will be published, the detail is made only if it might exceed the limit.
  const made =
    isSound && (spool || !isFlat || mayExceedDetailLimit(task.mediaBase, bytes, used.links))
      ? detailOf(task, property, used)
      : undefined;
  const excess = made && detailSizeDiagnostic(made.detail, path, bytes);
  const entry =
    spool && property && made && !excess ? makeEntry(path, property, made, spool, task.terms) : undefined;
  const { id, country, city } = readable;
  return {
    path,
    digest,
    diagnostics: applyDraftSeverity(readable, [
      ...diagnostics,
      ...used.diagnostics,
      ...(excess ? [excess] : []),
    ]),
    visibility: visibilityOf(readable),
    entry,
    crossFileValues: entry ? undefined : { id, country, city },
    media: used.media,
    readable,
  };
}

function readInto(buffer: Buffer, path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    let length = 0;
    while (length < buffer.length) {
      const count = readSync(file, buffer, length, buffer.length - length, null);
      if (count === 0) break;
      length += count;
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

type UsedMedia = {
  readonly media: PhotoUse[];
  readonly links: string[];
  readonly diagnostics: Diagnostic[];
};

function findMedia(
  task: Pick<ReadTask, 'mediaBase' | 'photo'>,
  path: string,
  bytes: Buffer,
  { photo: entries }: PartialProperty,
  photos: PhotoFinder,
): UsedMedia {
  const shown = thumbnailIndex(entries);
  const used: UsedMedia = { media: [], links: [], diagnostics: [] };
  let document: DocumentWithSpans | undefined;
  entries.forEach((entry, index) => {
    if (entry?.file === undefined) {
      used.links.push(entry?.url ?? '');
      return;
    }
    const photo = photos.find(path, entry.file);
    if (!photo) return;
    if ('code' in photo) {
      const fault = { code: photo.code, path: ['photo', index, 'file'], args: photo.args };
      document ??= parsePropertyFile(bytes, path);
      used.diagnostics.push(locateIssue(fault, path, document));
      return;
    }
    used.links.push(`${task.mediaBase}/${mediaKey(photoName(photo.digest, task.photo))}`);
    used.media.push({ ...photo, index, thumbnail: index === shown });
  });
  return used;
}

type Made = { readonly detail: Buffer; readonly thumbnail: string | null };

function detailOf(
  task: Pick<ReadTask, 'terms' | 'mediaBase' | 'thumbnail'>,
  property: AuthoredProperty,
  { media, links }: UsedMedia,
): Made {
  const local = media.find((use) => use.thumbnail);
  const named = property.photo[thumbnailIndex(property.photo) ?? -1]?.thumbnail;
  const thumbnail = local
    ? `${task.mediaBase}/${mediaKey(thumbnailName(local.digest, task.thumbnail))}`
    : (named ?? null);
  const published = toProperty(property, { photos: links, thumbnail }, task.terms.fields);
  return { detail: Buffer.from(JSON.stringify(published)), thumbnail };
}

function makeEntry(
  path: string,
  property: AuthoredProperty,
  { detail, thumbnail }: Made,
  spool: Pick<Spool, 'add'>,
  terms: Terms,
): RecordEntry {
  const summary = JSON.stringify(toSummary(property, { thumbnail }));
  const { id, country, city, title } = property;
  return {
    path,
    id,
    country,
    city,
    title,
    summary,
    summaryBytes: Buffer.byteLength(summary),
    summaryDigest: digestOf(summary),
    detailDigest: digestOf(detail),
    detailBytes: detail.length,
    latitude: Number(property.latitude),
    longitude: Number(property.longitude),
    facets: serializeFacets(property, terms),
    spooled: spool.add(detail),
  };
}
