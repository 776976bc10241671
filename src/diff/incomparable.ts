/** What a review cannot compare: files that have errors on one side, and the properties that they hold. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file, or a folder, that cannot be read as properties. */
export type LeftOut = {
  /** Relative to the content folder. */
  readonly path: string;
  /** The id that it says it has, as far as that can be seen. */
  readonly id: string | undefined;
};

/** A property that one side has, and the other one has not as far as it can be read. */
export type OneSided = {
  readonly id: string;
  /** Empty where it is not known. */
  readonly path: string;
};

/**
 * Finds what is left out of a content folder.
 *
 * @param paths of files and folders with errors.
 */
export function findLeftOut(content: string, paths: Iterable<string>): LeftOut[] {
  return [...new Set(paths)].sort().map((path) => ({ path, id: idIn(join(content, path)) }));
}

/**
 * The properties that a file with errors may hold, among those that the other side alone seems to have: the one of its
 * id; else those of its path; else, where neither an id nor the paths of the other side are known, any.
 */
export function heldBy({ path, id }: LeftOut, oneSided: readonly OneSided[]): OneSided[] {
  const byId = oneSided.filter((one) => one.id === id);
  if (byId.length > 0) return byId;
  return oneSided.filter(
    (one) => one.path === path || one.path.startsWith(`${path}/`) || (one.path === '' && id === undefined),
  );
}

function idIn(path: string): string | undefined {
  try {
    const [, id] = /^["']?id["']?:[ \t]*["']?([0-9a-f-]{36})/im.exec(readFileSync(path, 'utf8')) ?? [];
    return id?.toLowerCase();
  } catch {
    // What cannot be read says nothing.
    return undefined;
  }
}
