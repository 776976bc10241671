export type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** @param numbers whether all columns except the first are numbers */
export function markdownTable({ head, rows }: Table, { numbers = true } = {}): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = head.map((_, index) => (index === 0 || !numbers ? '---' : '--:'));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

export function seconds(value: number): string {
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3)} s`;
}

export function times(value: number): string {
  return `${value.toFixed(2)} x`;
}

/** 10^6 bytes. */
export function megabytes(bytes: number): string {
  return `${bytes < 1e7 ? (bytes / 1e6).toFixed(1) : count(bytes / 1e6)} MB`;
}

export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function startMark(name: string): string {
  return `<!-- ${name}: written by a script -->`;
}

export function endMark(name: string): string {
  return `<!-- /${name} -->`;
}

/** @throws Error unless the text has both marks once, in order */
export function replaceSection(text: string, name: string, content: string): string {
  const [before, inside, ...more] = text.split(startMark(name));
  const [, after, ...others] = inside?.split(endMark(name)) ?? [];
  if (after === undefined || more.length > 0 || others.length > 0 || before!.includes(endMark(name))) {
    throw new Error(`expected "${startMark(name)}" and then "${endMark(name)}", once each`);
  }
  return `${before}${startMark(name)}\n\n${content.trim()}\n\n${endMark(name)}${after}`;
}
