/** Finds what somebody, or a disk, changed in the output since it was written. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Comparable, compareSequences } from '../catalogue/comparison.ts';
import { scopesOf } from '../catalogue/sequence.ts';
import { mediaKey, propertyKey } from '../contract/layout.ts';
import { isWholeImage } from '../media/completeness.ts';
import { type DocumentParts, documentDigest } from './manifest.ts';
import { divide, findDifferences, joinSummaries } from './page-files.ts';
import { totalsOf } from './plan.ts';
import { findStrays } from './prune.ts';

/** What a release holds. */
export type WrittenRelease = {
  /** In the order of the sequence. */
  readonly sequence: readonly (Comparable & { readonly summary: string })[];
  readonly sizes: readonly number[];
  /** Whether lists are stored page by page. */
  readonly hasPages: boolean;
  readonly media: readonly string[];
  /** Digests of the documents, by key. */
  readonly documents: Readonly<Record<string, string>>;
  /** Lengths of the parts of documents that are made in parts. */
  readonly parts?: DocumentParts | undefined;
};

/** Compares every file below `dist/public` with what was written. Returns the keys that differ, sorted. */
export function findDamage(
  root: string,
  { sequence, sizes, hasPages, media, documents, parts }: WrittenRelease,
): string[] {
  const { changed } = hasPages ? compareSequences([], sequence) : { changed: [] };
  const damaged = findDifferences({
    root,
    summaries: joinSummaries(sequence),
    scopes: changed,
    sizes,
    details: [],
    pieces: divide(changed, sizes, 0),
    counter: new Int32Array(new SharedArrayBuffer(8)),
  });
  const expect = (key: string, digest: string) => {
    try {
      if (documentDigest({ parts }, key, readFileSync(join(root, key))) === digest) return;
    } catch {
      // A file that cannot be read is damaged too.
    }
    damaged.push(key);
  };
  for (const { id, detailDigest } of sequence) expect(propertyKey(id), detailDigest);
  for (const [key, digest] of Object.entries(documents)) expect(key, digest);
  for (const name of media) if (!isWholeImage(join(root, mediaKey(name)))) damaged.push(mediaKey(name));
  const strays = findStrays(root, {
    totals: totalsOf(hasPages ? scopesOf(sequence) : []),
    sizes,
    ids: new Set(sequence.map(({ id }) => id)),
    media: new Set(media),
    documents: new Set(Object.keys(documents)),
  });
  return [...damaged, ...strays.files].sort();
}
