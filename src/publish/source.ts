/** Where the bytes of a release come from: `dist/public`, or what a bucket keeps of an earlier release. */

import type { ReadableRelease } from '../release/open.ts';
import { cutPage, entriesOf } from '../release/page.ts';
import type { PublishedObject } from '../release/release.ts';
import { joinSummaries } from '../release/sequence.ts';
import type { Body } from '../storage/body.ts';

/** A release with the bytes of its objects. */
export type Source = ReadableRelease & {
  /** Whether the bucket keeps those of its objects that stay until a release is pruned (`isKept`). */
  readonly isKept: boolean;
  /**
   * The bytes of an object.
   *
   * @throws UsageError when they are not what the manifest says.
   */
  readonly body: (object: PublishedObject) => Body | Promise<Body>;
  /**
   * Checks objects before anything is written.
   *
   * @throws UsageError for the first that is not what the manifest says.
   */
  readonly check: (objects: Iterable<PublishedObject>) => Promise<void>;
};

const encode = (text: string) => Buffer.from(text);

/** Makes the bytes of pages and totals from the summaries, joined once. */
export function createLists(
  summaries: readonly string[],
): (object: PublishedObject & { kind: 'page' | 'total' }) => Buffer {
  const joined = joinSummaries(summaries);
  return (object) => {
    const { runs, total } = object.scope;
    if (object.kind === 'total') return Buffer.from(String(total));
    const { size, number } = object;
    return Buffer.concat(cutPage(entriesOf(joined, runs, number, size), number, size, total, encode));
  };
}

/** All summaries, in the order of the sequence. They are read in the order of the ids, as archives keep them. */
export async function allSummaries({
  release,
  summary,
}: Pick<Source, 'release' | 'summary'>): Promise<string[]> {
  const { sequence, places } = release;
  const summaries: string[] = new Array(sequence.length).fill('');
  for (const id of Array.from(sequence, (entry) => entry.id).sort())
    summaries[places.get(id)!] = await summary(id);
  return summaries;
}
