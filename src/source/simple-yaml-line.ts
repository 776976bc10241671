// Lines are lexed one at a time, so brackets, quotes and plain scalars that span several lines are not supported.

import { isNullWord } from './null-word.ts';

export type LineValue = string | readonly string[] | Readonly<Record<string, string>>;

/** Empty unless the value is a block scalar. */
export type BlockHeader = '' | '|' | '|-' | '>' | '>-';

const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const APOSTROPHE = 0x27;
const COMMA = 0x2c;
const DASH = 0x2d;
const COLON = 0x3a;
const GREATER = 0x3e;
const AT = 0x40;
const OPEN = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE = 0x5d;
const OPEN_BRACE = 0x7b;
const PIPE = 0x7c;
const CLOSE_BRACE = 0x7d;

/** Bits of character classes, for characters below U+0100. */
const PRINTABLE = 1;
const WORD = 2;
const FIELD = 4;
const STARTS_PLAIN = 8;
const IN_WORD = 16;

/** Well below the 1,024 characters above which the exact reader refuses a name. */
const MAX_NAME = 200;

const CLASSES = Uint8Array.from({ length: 256 }, (_, code) => {
  const character = String.fromCharCode(code);
  return (
    (/[^\u0000-\u001f\u007f-\u009f]/.test(character) ? PRINTABLE : 0) |
    (/[0-9A-Za-z_]/.test(character) ? WORD : 0) |
    (/[a-z_]/.test(character) ? FIELD : 0) |
    (/[^\u0000-\u0020\u007f-\u009f:#,?&*!|>'"%@`[\]{}-]/.test(character) ? STARTS_PLAIN : 0) |
    (/[-./'+]/.test(character) ? IN_WORD : 0)
  );
});

/** True for a printable UTF-16 unit other than a line break. False for NaN, at the end of a text. */
export function isPrintableUnit(code: number): boolean {
  if (code < 256) return (CLASSES[code]! & PRINTABLE) !== 0;
  return code < 0xfeff
    ? code !== 0x2028 && code !== 0x2029
    : code > 0xfeff && code !== 0xfffe && code !== 0xffff;
}

/** -1 if no line ends at `place`. */
export function nextLineStart(text: string, place: number): number {
  if (place === text.length) return place;
  const code = text.charCodeAt(place);
  if (code === 0x0a) return place + 1;
  return code === 0x0d && text.charCodeAt(place + 1) === 0x0a ? place + 2 : -1;
}

/** A reader reuses one object for all lines. */
export class YamlLine {
  indent = 0;
  item = -1;
  field: string | undefined;
  value: LineValue | undefined;
  block: BlockHeader = '';
  fieldStart = 0;
  valueStart = 0;
  valueEnd = 0;

  #text = '';
  #place = 0;

  /** Returns the offset of the next line; -1 for unsupported syntax. */
  read(text: string, start: number): number {
    this.#text = text;
    this.#place = start;
    this.#skipSpaces();
    this.indent = this.#place - start;
    this.item = -1;
    if (text.charCodeAt(this.#place) === DASH && text.charCodeAt(this.#place + 1) === SPACE) {
      this.#place++;
      this.#skipSpaces();
      this.item = this.#place - start;
    }
    this.fieldStart = this.#place;
    this.field = this.#readField();
    this.value = undefined;
    this.block = '';
    this.valueStart = this.#place;
    if (!this.#readValue()) return -1;
    this.valueEnd = this.#place;
    this.#skipSpaces();
    if (text.charCodeAt(this.#place) === HASH) {
      if (this.#place > start && text.charCodeAt(this.#place - 1) !== SPACE) return -1;
      while (isPrintableUnit(text.charCodeAt(this.#place))) this.#place++;
    }
    return nextLineStart(text, this.#place);
  }

  #skipSpaces(): void {
    while (this.#text.charCodeAt(this.#place) === SPACE) this.#place++;
  }

  #is(mask: number, place = this.#place): boolean {
    return (CLASSES[this.#text.charCodeAt(place)]! & mask) !== 0;
  }

  #readField(): string | undefined {
    const start = this.#place;
    let end = start;
    if (!this.#is(FIELD, start)) return undefined;
    while (this.#is(WORD, end) || this.#text.charCodeAt(end) === DASH || this.#text.charCodeAt(end) === AT)
      end++;
    if (end - start > MAX_NAME || this.#text.charCodeAt(end) !== COLON) return undefined;
    const next = this.#text.charCodeAt(end + 1);
    if (next !== SPACE && next !== 0x0a && next !== 0x0d && end + 1 < this.#text.length) return undefined;
    this.#place = end + 1;
    this.#skipSpaces();
    return this.#text.slice(start, end);
  }

  #readValue(): boolean {
    switch (this.#text.charCodeAt(this.#place)) {
      case QUOTE:
        return this.#readDouble();
      case APOSTROPHE:
        return this.#readSingle();
      case OPEN:
        return this.#readList();
      case OPEN_BRACE:
        return this.#readFields();
      case GREATER:
      case PIPE:
        return this.#readHeader();
      default:
        return this.#readPlain();
    }
  }

  #readHeader(): boolean {
    const style = this.#text.charCodeAt(this.#place++) === PIPE ? '|' : '>';
    const isStripped = this.#text.charCodeAt(this.#place) === DASH;
    if (isStripped) this.#place++;
    this.block = isStripped ? `${style}-` : style;
    this.value = '';
    return true;
  }

  #readPlain(): boolean {
    const text = this.#text;
    const start = this.#place;
    const first = text.charCodeAt(start);
    const starts = first < 256 ? this.#is(STARTS_PLAIN) || first === DASH : isPrintableUnit(first);
    // There is no value here. `read` then rejects anything but a line end.
    if (!starts) return true;
    if (first === DASH && (!this.#is(WORD, start + 1) || text[start + 1] === '_')) return false;
    let end = start;
    for (let place = start; ; place++) {
      const code = text.charCodeAt(place);
      if (code === SPACE) continue;
      if (!isPrintableUnit(code) || (code === HASH && text.charCodeAt(place - 1) === SPACE)) break;
      if (code === COLON) {
        const next = text.charCodeAt(place + 1);
        if (next === SPACE || next === COLON || !isPrintableUnit(next)) return false;
      }
      end = place + 1;
    }
    this.#place = end;
    const value = text.slice(start, end);
    // What null means depends on the field, so the exact reader decides.
    if (isNullWord(value)) return false;
    this.value = value;
    return true;
  }

  #readDouble(): boolean {
    const start = this.#place + 1;
    let place = start;
    let hasEscapes = false;
    for (let code = this.#text.charCodeAt(place); code !== QUOTE; code = this.#text.charCodeAt(++place)) {
      if (code === BACKSLASH) {
        hasEscapes = true;
        const escaped = this.#text.charCodeAt(++place);
        if (escaped !== QUOTE && escaped !== BACKSLASH) return false;
      } else if (!isPrintableUnit(code)) return false;
    }
    this.#place = place + 1;
    const inner = this.#text.slice(start, place);
    this.value = hasEscapes ? inner.replace(/\\(.)/g, '$1') : inner;
    return true;
  }

  #readSingle(): boolean {
    const start = this.#place + 1;
    let place = start;
    let hasQuotes = false;
    for (let code = this.#text.charCodeAt(place); ; code = this.#text.charCodeAt(++place)) {
      if (code === APOSTROPHE) {
        if (this.#text.charCodeAt(place + 1) !== APOSTROPHE) break;
        hasQuotes = true;
        place++;
      } else if (!isPrintableUnit(code)) return false;
    }
    this.#place = place + 1;
    const inner = this.#text.slice(start, place);
    this.value = hasQuotes ? inner.replaceAll("''", "'") : inner;
    return true;
  }

  #readList(): boolean {
    const entries: string[] = [];
    this.#place++;
    this.#skipSpaces();
    this.value = entries;
    if (this.#text.charCodeAt(this.#place) === CLOSE) {
      this.#place++;
      return true;
    }
    for (;;) {
      const entry = this.#readWords();
      if (entry === '' || isNullWord(entry)) return false;
      entries.push(entry);
      this.#skipSpaces();
      const mark = this.#text.charCodeAt(this.#place++);
      if (mark === CLOSE) return true;
      if (mark !== COMMA) return false;
      this.#skipSpaces();
    }
  }

  #readFields(): boolean {
    const fields: Record<string, string> = {};
    this.#place++;
    this.#skipSpaces();
    this.value = fields;
    for (;;) {
      const name = this.#readField();
      if (name === undefined || (fields as Record<string, unknown>)[name] !== undefined) return false;
      const text = this.#readWords();
      if (text === '' || isNullWord(text)) return false;
      fields[name] = text;
      this.#skipSpaces();
      const mark = this.#text.charCodeAt(this.#place++);
      if (mark === CLOSE_BRACE) return true;
      if (mark !== COMMA) return false;
      this.#skipSpaces();
    }
  }

  /** Reads words separated by single spaces: letters of any script, digits, and signs without a meaning in YAML. */
  #readWords(): string {
    const start = this.#place;
    let place = start;
    while (
      this.#isLetter(place) ||
      (place > start &&
        (this.#is(IN_WORD, place) || (this.#text.charCodeAt(place) === SPACE && this.#isLetter(place + 1))))
    ) {
      place++;
    }
    this.#place = place;
    return this.#text.slice(start, place);
  }

  #isLetter(place: number): boolean {
    const code = this.#text.charCodeAt(place);
    return code < 0xc0
      ? this.#is(WORD, place)
      : isPrintableUnit(code) && (code < 0x2000 || code > 0x206f) && code !== 0x3000;
  }
}
