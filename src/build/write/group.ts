/** Groups: files in one folder of `dist`, each with a digest that the state stores. A build writes the files that differ. */
import { dirname, join } from 'node:path';
import { makePublicFolder, writePieces } from '../../files/folder.ts';
import { digestOf } from '../../release/digest.ts';

/** Digests of a group's files, by path below its folder, in the order of the manifest. */
export type Group = Readonly<Record<string, string>>;

/** The groups with a digest per file. Pages and details follow from the sequence instead (`emit.ts`). */
type GroupName = 'documents' | 'media' | 'edge' | 'schema';

export type Groups = Readonly<Record<GroupName, Group>>;

export type GroupFile = {
  readonly key: string;
  readonly digest?: string | undefined;
  readonly content: () => Content | Promise<Content>;
};

/** Text or bytes of a file, or a function that creates it at a path and returns its digest. */
type Content = string | Uint8Array | ((path: string) => string);

/** Writes the files of a group that differ from the last build's, and collects all digests. */
export type GroupWriter = {
  readonly digests: Map<string, string>;
  readonly write: (file: GroupFile) => Promise<void>;
  readonly written: () => number;
  /** Returns the digests, in the order of writing. */
  readonly group: () => Group;
  /** Returns the files of the last build that are not in the group. */
  readonly gone: () => string[];
};

/**
 * @param last the last build's group; undefined when unknown: then every file is written.
 * @param note called before a file of known content is written.
 */
export function createGroup(
  folder: string,
  last: Group | undefined,
  note?: (key: string, digest: string) => void,
): GroupWriter {
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
