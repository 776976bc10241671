/** Markdown tables, and the numbers in them. */

/** A table: a head, and rows of as many cells. */
export type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** A table as Markdown. The first column is text, the others are numbers. */
export function markdownTable({ head, rows }: Table, { numbers = true } = {}): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 || !numbers ? '---' : '--:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** Seconds with three significant digits, from milliseconds to hours. */
export function seconds(value: number): string {
  return `${significant(value)} s`;
}

/** Seconds in milliseconds, with three digits after the point. */
export function milliseconds(value: number): string {
  return `${(1000 * value).toFixed(3)} ms`;
}

/** A ratio, with two digits after the point. */
export function times(value: number): string {
  return `${value.toFixed(2)} x`;
}

/** Bytes in megabytes (10^6). */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

/** A whole number with a comma every three digits. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

function significant(value: number): string {
  if (value >= 100) return value.toFixed(0);
  if (value >= 10) return value.toFixed(1);
  return value.toFixed(value >= 1 ? 2 : 3);
}
