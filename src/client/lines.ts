/** Lines of JSON (newline-delimited) out of pieces of bytes. */

/** Characters of a line at most: one that never ends must not fill the memory. */
const LONGEST = 16 * 1024 * 1024;

/** Cuts bytes into lines, each without its line feed. */
export type LineReader = {
  /** Takes the next bytes. @throws RangeError when a line is too long; TypeError when they are not UTF-8. */
  readonly push: (bytes: Uint8Array) => string[];
  /** What stands after the last line feed. */
  readonly rest: () => string;
};

/** Makes a reader. */
export function createLineReader(): LineReader {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  return {
    push(bytes) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop()!;
      if (rest.length > LONGEST) throw new RangeError('a line has no end');
      return lines;
    },
    rest: () => rest,
  };
}

/** The object that a line is. @throws SyntaxError when it is no object of JSON. */
export function parseLine<Line>(line: string): Line {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw new SyntaxError('a line is no object');
  return value as Line;
}
