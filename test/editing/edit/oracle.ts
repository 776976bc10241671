/**
 * Judges an edit without the engine: by the lines that differ, by what `yaml` reads before and after, and by the comments
 * that it finds.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isScalar, isSeq, type Node, type Pair, Parser } from 'yaml';
import type { Authored, Edit } from '../../../src/editing/edit/edit.ts';
import { documentIn, valueIn } from './cases.ts';

/** Returns the fault in the result of an edit; undefined for a correct one. */
export function faultOf(before: string, edit: Edit, after: string): string | undefined {
  const document = documentIn(before);
  const value = fieldsIn(document);
  const said = fieldsIn(documentIn(after));
  if (said === undefined) return 'the result cannot be read';
  const wanted = meant(value, edit);
  if (!isDeepStrictEqual(trimmed(said, after, before), trimmed(wanted, after, before))) {
    return `it says ${JSON.stringify(said)} in place of ${JSON.stringify(wanted)}`;
  }
  const order = orderFault(Object(value) as object, said, edit);
  if (order) return order;
  return (
    lineFault(before, after, edit, document) ?? commentFault(before, after, edit) ?? formFault(before, after)
  );
}

/** The values of a file; empty when it has only comments. */
function fieldsIn(document: Document): object | undefined {
  const value = valueIn(document);
  return value === null || value === '' ? {} : (value as object | undefined);
}

/** The intended values of the file. */
function meant(value: unknown, edit: Edit): unknown {
  const copy = structuredClone(Object(value)) as Record<string, unknown>;
  const holder = edit.path.slice(0, -1).reduce<unknown>((inner, step) => {
    const held = inner as Record<string | number, unknown>;
    // A missing or empty list is created.
    if (held[step] === undefined || held[step] === '') held[step] = [];
    return held[step];
  }, copy);
  const last = edit.path.at(-1)!;
  if (edit.kind === 'insert') (holder as unknown[]).splice(last as number, 0, edit.value);
  else if (edit.kind === 'set') (holder as Record<string | number, Authored>)[last] = edit.value;
  else if (edit.kind === 'remove') {
    if (Array.isArray(holder)) holder.splice(last as number, 1);
    else delete (holder as Record<string, unknown>)[last];
  } else if (edit.kind === 'move' && Array.isArray(holder)) {
    holder.splice(edit.to, 0, ...holder.splice(last as number, 1));
  }
  return copy;
}

