/** Computes the size of a release before anything is written. */

import { scopeFolder } from '../contract/keys.ts';
import { PAGE_HEAD, pageCount, pageTail } from '../contract/pagination.ts';
import { UsageError } from '../errors.ts';
import type { JoinedSummaries, Scope } from '../release/sequence.ts';

/** Number of files and bytes of a release. Images are counted, without their bytes. */
export type ReleaseSize = {
  readonly details: number;
  readonly pages: number;
  readonly totals: number;
  readonly packed: number;
  readonly media: number;
  readonly documents: number;
  readonly files: number;
  readonly pageBytes: number;
};

/** Computes the size of a release. `scopes` are those with pages: none in the packed layout. */
export function planFiles(
  scopes: readonly Scope[],
  sizes: readonly number[],
  summaries: JoinedSummaries,
  counts: { details: number; packed: number; media: number; documents: number },
): ReleaseSize {
  let pages = 0;
  let pageBytes = 0;
  const frames = new Map<number, Frames>();
  for (const { runs, total } of scopes) {
    let entryBytes = 0;
    for (const { start, end } of runs) entryBytes += summaries.offsets[end]! - summaries.offsets[start]!;
    const frame = frames.get(total) ?? framesOf(total, sizes);
    frames.set(total, frame);
    pages += frame.pages;
    pageBytes += String(total).length + sizes.length * entryBytes + frame.bytes;
  }
  const { details, packed, media, documents } = counts;
  const totals = scopes.length;
  return {
    details,
    pages,
    totals,
    packed,
    media,
    documents,
    files: details + pages + totals + packed + media + documents,
    pageBytes,
  };
}

/** Number and bytes of a scope's pages without their entries, which depend only on the scope's total. */
type Frames = { readonly pages: number; readonly bytes: number };

function framesOf(total: number, sizes: readonly number[]): Frames {
  let pages = 0;
  let bytes = 0;
  for (const size of sizes) {
    const count = pageCount(total, size);
    pages += count;
    // On a page, a comma follows each entry but the last; the entries' bytes include one for every entry.
    bytes += count * (ENVELOPE + String(size).length + String(total).length) + digitsUpTo(count);
  }
  return { pages, bytes };
}

/** Length of an empty page without its three numbers, minus the comma that its last entry lacks. */
const ENVELOPE = PAGE_HEAD.length + pageTail(0, 0, 0).length - 3 - 1;

/** Returns the number of digits of all numbers from 1 to `count`. */
function digitsUpTo(count: number): number {
  let digits = 0;
  for (let power = 1; power <= count; power *= 10) digits += count - power + 1;
  return digits;
}

/** Number of files and bytes of the lists in one layout. */
type ListSize = { readonly files: number; readonly bytes: number };

/** Advice to use the packed layout: present size, and size in the packed layout. */
export type LayoutAdvice = { readonly pages: ListSize; readonly packed: ListSize };

/** Number of pages and totals from which uploading them is impractical. */
const MANY_FILES = 500_000;

/**
 * Advises the packed layout when there are too many pages.
 *
 * @param packed computes the number of files of the packed layout.
 * @returns undefined when no advice is needed. The bytes of the packed layout count summaries and offsets, which are
 *   nearly all.
 */
export function adviseLayout(
  { pages, totals, pageBytes }: ReleaseSize,
  summaries: JoinedSummaries,
  packed: () => number,
): LayoutAdvice | undefined {
  if (pages + totals <= MANY_FILES) return undefined;
  const bytes = summaries.bytes.byteLength + summaries.offsets.byteLength;
  return {
    pages: { files: pages + totals, bytes: pageBytes },
    packed: { files: packed(), bytes },
  };
}

/**
 * Refuses a plan with more files than the limit.
 *
 * @throws UsageError with a solution.
 */
export function checkPlan(
  plan: ReleaseSize,
  limit: number,
  sizes: readonly number[],
  scopes: readonly Scope[],
): void {
  if (plan.files <= limit) return;
  const few = [25, 100];
  const fewer = scopes.reduce(
    (sum, scope) => sum + few.reduce((pages, size) => pages + pageCount(scope.total, size), 0),
    0,
  );
  const layout = ' Store the lists in few files, for a platform with compute: "layout: packed".';
  const advice =
    sizes.length > few.length
      ? ` Publish fewer page sizes: "page_sizes: [25, 100]" makes ${number(plan.files - plan.pages + fewer)} files. Or raise "max_files" in catalogue.yaml.`
      : ' Raise "max_files" in catalogue.yaml if the bucket can take them.';
  throw new UsageError(
    'too-many-files',
    `This catalogue makes ${number(plan.files)} files; the limit is ${number(limit)}.${advice}${plan.pages > 0 ? layout : ''}`,
  );
}

function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Returns the totals of scopes, by their folder keys. */
export function totalsOf(scopes: readonly Scope[]): Map<string, number> {
  return new Map(scopes.map((scope) => [scopeFolder(scope.country, scope.city), scope.total]));
}
