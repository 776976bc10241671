/**
 * The stage that reads: from YAML files to entries of the sequence, with the details on their way to the disk. It
 * runs on one thread or on several; the threads take groups of files from one counter.
 */

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { AuthoredProperty } from '../../contract/authored.ts';
import type { PhotoSettings, ThumbnailSettings } from '../../contract/configuration.ts';
import { mediaKey } from '../../contract/keys.ts';
import { sortKey } from '../../contract/order.ts';
import { type Visibility, visibilityOf } from '../../contract/visibility.ts';
import type { Vocabulary } from '../../contract/vocabulary.ts';
import { reasonOf } from '../../file-error.ts';
import { photoName, thumbnailName } from '../../media/name.ts';
import { belongsTo, type Shard } from '../../media/shard.ts';
import { digestFile, sampleFile } from '../../media/source.ts';
import { digestOf } from '../../release/digest.ts';
import type { Entry } from '../../release/sequence.ts';
import { thumbnailIndex, toProperty, toSummary } from '../../release/to-published.ts';
import type { PlacedFile } from '../../source/cross-finding.ts';
import { type Diagnostic, diagnose } from '../../source/diagnostic.ts';
import { judgedAsDraft } from '../../source/draft.ts';
import { createPhotoFinder, type PhotoFile, type PhotoFinder } from '../../source/photo-file.ts';
import { checkPropertyFile, MAX_FILE_BYTES, reopen } from '../../source/property-file.ts';
import type { ReadableProperty } from '../../source/readable.ts';
import { locate } from '../../source/schema-issues.ts';
import type { OpenDocument } from '../../source/yaml-document.ts';
import type { Pause } from '../write/pages.ts';

/** What the stage needs. Crosses threads, so it holds only plain data and shared memory. */
export type ReadTask = {
  /** Absolute path of the content folder. */
  readonly content: string;
  /** Paths of the files to read, relative to it. */
  readonly paths: readonly string[];
  readonly vocabulary: Vocabulary;
  /** URL in front of the keys of media. */
  readonly mediaBase: string;
  readonly photo: PhotoSettings;
  readonly thumbnail: ThumbnailSettings;
  /** Whether thumbnails are made of photos elsewhere. */
  /** Photos of the last build. */
  readonly knownPhotos: ReadonlyMap<string, PhotoFile>;
  /** Digests of the files of the last build whose records still hold for the same bytes, by path; undefined: none is made. */
  readonly knownDigests: ReadonlyMap<string, string> | undefined;

  /** Folder for the details; undefined when nothing is to be published. */
  readonly staging: string | undefined;
  /** The share of the photos to look at; undefined: all. Only where nothing is to be published. */
  readonly shard?: Shard | undefined;
  /** Next group of files to take; groups done. */
  readonly counter: Int32Array;
};

/** A local photo that a property publishes. */
export type MediaUse = PhotoFile & {
  /** Its place in the YAML file's list of photos. */
  readonly index: number;
  /** Whether the property's thumbnail is made of it. */
  readonly thumbnail: boolean;
};

/** Where a detail waits. */
export type Staged = { readonly spool: number; readonly offset: number; readonly length: number };

/** What is needed to check a property against the others, as far as it is sound. */
export type CheckedAcrossFiles = Omit<PlacedFile, 'path'>;

/** What one file says. */
export type FileRecord = {
  readonly path: string;
  /** Digest of its bytes; empty when it cannot be read, and when no later reading compares it. */
  readonly digest: string;
  readonly diagnostics: readonly Diagnostic[];

  /** When it is shown; undefined: always. */
  readonly visibility?: Visibility | undefined;
  /** Undefined when there is an error, and when nothing is to be published. */
  readonly entry?: Entry | undefined;
  /** Where the property belongs, when there is no entry: it has errors, or nothing is to be published. */
  readonly placed?: CheckedAcrossFiles | undefined;
  /** The file has the bytes of the known digest; nothing else is filled in. */
  readonly unchanged?: boolean;
  readonly media: readonly MediaUse[];
  /** Where the detail is; undefined for a file without one, and for one that is published already. */
  readonly staged?: Staged | undefined;
};

