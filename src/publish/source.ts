/** The source of a release's bytes: `dist/public`, or an archive in a bucket. */

import type { ReadableRelease } from '../release/open.ts';
import { cutPage, entriesOf } from '../release/page.ts';
import type { PublishedObject } from '../release/release.ts';
import type { JoinedSummaries } from '../release/sequence.ts';
import type { Body } from '../storage/body.ts';

export type Source = ReadableRelease & {
  /** Whether the release comes from the bucket, which then has its kept objects (`isKept`) already. */
  readonly isKept: boolean;
  /**
   * Reads an object.
   *
   * @throws UsageError when it differs from the manifest.
   */
  readonly body: (object: PublishedObject) => Body | Promise<Body>;
  /** Takes back a body that nothing uses any more; its memory may be used again. @default it is left to the garbage collector */
  readonly reuse?: ((body: Body) => void) | undefined;
  /**
   * Checks objects before anything is written.
   *
   * @throws UsageError for the first object that differs from the manifest.
   */
  readonly check: (objects: Iterable<PublishedObject>) => Promise<void>;
};

const encode = (text: string) => Buffer.from(text);

/** Makes pages and totals from the joined summaries. */
export function createLists(
  joined: JoinedSummaries,
): (object: PublishedObject & { kind: 'page' | 'total' }) => Buffer {
  return (object) => {
    const { runs, total } = object.scope;
    if (object.kind === 'total') return Buffer.from(String(total));
    const { size, number } = object;
    return Buffer.concat(cutPage(entriesOf(joined, runs, number, size), number, size, total, encode));
  };
}
