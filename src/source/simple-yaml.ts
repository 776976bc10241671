// A quick reader of common syntax. Files with other syntax, or with an error, are read again by the exact reader.
import { MAX_TOKENS } from './bounded-yaml.ts';
import {
  type BlockHeader,
  isPrintableUnit,
  type LineValue,
  nextLineStart,
  YamlLine,
} from './simple-yaml-line.ts';
import type { TextRange } from './yaml-errors.ts';

const MAX_LENGTH = 100_000;

/**
 * Maximum numbers of tokens in a line and in an entry in brackets. If these numbers add up to more than
 * {@link MAX_TOKENS} in a file, the exact reader counts the actual tokens.
 */
const LINE_TOKENS = 16;
const ENTRY_TOKENS = 5;

const SPACE = 0x20;

type Mapping = Record<string, unknown>;

const NOT_SIMPLE = new Error('This is for the exact reader.');

/**
 * Where values are in the text: by the parsed mapping or list that contains them, then by key or index. A field
 * without a value has the range of its name. The key '' has the range of the first field's name.
 */
export type TextRanges = Map<unknown, Map<PropertyKey, TextRange>>;

/**
 * Scalars become texts, and empty values null. Undefined for unsupported syntax.
 * @param ranges if given, receives the ranges of values
 */
export function readYamlQuickly(text: string, ranges?: TextRanges): unknown {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    const document = readDocument(new Lines(text, ranges));
    // V8 stores an object with more than 19 computed fields as a hash table. With a copy, a check takes 7% less time.
    return document && !ranges ? { ...document } : document;
  } catch (error) {
    if (error === NOT_SIMPLE) return undefined;
    throw error;
  }
}

class Lines {
  readonly line = new YamlLine();
  more = true;

  readonly #text: string;
  readonly #ranges: TextRanges | undefined;
  #place = 0;
  #tokens = 0;

  constructor(text: string, ranges: TextRanges | undefined) {
    this.#text = text;
    this.#ranges = ranges;
    this.next();
  }

  note(parent: object, step: PropertyKey): void {
    if (!this.#ranges) return;
    const { field = '', fieldStart, block, value, valueStart, valueEnd } = this.line;
    const name: TextRange = [fieldStart, fieldStart + field.length];
    const own = this.#ranges.get(parent) ?? new Map<PropertyKey, TextRange>([['', name]]);
    const end = block === '' ? valueEnd : this.#text.length;
    own.set(step, value === undefined ? name : [valueStart, end]);
    this.#ranges.set(parent, own);
    if (typeof value === 'string' || value === undefined) return;
    let start = valueStart;
    const rangeOf = (text: string): TextRange => {
      start = this.#text.indexOf(text, start + 1);
      const range: TextRange = [start, start + text.length];
      start = range[1] - 1;
      return range;
    };
    const inner = new Map<PropertyKey, TextRange>();
    if (isList(value)) for (const [index, entry] of value.entries()) inner.set(index, rangeOf(entry));
    else {
      for (const [key, text] of Object.entries(value)) {
        const name = rangeOf(key);
        if (inner.size === 0) inner.set('', name);
        inner.set(key, rangeOf(text));
      }
    }
    this.#ranges.set(value, inner);
  }

  next(): void {
    const { line } = this;
    while (this.#place < this.#text.length) {
      this.#goTo(line.read(this.#text, this.#place));
      const { value } = line;
      this.#count(typeof value === 'object' ? LINE_TOKENS + sizeOf(value) * ENTRY_TOKENS : LINE_TOKENS);
      if (line.item >= 0 || line.field !== undefined || value !== undefined) return;
    }
    this.more = false;
  }

  /** Reads a block scalar. `parent`: the column at which the field starts; the scalar's lines are indented more. */
  block(header: BlockHeader, parent: number): string {
    const text = this.#text;
    const isFolded = header.startsWith('>');
    let value = '';
    let indent = -1;
    let blanks = 0;
    while (this.#place < text.length) {
      const start = this.#place;
      let from = start;
      while (text.charCodeAt(from) === SPACE) from++;
      let to = from;
      while (isPrintableUnit(text.charCodeAt(to))) to++;
      const spaces = from - start;
      if (to === from) {
        // Unsupported: blank lines above the text, and blank lines with more spaces than the indentation.
        if (indent < 0 || spaces > indent) throw NOT_SIMPLE;
        blanks++;
      } else {
        if (spaces <= (indent < 0 ? parent : indent - 1)) break;
        if (isFolded && ((spaces > indent && indent >= 0) || text.charCodeAt(to - 1) === SPACE))
          throw NOT_SIMPLE;
        if (indent < 0) indent = spaces;
        else value += isFolded && blanks === 0 ? ' ' : '\n'.repeat(isFolded ? blanks : blanks + 1);
        value += text.slice(start + indent, to);
        blanks = 0;
      }
      this.#goTo(nextLineStart(text, to));
    }
    if (indent < 0) throw NOT_SIMPLE;
    return header.endsWith('-') ? value : `${value}\n`;
  }

  #goTo(place: number): void {
    if (place < 0) throw NOT_SIMPLE;
    this.#place = place;
  }

  #count(tokens: number): void {
    this.#tokens += tokens;
    if (this.#tokens > MAX_TOKENS) throw NOT_SIMPLE;
  }
}

function isList(value: Exclude<LineValue, string>): value is readonly string[] {
  return Array.isArray(value);
}

function sizeOf(value: Exclude<LineValue, string>): number {
  return isList(value) ? value.length : 2 * Object.keys(value).length;
}

function readDocument(lines: Lines): Mapping | null {
  if (!lines.more) return null;
  if (lines.line.indent > 0 || lines.line.item >= 0) throw NOT_SIMPLE;
  const document = readMapping(lines, 0);
  if (lines.more) throw NOT_SIMPLE;
  return document;
}

function readMapping(lines: Lines, column: number): Mapping {
  const { line } = lines;
  const mapping: Mapping = {};
  do {
    const { field } = line;
    // Unsupported: a repeated field, and a name that every object has, such as `constructor`.
    if (field === undefined || mapping[field] !== undefined) throw NOT_SIMPLE;
    lines.note(mapping, field);
    mapping[field] = line.value === undefined ? readBelow(lines, column) : readValue(lines, column);
  } while (lines.more && line.indent === column && line.item < 0);
  return mapping;
}

function readBelow(lines: Lines, column: number): unknown[] | null {
  const { line } = lines;
  lines.next();
  if (!lines.more || line.item < 0 || line.indent < column) return null;
  const list: unknown[] = [];
  const { indent } = line;
  do {
    if (line.field === undefined) lines.note(list, list.length);
    list.push(line.field === undefined ? readValue(lines, indent) : readMapping(lines, line.item));
  } while (lines.more && line.indent === indent && line.item >= 0);
  return list;
}

function readValue(lines: Lines, column: number): LineValue {
  const { value, block } = lines.line;
  if (value === undefined) throw NOT_SIMPLE;
  const text = block === '' ? value : lines.block(block, column);
  lines.next();
  return text;
}
