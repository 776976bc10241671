/** The stage that writes the packed layout: objects that the last build wrote are there already. */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPackedKey } from '../contract/keys.ts';
import { makeFolder, removeFolder } from '../folder.ts';
import type { Comparable } from '../release/comparison.ts';
import type { JoinedSummaries } from '../release/sequence.ts';
import { type PackedPlan, packedObjects } from './pack.ts';

/** What was written. */
export type PackedResult = {
  /** Digests of all objects, by key. */
  readonly documents: ReadonlyMap<string, string>;
  readonly written: number;
  readonly removed: number;
};

/**
 * Writes the packed layout below `dist/public`.
 *
 * @param packed how the sequence is divided; undefined when nothing is to be packed.
 * @param last digests of the objects that the last build wrote, by key; undefined when unknown.
 */
export function writePacked(
  root: string,
  { release, sequence, summaries, packed }: PackedInput,
  last: Readonly<Record<string, string>> | undefined,
): PackedResult {
  const documents = new Map<string, string>();
  const folders = new Set<string>();
  let written = 0;
  for (const { key, digest, bytes } of packed ? packedObjects(sequence, summaries, packed, release) : []) {
    documents.set(key, digest);
    if (last?.[key] === digest) continue;
    const path = join(root, key);
    const folder = dirname(path);
    if (!folders.has(folder)) makeFolder(folder);
    folders.add(folder);
    writeFileSync(path, bytes);
    written++;
  }
  const gone = Object.keys(last ?? {}).filter((key) => isPackedKey(key) && !documents.has(key));
  for (const key of gone) rmSync(join(root, key), { force: true });
  for (const folder of new Set(gone.map(dirname))) removeFolder(join(root, folder));
  return { documents, written, removed: gone.length };
}

/** A release, as far as the packed layout depends on it. */
export type PackedInput = {
  /** Its name. */
  readonly release: string;
  readonly sequence: readonly Comparable[];
  readonly summaries: JoinedSummaries;
  readonly packed: PackedPlan | undefined;
};
