/** The sections of a property file: its fields, recognised by their first lines alone. */

/** A stretch of a text that says one thing. Offsets are those of the text. */
export type TextSection = {
  /** The name of a field; undefined for what stands above the first field. */
  readonly name: string | undefined;
  readonly start: number;
  /** Behind the colon. */
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

function withEnds(starts: readonly Omit<TextSection, 'end'>[], end: number): TextSection[] {
  return starts.map((section, index) => ({ ...section, end: starts[index + 1]?.start ?? end }));
}
