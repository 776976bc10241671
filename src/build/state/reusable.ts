/** What the last build knows, and still holds. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { PhotoFile } from '../../source/photo-file.ts';
import { type StampedFile, stampFile } from '../../source/stamp.ts';
import type { FileRecord } from '../read/files.ts';
import type { LastRelease } from './last-release.ts';
import { type FileStamps, isSameStamp, plainLine } from './stamps.ts';

/** Records and photos of the last build, by path. */
export type Known = {
  /** For each file its record, if neither the file nor a photo changed its stamp. */
  readonly unchanged: readonly (FileRecord | undefined)[];
  /** Records that hold as long as the bytes of their file do: those without photos of their own. */
  readonly byBytes: ReadonlyMap<string, FileRecord>;
  /** Photos, whose digest holds as long as their stamp does. */
  readonly photos: ReadonlyMap<string, PhotoFile>;
};

/** Nothing: everything is read. */
export const NOTHING_KNOWN: Known = { unchanged: [], byBytes: new Map(), photos: new Map() };

/**
 * Finds what still holds. Records that were not published are read again, since their detail is nowhere.
 *
 * @param last the records of the last build, in the order of their paths, and its stamps.
 * @param files the files that are there now, in the same order.
 * @param now their stamps.
 */
export function findKnown(
  { records, stamps }: Pick<LastRelease, 'records' | 'stamps'>,
  files: readonly string[],
  now: FileStamps,
  content: string,
): Known {
  const photoLines = new Set(stamps.photos);
  const unchanged: (FileRecord | undefined)[] = new Array(files.length);
  const byBytes = new Map<string, FileRecord>();
  const photos = new Map<string, PhotoFile>();
  const judged = new Map<string, boolean>();
  const holds = (photo: PhotoFile) => {
    let result = judged.get(photo.path);
    if (result === undefined) {
      result = photoLines.has(plainLine(photo)) && isAsStamped(content, photo);
      judged.set(photo.path, result);
      const { path, stamp, settled, digest } = photo;
      if (result) photos.set(path, { path, stamp, settled, digest });
    }
    return result;
  };
  let place = 0;
  for (let index = 0; index < files.length; index++) {
    const path = files[index]!;
    while (place < records.length && records[place]!.path < path) place++;
    const record = records[place];
    if (record?.path !== path) continue;
    // Every photo is judged, so that those that hold are known even where another one, or the record, does not.
    const { media } = record;
    const hold = media.length === 0 || media.map(holds).every(Boolean);
    if (!record.entry) continue;
    if (hold && isSameStamp(stamps, place, now, index)) unchanged[index] = record;
    else if (media.length === 0) byBytes.set(path, record);
  }
  return { unchanged, byBytes, photos };
}

function isAsStamped(content: string, photo: StampedFile): boolean {
  try {
    return stampFile(photo.path, statSync(join(content, photo.path))).stamp === photo.stamp;
  } catch {
    return false;
  }
}
