/** Streams the items of a list or object in JSON text, without loading the whole text. */
import { UsageError } from '../../errors/errors.ts';
import { MAX_RECORD_LENGTH, rowTooLong } from './delimited.ts';

/** If `isNamed`, `text` is `"name": value`. */
type JsonItem = { readonly text: string; readonly line: number; readonly isNamed: boolean };

export type JsonContainer = {
  readonly path: string;
  readonly depth: number;
  readonly isList: boolean;
  items: number;
  objects: number;
  /** `names`: names of the container's members. `fields`: by name, how many of its first objects have the field. */
  readonly names: Set<string>;
  readonly fields: Map<string, number>;
};

export const MAX_DEPTH = 200;
/** Limits: depth and number of collected containers; for each, the names kept and the objects whose fields count. */
const MAX_LEVEL = 4;
const MAX_CONTAINERS = 1_000;
const MAX_NAMES = 1_000;
const MAX_COUNTED = 100;

export async function* scanJson(
  chunks: AsyncIterable<string>,
  path: string | undefined,
  containers: JsonContainer[] = [],
): AsyncGenerator<JsonItem> {
  const scanner = new Scanner(path, containers);
  for await (const chunk of chunks) yield* scanner.read(chunk);
  scanner.end();
}

/** Splits JSON text into items by its brackets, commas and strings. It parses nothing but names. */
class Scanner {
  readonly #path: string | undefined;
  readonly #containers: JsonContainer[];
  /** `parent`: for an object, the container that counts its field names. */
  readonly #stack: {
    readonly close: string;
    readonly container: JsonContainer | undefined;
    readonly parent: JsonContainer | undefined;
  }[] = [];
  readonly #mark = /["\\{}[\],:\r\n]/g;
  #text = '';
  #at = 0;
  #line = 1;
  #start = 0;
  #startLine = 1;
  #name: string | undefined;
  #isText = false;
  #isDone = false;
  #isAfterReturn = false;
  /** Nesting depth of the container whose items are yielded; 0 while there is none. */
  #target = 0;

  constructor(path: string | undefined, containers: JsonContainer[]) {
    this.#path = path;
    this.#containers = containers;
  }

  *read(chunk: string): Generator<JsonItem> {
    const { container, parent } = this.#stack.at(-1) ?? {};
    const isName = (container ?? parent) && this.#name === undefined;
    if (this.#target === 0 && !isName && !this.#isDone) this.#start = this.#at;
    if (this.#text.length - this.#start > MAX_RECORD_LENGTH) throw rowTooLong(this.#startLine);
    this.#isAfterReturn = this.#text.endsWith('\r');
    this.#text = this.#text.slice(this.#start) + chunk;
    this.#at -= this.#start;
    this.#start = 0;
    while (this.#at < this.#text.length) {
      this.#mark.lastIndex = this.#at;
      const found = this.#mark.exec(this.#text);
      this.#at = found ? found.index + 1 : this.#text.length;
      if (found) yield* this.#take(found[0]);
    }
    if (this.#isDone && this.#text.slice(this.#start).trim() !== '')
      throw this.#failure('something follows its end');
  }

  end(): void {
    if (this.#isDone) return;
    throw this.#failure(this.#stack.length > 0 ? 'it ends too early' : 'it has neither a list nor an object');
  }

  #take(mark: string): JsonItem[] {
    if (mark === '\n' || mark === '\r') {
      const isSecond = this.#at > 1 ? this.#text[this.#at - 2] === '\r' : this.#isAfterReturn;
      if (mark === '\r' || !isSecond) this.#line++;
    } else if (this.#isText) {
      if (mark === '\\') this.#at++;
      else if (mark === '"') this.#isText = false;
    } else if (mark === '"') this.#isText = true;
    else if (mark === '{' || mark === '[') this.#open(mark === '[');
    else if (mark === '}' || mark === ']') return this.#close(mark);
    else if (mark === ',') return this.#comma();
    else if (mark === ':') this.#colon();
    return [];
  }

  #open(isList: boolean): void {
    const depth = this.#stack.length;
    if (this.#isDone) throw this.#failure('something follows its end');
    if (depth === MAX_DEPTH) throw this.#failure('it is nested too deeply');
    const parent = this.#stack.at(-1)?.container;
    if (parent && !isList) parent.objects++;
    const isNamed = parent !== undefined && !parent.isList && this.#name !== undefined;
    const isCollected = depth <= MAX_LEVEL && !this.#isInItem() && this.#containers.length < MAX_CONTAINERS;
    const path = parent && parent.path !== '' ? `${parent.path}.${this.#name}` : (this.#name ?? '');
    const isKept = isCollected && (depth === 0 || isNamed);
    const container = isKept ? { path, depth, isList, ...newCounts() } : undefined;
    if (container) this.#containers.push(container);
    const isCounted = parent && !isList && parent.objects <= MAX_COUNTED;
    this.#stack.push({ close: isList ? ']' : '}', container, parent: isCounted ? parent : undefined });
    if (this.#target === 0 && container?.path === this.#path && container) this.#target = this.#stack.length;
    this.#restart();
  }

  #close(mark: string): JsonItem[] {
    if (this.#stack.at(-1)?.close !== mark) throw this.#failure(`"${mark}" closes nothing`);
    const isTarget = this.#stack.length === this.#target;
    const items = isTarget ? this.#item() : [];
    if (isTarget) this.#target = 0;
    this.#stack.pop();
    this.#isDone = this.#stack.length === 0;
    // A bracket inside an item does not end the item: its text goes on to a comma or the target's closing bracket.
    if (this.#stack.length !== this.#target || this.#isDone) this.#restart();
    return items;
  }

  #comma(): JsonItem[] {
    const { container } = this.#stack.at(-1) ?? {};
    if (container) container.items++;
    const items = this.#stack.length === this.#target && this.#target > 0 ? this.#item() : [];
    this.#restart();
    return items;
  }

  #colon(): void {
    const { container, parent } = this.#stack.at(-1) ?? {};
    if (this.#isInItem() || !(container ?? parent) || this.#name !== undefined) return;
    const name = nameIn(this.#text.slice(this.#start, this.#at - 1));
    this.#name = name;
    if (container && container.names.size < MAX_NAMES) container.names.add(name);
    if (parent && parent.fields.size < MAX_NAMES) parent.fields.set(name, (parent.fields.get(name) ?? 0) + 1);
  }

  #item(): JsonItem[] {
    const raw = this.#text.slice(this.#start, this.#at - 1);
    const lead = raw.slice(0, raw.length - raw.trimStart().length);
    if (lead.length === raw.length) return [];
    const line = this.#startLine + (lead.match(/\r\n?|\n/g)?.length ?? 0);
    return [{ text: raw.trim(), line, isNamed: this.#stack.at(-1)!.close === '}' }];
  }

  #isInItem(): boolean {
    return this.#target > 0 && this.#stack.length > this.#target;
  }

  #restart(): void {
    if (this.#isInItem()) return;
    this.#start = this.#at;
    this.#startLine = this.#line;
    this.#name = undefined;
  }

  #failure(reason: string): UsageError {
    return new UsageError('not-json', `The source is not JSON: ${reason} (line ${this.#line}).`);
  }
}

function newCounts() {
  return { items: 1, objects: 0, names: new Set<string>(), fields: new Map<string, number>() };
}

function nameIn(text: string): string {
  try {
    return String(JSON.parse(text)).normalize('NFC');
  } catch {
    return text.trim();
  }
}
