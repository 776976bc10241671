import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guessId } from '../source/property-file.ts';

export type LeftOut = {
  /** Relative to the content folder. */
  readonly path: string;
  /** Its property's id, if that can be recognised. */
  readonly id: string | undefined;
};

export type OneSidedProperty = {
  readonly id: string;
  /** Path of its file; empty when unknown. */
  readonly path: string;
};

export function findLeftOut(content: string, paths: Iterable<string>): LeftOut[] {
  return [...new Set(paths)].sort().map((path) => ({ path, id: idIn(join(content, path)) }));
}

/**
 * Guesses the properties that a file with errors may contain, among those that only the other side has: by its id; else
 * by its path; else, where neither the id nor the other side's paths are known, all of them.
 */
export function heldBy({ path, id }: LeftOut, oneSided: readonly OneSidedProperty[]): OneSidedProperty[] {
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
    // An unreadable file has no known id.
    return undefined;
  }
}
