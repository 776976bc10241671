/**
 * Number of pages with entries; 0 for an empty scope.
 */
export function pageCount(total: number, size: number): number {
  return Math.ceil(total / size);
}

/** Text before the entries of a page, which are joined by commas. */
export const PAGE_HEAD = '{"data":[';

/**
 * Text after the entries of a page.
 *
 * @example
 * pageTail(1, 25, 0) // '],"meta":{"pagination":{"current_page":1,"per_page":25,"total_entries":0}}}'
 */
export function pageTail(number: number, size: number, total: number): string {
  return `],"meta":{"pagination":{"current_page":${number},"per_page":${size},"total_entries":${total}}}}`;
}

/**
 * Makes the whole answer for a page without entries: past the end, or of an empty scope.
 *
 * @example
 * JSON.parse(emptyPage(1, 25, 0)).data // []
 */
export function emptyPage(number: number, size: number, total: number): string {
  return PAGE_HEAD + pageTail(number, size, total);
}

/** Entries of a sequence from `start` up to, but not including, `end`. */
export type Range = { readonly start: number; readonly end: number };

/** A range of one of several parts of a sequence, such as chunks: counted from the start of the part with this index. */
export type Slice = Range & { readonly part: number };