/** Records of successive files. `start`: the place of the first one among the paths of the task. */
export type ReadGroup = { readonly start: number; readonly records: readonly FileRecord[] };

const GROUP = 32;

/** Number of groups of a task. */
export function groupCount(task: ReadTask): number {
  return Math.ceil(task.paths.length / GROUP);
}

/**
 * Reads until no group is left.
 *
 * @param thread number of this thread, from 0: it names the spool of its details.
 * @param take receives each group.
 * @param onGroup called after each group, and waited for.
 * @throws the error of the file system when the spool cannot be written.
 */
export async function readFiles(
  task: ReadTask,
  thread: number,
  take: (group: ReadGroup) => void,
  onGroup?: Pause,
): Promise<undefined> {
  const photos = createPhotoFinder(task.content, task.knownPhotos, digestIn(task.shard));
  const spool = task.staging === undefined ? undefined : createSpool(spoolPath(task.staging, thread), thread);
  const buffer = Buffer.allocUnsafe(MAX_FILE_BYTES + 1);
  try {
    for (;;) {
      const start = Atomics.add(task.counter, 0, 1) * GROUP;
      if (start >= task.paths.length) break;
      const paths = task.paths.slice(start, start + GROUP);
      take({ start, records: paths.map((path) => readFile(task, path, buffer, photos, spool)) });
      Atomics.add(task.counter, 1, 1);
      await onGroup?.();
    }
  } finally {
    spool?.close();
  }
  return undefined;
}

/**
 * The digest of photos of a share, and undefined for others. Shares are derived from samples: hashing every photo on every
 * machine would take as long as making the images of a share.
 */
function digestIn(shard: Shard | undefined): (path: string) => string | undefined {
  return shard ? (path) => (belongsTo(shard, sampleFile(path)) ? digestFile(path) : undefined) : digestFile;
}

/** Path of the spool of one thread. */
export function spoolPath(staging: string, thread: number): string {
  return join(staging, `details-${thread}`);
}

/** The detail that waits in a spool. */
export function readStaged(staging: string, { spool, offset, length }: Staged): Buffer {
  const file = openSync(spoolPath(staging, spool), 'r');
  try {
    const bytes = Buffer.alloc(length);
    readSync(file, bytes, 0, length, offset);
    return bytes;
  } finally {
    closeSync(file);
  }
}

function readFile(
  task: ReadTask,
  path: string,
  buffer: Buffer,
  photos: PhotoFinder,
  spool: Spool | undefined,
): FileRecord {
  const nothing = { path, digest: '', media: [] };
  let bytes: Buffer;
  try {
    bytes = readInto(buffer, task.content + sep + path);
  } catch (error) {
    return {
      ...nothing,
      diagnostics: [diagnose('unreadable-file', path, null, { reason: reasonOf(error) })],
    };
  }
  if (bytes.length > MAX_FILE_BYTES) {
    const args = { bytes: `more than ${MAX_FILE_BYTES}`, limit: MAX_FILE_BYTES };
    return { ...nothing, diagnostics: [diagnose('file-too-large', path, null, args)] };
  }
  const digest = task.knownDigests ? digestOf(bytes) : '';
  if (task.knownDigests?.get(path) === digest)
    return { path, digest, diagnostics: [], media: [], unchanged: true };
  return recordOf(task, path, bytes, photos, spool, digest);
}

/**
 * What the bytes of one file say.
 *
 * @param spool takes the detail; undefined when nothing is to be published.
 */
export function recordOf(
  task: Pick<ReadTask, 'vocabulary' | 'mediaBase' | 'photo' | 'thumbnail'>,
  path: string,
  bytes: Buffer,
  photos: PhotoFinder,
  spool: Pick<Spool, 'add'> | undefined,
  digest: string = digestOf(bytes),
): FileRecord {
  const { property, readable, diagnostics } = checkPropertyFile(bytes, path, task.vocabulary);
  if (!readable) return { path, digest, diagnostics, media: [] };
  const used = findMedia(task, path, bytes, readable, photos);
  const isPublished = spool && property && used.diagnostics.length === 0;
  const published = isPublished ? publish(task, property, used) : undefined;
  // One by one, here and in an entry: V8 gives each object that another one is spread into a shape of its own.
  return {
    path,
    digest,
    diagnostics: judgedAsDraft(readable, [...diagnostics, ...used.diagnostics]),
    visibility: visibilityOf(readable),
    entry: published?.entry,
    placed: published ? undefined : placeOf(readable),
    media: used.media,
    staged: published && spool?.add(published.detail),
  };
}

