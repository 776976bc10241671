/** A group consists of the files of one kind in a folder of `dist`. A build writes those whose digests changed. */
import { dirname, join } from 'node:path';
import { makePublicFolder, writePieces } from '../../files/files-and-folders.ts';
import { digestOf } from '../../release/digest.ts';
import type { FileDigests } from '../state/written-files.ts';

export type GroupFile = {
  readonly key: string;
  readonly digest?: string | undefined;
  readonly content: () => Content | Promise<Content>;
};

/** Text, bytes, or a function that creates the file at a path and returns its digest. */
type Content = string | Uint8Array | ((path: string) => string);

/** Writes the files that differ from those of the last build, and collects all digests. */
export type ChangedFilesWriter = {
  readonly digests: Map<string, string>;
  readonly write: (file: GroupFile) => Promise<void>;
  readonly written: () => number;
  /** Digests by key, including those of unchanged files. */
  readonly group: () => FileDigests;
  /** Files of the last build that are not in the group. */
  readonly gone: () => string[];
};

/**
 * @param last the last build's group; if undefined, every file is written
 * @param note called before a file is written, unless its content is a function
 */
export function createChangedFilesWriter(
  folder: string,
  last: FileDigests | undefined,
  note?: (key: string, digest: string) => void,
): ChangedFilesWriter {
  const digests = new Map<string, string>();
  let written = 0;
  return {
    digests,
    async write({ key, digest: known, content }) {
      if (known !== undefined) digests.set(key, known);
      if (known !== undefined && last?.[key] === known) return;
      const made = await content();
      if (typeof made !== 'function') {
        const digest = known ?? digestOf(made);
        digests.set(key, digest);
        if (last?.[key] === digest) return;
        note?.(key, digest);
      }
      const path = join(folder, key);
      makePublicFolder(dirname(path));
      if (typeof made === 'function') digests.set(key, made(path));
      else writePieces(path, [typeof made === 'string' ? Buffer.from(made) : made]);
      written++;
    },
    written: () => written,
    group: () => Object.fromEntries(digests),
    gone: () => Object.keys(last ?? {}).filter((key) => !digests.has(key)),
  };
}
