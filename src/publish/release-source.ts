/** Where the bytes of a release come from: `dist/public`, or the bucket that keeps the release. */

import { assemblePage, pageEntries } from '../release/page.ts';
import type { PublishedObject, Release } from '../release/release.ts';
import type { JoinedSummaries } from '../release/sequence.ts';
import type { ObjectBody } from '../storage/body.ts';

export type ReleaseSource = {
  readonly release: Release;
  /** True if the release comes from the bucket that it is published to. Its shared objects are there already. */
  readonly isFromBucket: boolean;
  /** @throws UsageError (EnvironmentError if `isFromBucket`) when the object is missing or differs from its digest */
  readonly body: (object: PublishedObject) => ObjectBody | Promise<ObjectBody>;
  /** Call when a body is no longer used, to reuse its memory. @default the garbage collector frees it */
  readonly reuse?: ((body: ObjectBody) => void) | undefined;
  /** Call before writing anything. @throws the error of `body`, for the first object that is missing or differs */
  readonly check: (objects: Iterable<PublishedObject>) => Promise<void>;
};

const COMMA = Buffer.from(',');

const encode = (text: string) => Buffer.from(text);

type List = PublishedObject & { kind: 'page' | 'total' };

export function createListMaker(joined: JoinedSummaries): (object: List) => Buffer {
  return (object) => {
    const { runs, total } = object.scope;
    if (object.kind === 'total') return Buffer.from(String(total));
    const { size, number } = object;
    return Buffer.concat(assemblePage(pageEntries(joined, runs, number, size), number, size, total, encode));
  };
}

/** Reads all summaries at the first call of the returned function. */
export function openListMaker(release: Release): (object: List) => Promise<Buffer> {
  let lists: Promise<(object: List) => Buffer> | undefined;
  return async (object) => {
    lists ??= readSummaries(release).then(createListMaker);
    return (await lists)(object);
  };
}

/** In list order. @throws the error of `leaves.leafError` when a chunk is missing or damaged */
async function readSummaries({ root, leaves }: Release): Promise<JoinedSummaries> {
  const pieces: Uint8Array[] = [];
  const offsets = new Uint32Array(root.total + 1);
  let size = 0;
  for (const { digest, start } of root.chunks) {
    const chunk = (await leaves.chunk(digest))!;
    for (let index = 1; index <= chunk.count; index++) offsets[start + index] = size + chunk.offsets[index]!;
    pieces.push(chunk.entries, COMMA);
    size += chunk.entries.length + COMMA.length;
  }
  return { bytes: Buffer.concat(pieces), offsets };
}
