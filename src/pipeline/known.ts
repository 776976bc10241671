/** What the last build knows, and still holds. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceFile, stampFile } from '../source/find.ts';
import type { PhotoFile } from '../source/photo-file.ts';
import type { FileRecord } from './read-stage.ts';
import { knownLines, plainLine } from './stamps.ts';

/** Records and photos of the last build, by path. */
export type Known = {
  /** Records of which neither the file nor a photo changed its size or times. */
  readonly unchanged: ReadonlyMap<string, FileRecord>;
  /** Records that hold as long as the bytes of their file do: those without photos of their own. */
  readonly byBytes: ReadonlyMap<string, FileRecord>;
  /** Photos, whose digest holds as long as size and times do. */
  readonly photos: ReadonlyMap<string, PhotoFile>;
};

/** Nothing: everything is read. */
export const NOTHING_KNOWN: Known = { unchanged: new Map(), byBytes: new Map(), photos: new Map() };

/**
 * Finds what still holds.
 *
 * @param records records that the last build published; others are read again, since their detail is nowhere.
 * @param stamps the stamps of the last build.
 * @param files the files that are there now.
 */
export function findKnown(
  records: Iterable<FileRecord>,
  stamps: string,
  files: readonly SourceFile[],
  content: string,
): Known {
  const lines = knownLines(stamps);
  const present = new Map(files.map((file) => [file.path, file]));
  const unchanged = new Map<string, FileRecord>();
  const byBytes = new Map<string, FileRecord>();
  const photos = new Map<string, PhotoFile>();
  const judged = new Map<string, boolean>();
  const holds = (photo: PhotoFile) => {
    let result = judged.get(photo.path);
    if (result === undefined) {
      result = lines.has(plainLine(photo)) && isAsStamped(content, photo);
      judged.set(photo.path, result);
      const { path, stamp, latest, digest } = photo;
      if (result) photos.set(path, { path, stamp, latest, digest });
    }
    return result;
  };
  for (const record of records) {
    const file = present.get(record.path);
    if (!file) continue;
    // Every photo is judged, so that those that hold are known even where another one does not.
    const hold = record.media.map(holds).every(Boolean);
    if (hold && lines.has(plainLine(file))) unchanged.set(record.path, record);
    else if (record.media.length === 0) byBytes.set(record.path, record);
  }
  return { unchanged, byBytes, photos };
}

function isAsStamped(content: string, photo: SourceFile): boolean {
  try {
    return stampFile(photo.path, statSync(join(content, photo.path))).stamp === photo.stamp;
  } catch {
    return false;
  }
}