/** Texts of blocks without trailing line ends, which belong to the block. */
function trimmed(value: unknown, ...texts: readonly string[]): unknown {
  // A block may end with any number of line ends, and other texts with the given ones.
  const hasBlocks = texts.some((text) => /[|>][-+\d]*[ \t]*(?:#[^\n]*)?\r?$/m.test(text));
  const trim = (inner: unknown): unknown =>
    typeof inner === 'string'
      ? inner.replace(/\n+$/, '')
      : Array.isArray(inner)
        ? inner.map(trim)
        : Object.fromEntries(Object.entries(Object(inner) as object).map(([key, item]) => [key, trim(item)]));
  return hasBlocks ? trim(value) : value;
}

/** Returns whether existing fields have changed their order. */
function orderFault(before: object, after: object, { kind }: Edit): string | undefined {
  const [one, other] = [Object.keys(before), Object.keys(after)];
  const kept = one.filter((key) => other.includes(key));
  if (
    !isDeepStrictEqual(
      kept,
      other.filter((key) => one.includes(key)),
    )
  )
    return 'fields changed their order';
  if (kind === 'remove' ? other.length > one.length : one.length > other.length) return 'a field is lost';
  return undefined;
}

function linesOf(text: string): string[] {
  const bare = text.replace(/^\ufeff/, '').replace(/\r?\n$/, '');
  return bare === '' ? [] : bare.split(/\r?\n/);
}

/** Returns whether lines outside the field differ. */
function lineFault(before: string, after: string, edit: Edit, document: Document): string | undefined {
  const [old, now] = [linesOf(before), linesOf(after)];
  const allowed = regionOf(before, old, edit, document);
  const windows = [windowOf(old, now, true), windowOf(old, now, false)];
  const fits = windows.some(([start, end]) => start === end || (start >= allowed[0] && end <= allowed[1]));
  return fits ? undefined : `lines ${windows[0]} differ, and the field has the lines ${allowed}`;
}

/** The lines of the first text that differ: from, and to before. `isFirst`: where equal lines could be either, the later. */
function windowOf(old: readonly string[], now: readonly string[], isFirst: boolean): [number, number] {
  const most = Math.min(old.length, now.length);
  let start = 0;
  let end = 0;
  const forth = (rest: number) => {
    while (start < rest && old[start] === now[start]) start++;
  };
  const back = (rest: number) => {
    while (end < rest && old.at(-1 - end) === now.at(-1 - end)) end++;
  };
  if (isFirst) {
    forth(most);
    back(most - start);
  } else {
    back(most);
    forth(most - end);
  }
  return [start, old.length - end];
}

/** The lines that an edit may touch. A missing field has none: lines may only be added. */
function regionOf(
  text: string,
  lines: readonly string[],
  { kind, path }: Edit,
  document: Document,
): [number, number] {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length - 1;
  let holder: unknown = document.contents;
  let range: [number, number] | undefined;
  // An entry that is added, removed or moved may touch its list; a text only its own lines.
  const steps = kind === 'set' || path.length > 2 ? path : path.slice(0, 1);
  for (const step of steps) {
    const pair = isMap(holder)
      ? holder.items.find(({ key }) => isScalar(key) && key.value === step)
      : undefined;
    const node = isSeq(holder) ? holder.items[step as number] : (pair as Pair | undefined)?.value;
    const start = isMap(holder)
      ? (pair?.key as Node | undefined)?.range?.[0]
      : (node as Node | undefined)?.range?.[0];
    if (start === undefined) return range && isSeq(holder) ? range : insertionIn(holder, lineAt, lines);
    const end = (node as Node | null)?.range?.[2] ?? start;
    range = [lineAt(start), Math.max(lineAt(start) + 1, lineAt(Math.max(start, end - 1)) + 1)];
    holder = node;
  }
  const [start, end] = range ?? [0, 0];
  // One of two blank lines is removed with the field.
  return kind === 'remove' ? [start - 1, withDeeperComments(lines, start, end)] : [start, end];
}

/** A mapping between brackets gets its field on its own lines. */
function insertionIn(
  holder: unknown,
  lineAt: (offset: number) => number,
  lines: readonly string[],
): [number, number] {
  if (isMap(holder) && holder.flow && holder.range)
    return [lineAt(holder.range[0]), lineAt(holder.range[1]) + 1];
  // A new first field of an entry takes the line of the dash from the old one.
  if (isMap(holder) && holder.range && lines[lineAt(holder.range[0])]?.trimStart().startsWith('-')) {
    return [lineAt(holder.range[0]), lineAt(holder.range[0]) + 1];
  }
  return [0, 0];
}

function withDeeperComments(lines: readonly string[], start: number, end: number): number {
  const indent = lines[start]!.search(/\S/);
  let last = end;
  for (let line = end; line < lines.length; line++) {
    const column = lines[line]!.search(/\S/);
    if (column < 0) continue;
    if (column <= indent || lines[line]![column] !== '#') break;
    last = line + 1;
  }
  return last;
}

function commentsIn(text: string): string[] {
  if (!text.includes('#')) return [];
  const found: [number, string][] = [];
  const collect = (token: unknown): void => {
    if (Array.isArray(token)) {
      token.forEach(collect);
      return;
    }
    const { type, offset, source } = Object(token) as { type?: string; offset?: number; source?: string };
    if (type === 'comment') found.push([offset ?? 0, (source ?? '').trimEnd()]);
    else if (typeof token === 'object' && token !== null) Object.values(token).forEach(collect);
  };
  for (const token of new Parser().parse(text)) collect(token);
  return found.sort(([a], [b]) => a - b).map(([, source]) => source);
}

function commentFault(before: string, after: string, edit: Edit): string | undefined {
  const [old, now] = [commentsIn(before), commentsIn(after)];
  if (edit.kind === 'set' && Array.isArray(edit.value)) {
    const left = old.filter((comment) => now.includes(comment));
    return now.length > old.length || left.length < now.length ? 'a comment came' : undefined;
  }
  const isSame = isDeepStrictEqual(
    edit.kind === 'move' ? old.sort() : old,
    edit.kind === 'move' ? now.sort() : now,
  );
  if (edit.kind !== 'remove') return isSame ? undefined : `comments differ: ${old} and ${now}`;
  // Comments on removed lines may be gone; other checks compare the lines.
  let place = 0;
  for (const comment of now) {
    place = old.indexOf(comment, place) + 1;
    if (place === 0) return `the comment ${comment} came`;
  }
  return undefined;
}

/** Line ends of another kind, a byte-order mark or a last line end that came or went. */
function formFault(before: string, after: string): string | undefined {
  if (before.startsWith('\ufeff') !== after.startsWith('\ufeff')) return 'the byte-order mark changed';
  const bare = before.replace(/^\ufeff/, '');
  const isFilled = ![bare, after.replace(/^\ufeff/, '')].includes('');
  // A blank line that becomes the last one exists by its line end alone.
  const isBlankNow = !bare.endsWith('\n') && /(^|\n)[ \t]*\r?\n$/.test(after);
  if (isFilled && !isBlankNow && bare.endsWith('\n') !== after.endsWith('\n'))
    return 'the last line end changed';
  if (!before.includes('\r') && after.includes('\r')) return 'line ends of Windows came';
  if (/\r\n/.test(before) && !/(^|[^\r])\n/.test(before) && /(^|[^\r])\n/.test(after))
    return 'line ends of Windows went';
  return undefined;
}
