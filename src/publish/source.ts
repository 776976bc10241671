/** The source of a release's bytes: `dist/public`, or an archive in a bucket. */

import { cutPage, entriesOf } from '../release/page.ts';
import type { PublishedObject, Release } from '../release/release.ts';
import type { JoinedSummaries } from '../release/sequence.ts';
import { readSummaries } from '../release/summaries.ts';
import type { Body } from '../storage/body.ts';

export type Source = {
  readonly release: Release;
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

type List = PublishedObject & { kind: 'page' | 'total' };

/** Makes pages and totals from the joined summaries. */
export function createLists(joined: JoinedSummaries): (object: List) => Buffer {
  return (object) => {
    const { runs, total } = object.scope;
    if (object.kind === 'total') return Buffer.from(String(total));
    const { size, number } = object;
    return Buffer.concat(cutPage(entriesOf(joined, runs, number, size), number, size, total, encode));
  };
}

/** Makes pages and totals of a release, whose summaries are read for the first of them. */
export function openLists(release: Release): (object: List) => Promise<Buffer> {
  let lists: Promise<(object: List) => Buffer> | undefined;
  return async (object) => {
    lists ??= readSummaries(release).then(createLists);
    return (await lists)(object);
  };
}
