/** The sections of a property file: its fields, and the entries of a list, recognised by their first lines alone. */

/** A stretch of a text that says one thing. Offsets are those of the text. */
export type TextSection = {
  /** The name of a field; undefined for an entry of a list, and for what stands above the first field. */
  readonly name: string | undefined;
  readonly start: number;
  /** Behind the colon or the dash. */
  readonly value: number;
  readonly end: number;
};

/** A field in the first column: nothing that belongs to the field above can stand there (YAML 1.2.2, 8.2.2). */
const FIELD = /^(["']?)([A-Za-z_][\w-]*)\1[ \t]*:(?=[ \t\r\n]|$)/gm;

/** More sections than a property has; what comes after them belongs to the last one. */
const MAX_SECTIONS = 100;

/** The fields of a text, and what stands above them, if anything does. */
export function fieldSections(text: string): TextSection[] {
  const starts: Omit<TextSection, 'end'>[] = [];
  for (const found of text.matchAll(FIELD)) {
    if (starts.length === MAX_SECTIONS) break;
    starts.push({ name: found[2], start: found.index, value: found.index + found[0].length });
  }
  const first = starts[0]?.start ?? text.length;
  return withEnds(first > 0 ? [{ name: undefined, start: 0, value: 0 }, ...starts] : starts, text.length);
}

/** The entries of a list that starts below its field, one dash a line; none where there is no such list. */
export function entrySections(text: string, { value, end }: TextSection): TextSection[] {
  const body = text.slice(value, end);
  const [above, indent] =
    /^[ \t]*(?:#[^\n]*|\r)?\n(?:[ \t]*(?:#[^\n]*|\r)?\n)*( *)(?=-[ \r\n])/.exec(body) ?? [];
  if (above === undefined || indent === undefined) return [];
  const starts: Omit<TextSection, 'end'>[] = [];
  let line = value + above.length - indent.length;
  while (line < end && starts.length < MAX_SECTIONS) {
    const dash = line + indent.length;
    if (text.startsWith(`${indent}-`, line) && /[ \r\n]/.test(text[dash + 1] ?? '\n')) {
      starts.push({ name: undefined, start: line, value: dash + 1 });
    }
    const next = text.indexOf('\n', line);
    if (next < 0) break;
    line = next + 1;
  }
  return withEnds(starts, end);
}

function withEnds(starts: readonly Omit<TextSection, 'end'>[], end: number): TextSection[] {
  return starts.map((section, index) => ({ ...section, end: starts[index + 1]?.start ?? end }));
}

/** The text with spaces in place of some stretches; line ends stay, so every other place does too. */
export function blanked(text: string, stretches: readonly (readonly [start: number, end: number])[]): string {
  let result = '';
  let place = 0;
  for (const [start, end] of [...stretches].sort(([a], [b]) => a - b)) {
    if (end <= place) continue;
    const from = Math.max(start, place);
    result += text.slice(place, from) + text.slice(from, end).replace(/[^\r\n]/g, ' ');
    place = end;
  }
  return result + text.slice(place);
}
