/** Splits a property file into sections, one per field, by their first lines alone. */

/** A section of a text. Offsets are those of the whole text. */
export type TextSection = {
  /** Field name; undefined for the section above the first field. */
  readonly name: string | undefined;
  readonly start: number;
  /** Offset behind the colon. */
  readonly value: number;
  readonly end: number;
};

/** A field in the first column, where nothing of the previous field can start (YAML 1.2.2, 8.2.2). */
const FIELD = /^(["']?)([A-Za-z_][\w-]*)\1[ \t]*:(?=[ \t\r\n]|$)/gm;

/** Largest number of sections, more than a property has; the last one takes the rest. */
const MAX_SECTIONS = 100;

/** Returns the fields of a text, preceded by the section above them, if any. */
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
