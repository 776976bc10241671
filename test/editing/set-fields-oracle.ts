/**
 * Judges a change without the code that made it: by the lines that differ, by what `yaml` reads before and after, and by the
 * comments that it finds.
 */
import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, type Node, Parser } from 'yaml';
import { type Case, documentIn, valueIn } from './set-fields-cases.ts';

/** Returns the fault in the text after a change; undefined for a correct one. */
export function faultOf({ text: before, field, value }: Case, after: string): string | undefined {
  const old = fieldsIn(before);
  const now = fieldsIn(after);
  if (now === undefined || old === undefined) return 'the result cannot be read';
  const { [field]: _old, ...others } = old;
  const { [field]: set = null, ...rest } = now;
  if (!isDeepStrictEqual(rest, others)) return 'another field changed';
  if (!isDeepStrictEqual(trimmed(set), trimmed(value))) return `it says ${JSON.stringify(set)}`;
  if (!isDeepStrictEqual(Object.keys(rest), Object.keys(others))) return 'fields changed their order';
  return lineFault(before, after, field) ?? commentFault(before, after, field) ?? formFault(before, after);
}

/** The values of a file; empty when it has only comments. */
function fieldsIn(text: string): Record<string, unknown> | undefined {
  const value = valueIn(documentIn(text));
  return value === null || value === '' ? {} : (value as Record<string, unknown> | undefined);
}

/** Texts without the line ends at their end, which belong to a block; entries without nulls and their order of keys. */
function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\r\n?/g, '\n').replace(/\n+$/, '');
  if (Array.isArray(value)) return value.map(trimmed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, trimmed(item)]));
}

function linesOf(text: string): string[] {
  const bare = text.replace(/^\ufeff/, '').replace(/\r?\n$/, '');
  return bare === '' ? [] : bare.split(/\r?\n/);
}

/** Returns whether lines outside the field differ. */
function lineFault(before: string, after: string, field: string): string | undefined {
  const [old, now] = [linesOf(before), linesOf(after)];
  const [from, to] = regionOf(before, field);
  const fits = [windowOf(old, now, true), windowOf(old, now, false)].some(
    ([start, end]) => start === end || (start >= from && end <= to),
  );
  return fits ? undefined : `lines outside ${from} to ${to} differ`;
}

/** The lines of a field, and a blank one above it; none for one that the file lacks: lines may only be added. */
function regionOf(text: string, field: string): [number, number] {
  const { contents } = documentIn(text);
  const pair = isMap(contents)
    ? contents.items.find(({ key }) => isScalar(key) && key.value === field)
    : undefined;
  if (!pair) return [0, 0];
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length - 1;
  const start = (pair.key as Node).range![0];
  const end = (pair.value as Node | null)?.range?.[2] ?? start;
  const lines = linesOf(text);
  let last = Math.max(lineAt(start), lineAt(Math.max(start, end - 1))) + 1;
  // Comments that are indented belong to the field above them.
  for (let line = last; line < lines.length && /^[ \t]*(?:#|$)/.test(lines[line]!); line++) {
    if (/^[ \t]+#/.test(lines[line]!)) last = line + 1;
  }
  return [lineAt(start) - 1, last];
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

function commentsIn(text: string): { readonly source: string; readonly line: number }[] {
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
  return found
    .sort(([a], [b]) => a - b)
    .map(([offset, source]) => ({ source, line: text.slice(0, offset).split('\n').length - 1 }));
}

/** Comments outside the field stay, and none comes. */
function commentFault(before: string, after: string, field: string): string | undefined {
  const [from, to] = regionOf(before, field);
  const old = commentsIn(before);
  const now = commentsIn(after).map(({ source }) => source);
  const outside = old.filter(({ line }) => line < from || line >= to).map(({ source }) => source);
  const came = without(
    now,
    old.map(({ source }) => source),
  );
  return [...came, ...without(outside, now)].map((comment) => `the comment ${comment} came or went`)[0];
}

/** The items of a list that another one lacks; an item that stands twice is needed twice. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const rest = [...other];
  return list.filter((item) => {
    const place = rest.indexOf(item);
    if (place >= 0) rest.splice(place, 1);
    return place < 0;
  });
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
