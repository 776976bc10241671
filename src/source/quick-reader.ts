/**
 * Reads YAML fast, without positions, and only what the file of a property usually is: fields with texts, with lists
 * of texts, and with lists of flat mappings, written in the plain way. Whatever is anything else, or turns out to need
 * a diagnostic, is read again by the exact reader, which is the authority.
 */

/** The longest text that is read, in UTF-16 units: a sound file of such a length would be a rarity. */
const MAX_LENGTH = 100_000;

// Each line can be understood alone. So there are no directives, tags, anchors and tabs, no brackets and quotes over
// several lines, and no plain texts that go on in the next line.
const UNUSUAL = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff\\ufffe\\uffff';
const LETTER = `[^ :${UNUSUAL}]`;
const FIRST = `(?:(?![#,?&*!|>'"%@\`\\[\\]{}-])${LETTER}|-(?=[0-9A-Za-z]))`;
const PLAIN = `${FIRST}(?:${LETTER}|:(?=${LETTER}))*(?: +(?!#)(?:${LETTER}|:(?=${LETTER}))+)*`;
const DOUBLE = `"(?:[^"\\\\${UNUSUAL}]|\\\\["\\\\])*"`;
const SINGLE = `'(?:[^'${UNUSUAL}]|'')*'`;
const WORD = '[0-9A-Za-z_]+(?: [0-9A-Za-z_]+)*';
const LIST = `\\[ *(?:${WORD}(?: *, *${WORD})*)? *\\]`;
const VALUE = `${PLAIN}|${DOUBLE}|${SINGLE}|${LIST}|>-`;
const COMMENT = `(?<![^ \\n])#[^${UNUSUAL}]*`;
const END = '\\r?\\n|$';

// Spaces never stand before spaces: a long run of them could be divided in too many ways.
/** Any line: its indentation, its dash, its field, its value. */
const LINE = new RegExp(
  `( *)(?! )(?:(- +)(?! ))?(?:([a-z_]+):(?=[ \\r\\n]|$) *(?! ))?(${VALUE})? *(?! )(?:${COMMENT})?(?:${END})`,
  'y',
);
/** A line of a text over several lines: its indentation, and what it says. */
const TEXT_LINE = new RegExp(`( *)(?! )([^${UNUSUAL}]*)(?:${END})`, 'y');

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
  /** False behind the last line; what the others say is that of the line. */
  more = true;
  indent = 0;
  /** Column of what stands behind the dash; -1 without one. */
  item = -1;
  field: string | undefined;
  /** As it is written; undefined without one. */
  value: string | undefined;

  readonly #text: string;
  #place = 0;

  constructor(text: string) {
    this.#text = text;
    this.next();
  }

  /** Goes on to the next line. */
  next(): void {
    for (let found = this.#take(LINE); found; found = this.#take(LINE)) {
      const dash = found[2];
      this.field = found[3];
      this.value = found[4];
      if (dash === undefined && this.field === undefined && this.value === undefined) continue;
      this.indent = found[1]!.length;
      this.item = dash === undefined ? -1 : this.indent + dash.length;
      return;
    }
    this.more = false;
  }

  /** The text over several lines that the line announces. `parent`: the column beyond which it stands. */
  joined(parent: number): string {
    const parts: string[] = [];
    let indent = parent + 1;
    let isOver = false;
    for (let start = this.#place, found = this.#take(TEXT_LINE); found; found = this.#take(TEXT_LINE)) {
      const spaces = found[1]!.length;
      const part = found[2]!;
      if (parts.length === 0) indent = Math.max(spaces, indent);
      if (part !== '' && spaces < indent) {
        this.#place = start;
        break;
      }
      // Paragraphs, and spaces that belong to the text.
      if (spaces > indent || part.endsWith(' ') || (isOver && part !== '')) throw OTHER;
      if (part === '') isOver = true;
      else parts.push(part);
      start = this.#place;
    }
    if (parts.length === 0) throw OTHER;
    return parts.join(' ');
  }

  #take(form: RegExp): RegExpExecArray | undefined {
    if (this.#place === this.#text.length) return undefined;
    form.lastIndex = this.#place;
    const found = form.exec(this.#text);
    if (!found) throw OTHER;
    this.#place = form.lastIndex;
    return found;
  }
}

function readDocument(lines: Lines): Mapping | null {
  if (!lines.more) return null;
  if (lines.indent > 0 || lines.item >= 0) throw OTHER;
  const document = readMapping(lines, 0);
  if (lines.more) throw OTHER;
  return document;
}

/** The fields in a column, from that of the line on. */
function readMapping(lines: Lines, column: number): Mapping {
  const mapping: Mapping = {};
  do {
    const { field } = lines;
    if (field === undefined || field === '__proto__' || Object.hasOwn(mapping, field)) throw OTHER;
    mapping[field] = lines.value === undefined ? readBelow(lines, column) : readValue(lines, column);
  } while (lines.more && lines.indent === column && lines.item < 0);
  return mapping;
}

/** The list below a field; null without one. */
function readBelow(lines: Lines, column: number): unknown[] | null {
  lines.next();
  if (!lines.more || lines.item < 0 || lines.indent < column) return null;
  const list: unknown[] = [];
  const { indent } = lines;
  do {
    list.push(lines.field === undefined ? readValue(lines, indent) : readMapping(lines, lines.item));
  } while (lines.more && lines.indent === indent && lines.item >= 0);
  return list;
}

function readValue(lines: Lines, column: number): string | string[] {
  const { value } = lines;
  if (value === undefined) throw OTHER;
  const text = value === '>-' ? lines.joined(column) : undefined;
  lines.next();
  return text ?? interpret(value);
}

function interpret(written: string): string | string[] {
  const inner = written.slice(1, -1);
  switch (written[0]) {
    case '"':
      return inner.includes('\\') ? inner.replace(/\\(.)/gu, '$1') : inner;
    case "'":
      return inner.replaceAll("''", "'");
    case '[':
      return inner.trim() === '' ? [] : inner.trim().split(/ *, */);
    default:
      return written;
  }
}
