import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guessId } from '../source/property-file.ts';

export type ExcludedFile = {
  /** Relative to the content folder. */
  readonly path: string;
  readonly id: string | undefined;
};

export type OneSidedProperty = {
  readonly id: string;
  /** Empty if the path is unknown. */
  readonly path: string;
};

export function findExcludedFiles(content: string, paths: Iterable<string>): ExcludedFile[] {
  return [...new Set(paths)].sort().map((path) => ({ path, id: idIn(join(content, path)) }));
}

/**
 * Finds properties with the file's id. If there are none, finds properties at the file's path, or below it if it is a
 * folder. If the file's id is unknown, includes properties without a path, since they may be in the file.
 */
export function propertiesPossiblyIn(
  { path, id }: ExcludedFile,
  oneSided: readonly OneSidedProperty[],
): OneSidedProperty[] {
  const byId = oneSided.filter((one) => one.id === id);
  if (byId.length > 0) return byId;
  return oneSided.filter(
    (one) => one.path === path || one.path.startsWith(`${path}/`) || (one.path === '' && id === undefined),
  );
}

function idIn(path: string): string | undefined {
  try {
    return guessId(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
