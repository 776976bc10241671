/** Lines of a text, by offsets; a line ends with `\n` or `\r\n`, or with the text. */

/** A stretch of the text, and what to write in its place. */
export type Splice = { readonly start: number; readonly end: number; readonly text: string };

/** The text with its splices made; they do not overlap. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let result = text;
  for (const { start, end, text: to } of [...splices].reverse().sort((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + to + result.slice(end);
  }
  return result;
}

/** Where the line of an offset starts. */
function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line after that of an offset starts; the end of the text, when it is the last one. */
function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** Where the line of an offset ends, without its line end. */
export function lineTail(text: string, offset: number): number {
  const end = lineEnd(text, offset);
  return end - (/\r?\n$/.exec(text.slice(Math.max(offset, end - 2), end))?.[0].length ?? 0);
}

/** The line end for lines beside an offset: that of its line, or of the one above. */
export function lineBreakAt(text: string, offset: number): string {
  const next = text.indexOf('\n', offset);
  const end = next < 0 ? text.lastIndexOf('\n') : next;
  return end > 0 && text[end - 1] === '\r' ? '\r\n' : '\n';
}

/** Number of characters before an offset on its line. */
export function columnOf(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return offset - start - (start === 0 && text.startsWith('\ufeff') ? 1 : 0);
}
