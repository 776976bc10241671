/** The arithmetic of pages and the envelope around their entries (specification, "List properties"). */

/** Number of pages that hold entries: none for an empty scope. */
export function pageCount(total: number, size: number): number {
  return Math.ceil(total / size);
}

/** Text before the entries of a page; entries are joined by commas. */
export const PAGE_HEAD = '{"data":[';

/** Text after the entries of a page. */
export function pageTail(number: number, size: number, total: number): string {
  return `],"meta":{"pagination":{"current_page":${number},"per_page":${size},"total_entries":${total}}}}`;
}

/** The whole answer for a page without entries: past the end, or of an empty scope. */
export function emptyPage(number: number, size: number, total: number): string {
  return PAGE_HEAD + pageTail(number, size, total);
}
