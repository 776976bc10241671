/** Where the bytes of a release come from: `dist/public`, or what a bucket keeps of an earlier release. */

import { pageKey, scopeFolder } from '../contract/keys.ts';
import { PAGE_HEAD, pageTail } from '../contract/pagination.ts';
import { DEFAULT_PAGE_SIZE } from '../contract/parameters.ts';
import { digestOf } from '../release/digest.ts';
import type { PublishedObject, Release } from '../release/release.ts';
import type { Scope } from '../release/sequence.ts';

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
  const whole = join(summaries);
  let cached: { folder: string; joined: Joined } | undefined;
  const joinedOf = (scope: Scope): Joined => {
    const [first, ...others] = scope.runs;
    if (!first) return join([]);
    if (others.length === 0) return { bytes: whole.bytes, offsets: whole.offsets, start: first.start };
    const folder = scopeFolder(scope.country, scope.city);
    if (cached?.folder !== folder) {
      const texts = scope.runs.flatMap(({ start, end }) => summaries.slice(start, end));
      cached = { folder, joined: join(texts) };
    }
    return cached.joined;
  };
  return (object) => {
    const { scope } = object;
    if (object.kind === 'total') return Buffer.from(String(scope.total));
    const { size, number } = object;
    const { bytes, offsets, start } = joinedOf(scope);
    const from = offsets[start + (number - 1) * size]!;
    const to = offsets[start + Math.min(number * size, scope.total)]! - 1;
    return Buffer.concat([
      Buffer.from(PAGE_HEAD),
      bytes.subarray(from, to),
      Buffer.from(pageTail(number, size, scope.total)),
    ]);
  };
}

/** Texts joined by commas, where each starts, and which of them is the first of a scope. */
type Joined = { readonly bytes: Buffer; readonly offsets: Uint32Array; readonly start: number };

function join(texts: readonly string[]): Joined {
  const offsets = new Uint32Array(texts.length + 1);
  let offset = 0;
  texts.forEach((text, index) => {
    offsets[index] = offset;
    offset += Buffer.byteLength(text) + 1;
  });
  offsets[texts.length] = offset;
  return { bytes: Buffer.from(texts.length === 0 ? '' : `${texts.join(',')},`), offsets, start: 0 };
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
    const entries = entriesOf(await read(key));
    if (!entries || entries.length === 0) return { damaged: key };
    for (const entry of entries) {
      const text = JSON.stringify(entry);
      if (digestOf(text) !== sequence[summaries.length]?.summaryDigest) return { damaged: key };
      summaries.push(text);
    }
  }
  return { summaries };
}

function entriesOf(body: Buffer): unknown[] | undefined {
  try {
    const { data } = JSON.parse(body.toString('utf8')) as { data: unknown };
    return Array.isArray(data) ? data : undefined;
  } catch {
    return undefined;
  }
}
