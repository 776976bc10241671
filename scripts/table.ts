/** Markdown tables, the numbers in them, and the parts of pages that scripts write. */

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
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3)} s`;
}

/** A ratio, with two digits after the point. */
export function times(value: number): string {
  return `${value.toFixed(2)} x`;
}

/** Bytes in megabytes (10^6). */
export function megabytes(bytes: number): string {
  return `${bytes < 1e7 ? (bytes / 1e6).toFixed(1) : count(bytes / 1e6)} MB`;
}

/** A whole number with a comma every three digits. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The comment before a part that a script writes. */
export function startMark(name: string): string {
  return `<!-- ${name}: written by a script -->`;
}

/** The comment after it. */
export function endMark(name: string): string {
  return `<!-- /${name} -->`;
}

/**
 * Puts new content between the marks of a name.
 *
 * @throws Error when the text has not each mark once, in order.
 */
export function replaceSection(text: string, name: string, content: string): string {
  const [before, inside, ...more] = text.split(startMark(name));
  const [, after, ...others] = inside?.split(endMark(name)) ?? [];
  if (after === undefined || more.length > 0 || others.length > 0 || before!.includes(endMark(name))) {
    throw new Error(`expected "${startMark(name)}" and then "${endMark(name)}", once each`);
  }
  return `${before}${startMark(name)}\n\n${content.trim()}\n\n${endMark(name)}${after}`;
}
