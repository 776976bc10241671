import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type StampedFile, stampFile } from '../../source/file-stamp.ts';
import type { PhotoFile } from '../../source/photo-file.ts';
import type { FileRecord } from '../read/file-record.ts';
import { type FileStamps, newIndex, photoStampLine } from './content-stamps.ts';
import type { LastRelease } from './last-release.ts';

export type ReusableResults = {
  /** In the order of the files. Undefined for new, changed or unpublished files, and files with a changed photo. */
  readonly unchanged: readonly (FileRecord | undefined)[];
  /**
   * Maps paths to published records that have no photos and whose YAML file has a new stamp. Such a record is reusable
   * if the digest of its file is unchanged.
   */
  readonly reusableIfSameDigest: ReadonlyMap<string, FileRecord>;
  /** Photos with unchanged stamps, by path: their digests are still valid. */
  readonly photos: ReadonlyMap<string, PhotoFile>;
};

export const NOTHING_REUSABLE: ReusableResults = {
  unchanged: [],
  reusableIfSameDigest: new Map(),
  photos: new Map(),
};

/**
 * Does not reuse unpublished records, since their details are stored nowhere.
 * @param last the last build's records, sorted by path, and the stamps of their files
 * @param files the files that exist now, sorted by path
 * @param now the stamps of `files`
 */
export function findReusableResults(
  { records, stamps }: Pick<LastRelease, 'records' | 'stamps'>,
  files: readonly string[],
  now: FileStamps,
  content: string,
): ReusableResults {
  const photoLines = new Set(stamps.photos);
  const unchanged: (FileRecord | undefined)[] = new Array(files.length);
  const reusableIfSameDigest = new Map<string, FileRecord>();
  const photos = new Map<string, PhotoFile>();
  const checked = new Map<string, boolean>();
  const isPhotoUnchanged = (photo: PhotoFile) => {
    let result = checked.get(photo.path);
    if (result === undefined) {
      result = photoLines.has(photoStampLine(photo)) && isAsStamped(content, photo);
      checked.set(photo.path, result);
      const { path, stamp, reliableFrom, digest } = photo;
      if (result) photos.set(path, { path, stamp, reliableFrom, digest });
    }
    return result;
  };
  const hasSamePaths = stamps.pathsDigest === now.pathsDigest;
  let lastIndex = 0;
  for (let index = 0; index < files.length; index++) {
    const path = files[index]!;
    if (hasSamePaths) lastIndex = index;
    else while (lastIndex < records.length && records[lastIndex]!.path < path) lastIndex++;
    const record = records[lastIndex];
    if (!record || (!hasSamePaths && record.path !== path)) continue;
    // Checks all photos, since those that are unchanged are reused even if the record is not.
    const { media } = record;
    const arePhotosUnchanged = media.length === 0 || media.map(isPhotoUnchanged).every(Boolean);
    if (!record.entry) continue;
    if (arePhotosUnchanged && newIndex(stamps, lastIndex, now, index)) unchanged[index] = record;
    // A record with photos also depends on them, so the digest of its file would not be enough.
    else if (media.length === 0) reusableIfSameDigest.set(path, record);
  }
  return { unchanged, reusableIfSameDigest, photos };
}

function isAsStamped(content: string, photo: StampedFile): boolean {
  try {
    return stampFile(photo.path, statSync(join(content, photo.path))).stamp === photo.stamp;
  } catch {
    return false;
  }
}
