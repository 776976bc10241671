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
export function lineStart(text: string, offset: number): number {
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

/** Whether nothing but white space stands before an offset on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^\ufeff?[ \t]*$/.test(text.slice(lineStart(text, offset), offset));
}

/** Inserts lines before an offset at which a line starts, or the text ends. `lines`: without the last line end. */
export function insertLines(text: string, offset: number, lines: string): Splice {
  const isUnended = offset === text.length && offset > 0 && text[offset - 1] !== '\n' && text !== '\ufeff';
  const eol = lineBreakAt(text, Math.max(0, offset - 1));
  return { start: offset, end: offset, text: isUnended ? `${eol}${lines}` : `${lines}${eol}` };
}

/** Whether the line that starts at an offset is there, and blank. */
export function isBlankLine(text: string, offset: number): boolean {
  return offset < text.length && /^[ \t\r]*$/.test(text.slice(offset, lineTail(text, offset)));
}

/**
 * The end of what stands below an offset and belongs to a value on its line: comments that are indented deeper than a
 * column, and blank lines above those.
 */
export function endWithComments(text: string, offset: number, column: number): number {
  let end = lineEnd(text, offset);
  for (let next = end; next < text.length; next = lineEnd(text, next)) {
    const line = text.slice(next, lineTail(text, next));
    const indent = line.search(/\S/);
    if (indent < 0) continue;
    if (line[indent] !== '#' || indent <= column) break;
    end = lineEnd(text, next);
  }
  return end;
}

/** Where the comments start that stand directly above the line of an offset, at its column. */
export function startWithComments(text: string, offset: number): number {
  const column = columnOf(text, offset);
  let start = lineStart(text, offset);
  while (start > 0) {
    const above = lineStart(text, start - 1);
    const line = text.slice(above, start).replace(/^\ufeff/, '');
    if (line.search(/\S/) !== column || line[column] !== '#') break;
    start = above;
  }
  return start;
}

/** The removal of lines, and of the blank line above where there is one below, too. */
export function withoutDoubleBlank(text: string, removal: Splice): Splice {
  const { start, end } = removal;
  const above = start > 0 ? lineStart(text, start - 1) : start;
  const isBetween =
    above < start && isBlankLine(text, above) && (end === text.length || isBlankLine(text, end));
  const from = isBetween ? above : start;
  // The last line keeps its missing line end; a blank line is one by its line end alone.
  const isUnended =
    end === text.length && !text.endsWith('\n') && from > 0 && !isBlankLine(text, lineStart(text, from - 1));
  return {
    ...removal,
    start: isUnended ? from - (/\r?\n$/.exec(text.slice(0, from))?.[0].length ?? 0) : from,
  };
}
