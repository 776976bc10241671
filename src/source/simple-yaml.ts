/**
 * Reads YAML fast, without positions, and only what the file of a property usually is: fields with texts, with lists
 * of texts, and with lists of flat mappings, written in the plain way. Anything else, and anything that turns out to
 * need a diagnostic, is read again by the exact reader, which is the authority.
 */
import { MAX_TOKENS } from './bounded-yaml.ts';
import { isUsual, Line, type LineValue, lineEndAt } from './simple-yaml-line.ts';

/** The longest text that is read, in UTF-16 units: sound files of such a length are rare. */
const MAX_LENGTH = 100_000;

/**
 * More tokens than the parser of the exact reader finds in a line, apart from the entries of a list between brackets.
 * A file that might have more than {@link MAX_TOKENS} is left to the exact reader: so both have one limit.
 */
const LINE_TOKENS = 16;
/** More tokens than it finds in such an entry. */
const ENTRY_TOKENS = 5;

const SPACE = 0x20;

type Mapping = Record<string, unknown>;

/** Thrown at the first thing that is not for this reader. */
const OTHER = new Error('This is for the exact reader.');

/** The value of a document, every scalar as text, an empty value as null; undefined when it is not for this reader. */
export function readQuickly(text: string): unknown {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    return readDocument(new Lines(text));
  } catch (error) {
    if (error === OTHER) return undefined;
    throw error;
  }
}

/** Goes through the lines that say something. */
class Lines {
  /** The line; the last one, when there is no other. */
  readonly line = new Line();
  /** False behind the last line. */
  more = true;

  readonly #text: string;
  #place = 0;
  #tokens = 0;

  constructor(text: string) {
    this.#text = text;
    this.next();
  }

  /** Goes on to the next line. */
  next(): void {
    const { line } = this;
    while (this.#place < this.#text.length) {
      this.#goTo(line.read(this.#text, this.#place));
      const { value } = line;
      this.#count(typeof value === 'object' ? LINE_TOKENS + value.length * ENTRY_TOKENS : LINE_TOKENS);
      if (line.item >= 0 || line.field !== undefined || value !== undefined) return;
    }
    this.more = false;
  }

  /** The text over several lines that the line announces. `parent`: the column beyond which it stands. */
  joined(parent: number): string {
    const text = this.#text;
    const parts: string[] = [];
    let indent = parent + 1;
    let isOver = false;
    while (this.#place < text.length) {
      let from = this.#place;
      while (text.charCodeAt(from) === SPACE) from++;
      let to = from;
      while (isUsual(text.charCodeAt(to))) to++;
      const spaces = from - this.#place;
      const isBlank = to === from;
      if (parts.length === 0) indent = Math.max(spaces, indent);
      if (!isBlank && spaces < indent) break;
      // Paragraphs, and spaces that belong to the text.
      if (spaces > indent || (!isBlank && (isOver || text.charCodeAt(to - 1) === SPACE))) throw OTHER;
      if (isBlank) isOver = true;
      else parts.push(text.slice(from, to));
      this.#goTo(lineEndAt(text, to));
    }
    if (parts.length === 0) throw OTHER;
    return parts.join(' ');
  }

  /** Goes on to the start of a line; a negative number means that there is no such line. */
  #goTo(place: number): void {
    if (place < 0) throw OTHER;
    this.#place = place;
  }

  #count(tokens: number): void {
    this.#tokens += tokens;
    if (this.#tokens > MAX_TOKENS) throw OTHER;
  }
}

function readDocument(lines: Lines): Mapping | null {
  if (!lines.more) return null;
  if (lines.line.indent > 0 || lines.line.item >= 0) throw OTHER;
  const document = readMapping(lines, 0);
  if (lines.more) throw OTHER;
  return document;
}

/** The fields in a column, from that of the line on. */
function readMapping(lines: Lines, column: number): Mapping {
  const { line } = lines;
  const mapping: Mapping = {};
  do {
    const { field } = line;
    // A field that stands twice, or has the name of what every object has.
    if (field === undefined || mapping[field] !== undefined) throw OTHER;
    mapping[field] = line.value === undefined ? readBelow(lines, column) : readValue(lines, column);
  } while (lines.more && line.indent === column && line.item < 0);
  return mapping;
}

/** The list below a field; null without one. */
function readBelow(lines: Lines, column: number): unknown[] | null {
  const { line } = lines;
  lines.next();
  if (!lines.more || line.item < 0 || line.indent < column) return null;
  const list: unknown[] = [];
  const { indent } = line;
  do {
    list.push(line.field === undefined ? readValue(lines, indent) : readMapping(lines, line.item));
  } while (lines.more && line.indent === indent && line.item >= 0);
  return list;
}

function readValue(lines: Lines, column: number): LineValue {
  const { value, isJoined } = lines.line;
  if (value === undefined) throw OTHER;
  const text = isJoined ? lines.joined(column) : value;
  lines.next();
  return text;
}
