/** 0 for an empty list. */
export function pageCount(total: number, size: number): number {
  return Math.ceil(total / size);
}

/** Precedes the entries of a page, which are joined by commas. */
export const PAGE_HEAD = '{"data":[';

export function pageTail(number: number, size: number, total: number): string {
  return `],"meta":{"pagination":{"current_page":${number},"per_page":${size},"total_entries":${total}}}}`;
}

export function emptyPage(number: number, size: number, total: number): string {
  return PAGE_HEAD + pageTail(number, size, total);
}

/** The end is exclusive. */
export type Range = { readonly start: number; readonly end: number };

/**
 * Consecutive entries from one of several ranges, such as chunks. `index` is the number of that range, from 0. `start`
 * and `end` are positions in that range, not in the whole list.
 */
export type Slice = Range & { readonly index: number };
