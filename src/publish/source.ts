/** Where the bytes of a release come from: `dist/public`, or what a bucket keeps of an earlier release. */

import { pageKey, scopeFolder } from '../contract/keys.ts';
import { DEFAULT_PAGE_SIZE } from '../contract/parameters.ts';
import { digestOf } from '../release/digest.ts';
import { cutPage, entriesOf } from '../release/page.ts';
import type { PublishedObject, Release } from '../release/release.ts';
import type { JoinedSummaries } from '../release/sequence.ts';

/** A release with the bytes of its objects. */
export type Source = {
  readonly release: Release;
  /** Whether the bucket keeps those of its objects that stay until a release is pruned (`isKept`). */
  readonly isKept: boolean;
  /**
   * The bytes of an object.
   *
   * @throws UsageError when they are not what the manifest says.
   */
  readonly body: (object: PublishedObject) => Promise<Buffer>;
  /**
   * Checks objects before anything is written.
   *
   * @throws UsageError for the first that is not what the manifest says.
   */
  readonly check: (objects: Iterable<PublishedObject>) => Promise<void>;
  /**
   * The text of the summary of a property.
   *
   * @throws as `body`.
   */
  readonly summary: (id: string) => Promise<string>;
};

/** Makes the bytes of pages and totals from the summaries, joined once. */
export function createLists(
  summaries: readonly string[],
): (object: PublishedObject & { kind: 'page' | 'total' }) => Buffer {
  const joined = joinSummaries(summaries);
  return (object) => {
    const { runs, total } = object.scope;
    if (object.kind === 'total') return Buffer.from(String(total));
    const { size, number } = object;
    return Buffer.concat(cutPage(entriesOf(joined, runs, number, size), number, size, total));
  };
}

function joinSummaries(texts: readonly string[]): JoinedSummaries {
  const offsets = new Uint32Array(texts.length + 1);
  texts.forEach((text, index) => {
    offsets[index + 1] = offsets[index]! + Buffer.byteLength(text) + 1;
  });
  return { bytes: Buffer.from(texts.map((text) => `${text},`).join('')), offsets };
}

/**
 * The summaries of a release, as text, from the pages of one size of the unfiltered list.
 *
 * @param read gives the bytes of an object by its key.
 * @returns the key of the first page that is not what the manifest says, if there is one.
 */
export async function summariesOf(
  release: Release,
  read: (key: string) => Promise<Buffer>,
): Promise<{ summaries: string[] } | { damaged: string }> {
  const summaries: string[] = [];
  const { sequence } = release;
  for (let number = 1; summaries.length < sequence.length; number++) {
    const key = pageKey(scopeFolder('', ''), DEFAULT_PAGE_SIZE, number);
    const entries = dataOf(await read(key));
    if (!entries || entries.length === 0) return { damaged: key };
    for (const entry of entries) {
      const text = JSON.stringify(entry);
      if (digestOf(text) !== sequence[summaries.length]?.summaryDigest) return { damaged: key };
      summaries.push(text);
    }
  }
  return { summaries };
}

function dataOf(body: Buffer): unknown[] | undefined {
  try {
    const { data } = JSON.parse(body.toString('utf8')) as { data: unknown };
    return Array.isArray(data) ? data : undefined;
  } catch {
    return undefined;
  }
}