function placeOf({ id, country, city }: ReadableProperty): CheckedAcrossFiles {
  return { id: standalone(id), country, city: standalone(city) };
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
  readonly media: MediaUse[];
  readonly links: string[];
  readonly diagnostics: Diagnostic[];
};

function findMedia(
  task: Pick<ReadTask, 'mediaBase' | 'photo'>,
  path: string,
  bytes: Buffer,
  { photo: entries }: ReadableProperty,
  photos: PhotoFinder,
): UsedMedia {
  const shown = thumbnailIndex(entries);
  const used: UsedMedia = { media: [], links: [], diagnostics: [] };
  let document: OpenDocument | undefined;
  entries.forEach((entry, index) => {
    if (entry?.file === undefined) {
      used.links.push(entry?.url ?? '');
      return;
    }
    const photo = photos.find(path, entry.file);
    if (!photo) return;
    if ('code' in photo) {
      const fault = { code: photo.code, path: ['photo', index, 'file'], args: photo.args };
      document ??= reopen(bytes, path);
      used.diagnostics.push(locate(fault, path, document));
      return;
    }
    used.links.push(`${task.mediaBase}/${mediaKey(photoName(photo.digest, task.photo))}`);
    used.media.push({ ...photo, index, thumbnail: index === shown });
  });
  return used;
}

function publish(
  task: Pick<ReadTask, 'mediaBase' | 'thumbnail'>,
  property: AuthoredProperty,
  { media, links }: UsedMedia,
) {
  const local = media.find((use) => use.thumbnail);
  const named = property.photo[thumbnailIndex(property.photo) ?? -1]?.thumbnail;
  const thumbnail = local
    ? `${task.mediaBase}/${mediaKey(thumbnailName(local.digest, task.thumbnail))}`
    : (named ?? null);
  const detail = Buffer.from(JSON.stringify(toProperty(property, { photos: links, thumbnail })));
  const summary = JSON.stringify(toSummary(property, { photos: links, thumbnail }));
  const { id, country, city } = property;
  const entry: Entry = {
    id: standalone(id),
    country,
    city: standalone(city),
    sortKey: standalone(sortKey(property)),
    summary,
    summaryDigest: digestOf(summary),
    detailDigest: digestOf(detail),
    detailBytes: detail.length,
    latitude: Number(property.latitude),
    longitude: Number(property.longitude),
  };
  return { entry, detail };
}

/**
 * A copy of a text that shares no memory with what it was cut from. V8 keeps the whole text of a file for as long as a piece
 * of more than twelve characters: of 17,000 properties that was 21 of 67 MB of heap.
 */
function standalone<Text extends string | undefined>(text: Text): Text {
  return text === undefined ? text : JSON.parse(JSON.stringify(text));
}

type Spool = { readonly add: (detail: Buffer) => Staged; readonly close: () => void };

/** Collects details in one file: a small file each would be written twice. */
function createSpool(path: string, spool: number): Spool {
  const file = openSync(path, 'w');
  const chunk = Buffer.allocUnsafe(1 << 20);
  let filled = 0;
  let offset = 0;
  const flush = () => {
    writeAll(file, chunk, filled);
    filled = 0;
  };
  return {
    add(detail) {
      if (filled + detail.length > chunk.length) flush();
      if (detail.length > chunk.length) writeAll(file, detail, detail.length);
      else filled += detail.copy(chunk, filled);
      const staged = { spool, offset, length: detail.length };
      offset += detail.length;
      return staged;
    },
    close() {
      flush();
      closeSync(file);
    },
  };
}

function writeAll(file: number, bytes: Buffer, length: number): void {
  for (let written = 0; written < length; ) written += writeSync(file, bytes, written, length - written);
}
