import { scopeFolder } from '../contract/object-keys.ts';
import { PAGE_HEAD, pageCount, pageTail } from '../contract/pagination.ts';
import type { JoinedSummaries, Scope } from '../release/sequence.ts';

export type ReleaseSize = {
  readonly details: number;
  readonly pages: number;
  readonly totals: number;
  readonly tree: number;
  readonly media: number;
  readonly documents: number;
  readonly files: number;
  readonly pageBytes: number;
  /** Largest number of files in one folder. */
  readonly largestFolder: number;
  /** Estimate, accurate to within 20%. Includes images only if the host has a limit in bytes. */
  readonly bytes: number;
  /** Size of the largest image in bytes; 0 if the host has no limit in bytes. */
  readonly largest: number;
};

export type Counts = {
  readonly properties: number;
  readonly countries: number;
  readonly cities: number;
  readonly pages: number;
  readonly tree: number;
  readonly files: number;
  readonly pageBytes: number;
  /** Estimated size of the output. Includes images only if the host has a limit in bytes. */
  readonly bytes: number;
  readonly images: number;
};

/** All files except lists. Images that are not made yet, and details that were only checked, count as 0 bytes. */
type OtherFiles = Pick<ReleaseSize, 'details' | 'tree' | 'media' | 'documents' | 'largest'> & {
  readonly properties: number;
  readonly mediaBytes: number;
  /** Bytes of all summaries, with a comma after each. */
  readonly summaryBytes: number;
  readonly detailBytes: number;
  readonly documentBytes: number;
  readonly downloads: number;
};

/** @param scopes the lists that have pages; none in the packed layout */
export function releaseSizeOf(
  scopes: readonly Scope[],
  sizes: readonly number[],
  summaries: JoinedSummaries | undefined,
  others: OtherFiles,
): ReleaseSize {
  let pages = 0;
  let pageBytes = 0;
  let fullest = 0;
  const frames = new Map<number, Frames>();
  for (const { runs, total } of scopes) {
    let entryBytes = 0;
    for (const { start, end } of runs) entryBytes += summaries!.offsets[end]! - summaries!.offsets[start]!;
    const frame = frames.get(total) ?? framesOf(total, sizes);
    frames.set(total, frame);
    pages += frame.pages;
    pageBytes += String(total).length + sizes.length * entryBytes + frame.bytes;
    fullest = Math.max(fullest, frame.pages + 1);
  }
  const { details, properties, tree, media, documents, largest } = others;
  const { mediaBytes, summaryBytes, detailBytes, documentBytes, downloads } = others;
  const totals = scopes.length;
  const rowBytes = properties * ROW_BYTES + summaryBytes;
  // 1.5 per download: each is stored twice, but GeoJSON and CSV have fewer fields than details.
  const dataBytes = detailBytes * (1 + (details > 0 ? 1 : 0) + 1.5 * downloads);
  return {
    details,
    pages,
    totals,
    tree,
    media,
    documents,
    files: details + pages + totals + tree + media + documents,
    pageBytes,
    largestFolder: Math.max(fullest, details, media),
    bytes: pageBytes + rowBytes + dataBytes + mediaBytes + documentBytes,
    largest,
  };
}

/** Bytes that each property adds to the facets and the table of its chunk. */
const ROW_BYTES = 60;

export function countListFiles(scopes: readonly Scope[], sizes: readonly number[]): number {
  return scopes.reduce(
    (sum, { total }) => sum + 1 + sizes.reduce((pages, size) => pages + pageCount(total, size), 0),
    0,
  );
}

type Frames = { readonly pages: number; readonly bytes: number };

function framesOf(total: number, sizes: readonly number[]): Frames {
  let pages = 0;
  let bytes = 0;
  for (const size of sizes) {
    const count = pageCount(total, size);
    pages += count;
    bytes += count * (EMPTY_PAGE_BYTES + String(size).length + String(total).length) + digitsUpTo(count);
  }
  return { pages, bytes };
}

/**
 * Bytes of an empty page without its three numbers, minus one: `entryBytes` counts a comma after each entry, but the
 * last entry of a page has none.
 */
const EMPTY_PAGE_BYTES = PAGE_HEAD.length + pageTail(0, 0, 0).length - 3 - 1;

function digitsUpTo(count: number): number {
  let digits = 0;
  for (let power = 1; power <= count; power *= 10) digits += count - power + 1;
  return digits;
}

type ListSize = { readonly files: number; readonly bytes: number };

/**
 * `few`: number of pages and totals that the catalogue would have with two page sizes; undefined if it has no more than
 * two page sizes already.
 */
export type LayoutAdvice = {
  readonly pages: ListSize;
  readonly packed: ListSize;
  readonly few: number | undefined;
};

/** Number of pages and totals above which hosts refuse the files, or uploads take long. */
const MANY_FILES = 20_000;

/**
 * Compares the files and bytes of both layouts.
 * @param few computes `LayoutAdvice.few`
 * @returns undefined for a catalogue of up to {@link MANY_FILES} pages and totals. `packed.bytes` counts only the
 * summaries and their offsets, since everything else is small
 */
export function adviseLayout(
  { pages, totals, tree, pageBytes }: ReleaseSize,
  summaries: JoinedSummaries,
  few: () => number | undefined,
): LayoutAdvice | undefined {
  if (pages + totals <= MANY_FILES) return undefined;
  const bytes = summaries.bytes.byteLength + summaries.offsets.byteLength;
  return { pages: { files: pages + totals, bytes: pageBytes }, packed: { files: tree, bytes }, few: few() };
}

export function totalsByFolder(scopes: readonly Scope[]): Map<string, number> {
  return new Map(scopes.map((scope) => [scopeFolder(scope.country, scope.city), scope.total]));
}
