import { formatNumber } from '../text/amounts.ts';
import { printable, printableJson } from '../text/printable.ts';
import { createColors } from './colors.ts';

export type Sink = {
  /** Results, for programs. */
  readonly out: (text: string) => void;
  /** Diagnostics and progress, for people. */
  readonly err: (text: string) => void;
  readonly color: boolean;
};

export const REPORT_FORMATS = ['pretty', 'json', 'github', 'sarif'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** Formats of commands that do not report diagnostics. */
export const PRETTY_OR_JSON = ['pretty', 'json'] as const;
export type PrettyOrJson = (typeof PRETTY_OR_JSON)[number];

/** Maximum number of lines of a list in a report for people. */
export const MAX_LIST_LINES = 100;

/** For commands with `--format`. */
const JSON_LISTS_ALL = '; --format json lists them all';
export const CHECK_LISTS_ALL = '; "catalogue check" lists them all';

/** Returns text without a period. @param more says how to get the whole list; may be empty */
export function moreText(hidden: number, more = JSON_LISTS_ALL): string {
  return `... and ${formatNumber(hidden)} more${more}`;
}

/** The first `most` lines of a list, and how many more there are. */
export function truncatedListTexts<Item>(
  list: readonly Item[],
  most: number,
  lineOf: (item: Item) => string,
  more = JSON_LISTS_ALL,
): string[] {
  const lines = list.slice(0, most).map(lineOf);
  return list.length > most ? [...lines, moreText(list.length - most, more)] : lines;
}

export const noteTo = (sink: Sink) => (text: string) =>
  sink.err(`${createColors(sink.color).yellow('Note:')} ${printable(text)}\n`);

export function printJson(value: unknown, sink: Sink): void {
  sink.out(`${printableJson(value)}\n`);
}

/** Number of characters to write at a time. */
const CHUNK = 65_536;

/**
 * Like {@link printJson}, but fills one list of `value` with `items`. Writes in chunks, since a string of all items
 * could be too long.
 * @param name the member of `value` to fill; must be an empty list
 */
export function printJsonList(value: unknown, name: string, items: Iterable<object>, sink: Sink): void {
  const text = printableJson(value);
  const [opening = '', indent = ''] = new RegExp(`\\n( *)"${name}": \\[`).exec(text) ?? [];
  const start = text.indexOf(opening) + opening.length;
  let chunk = text.slice(0, start);
  let separator = '';
  for (const item of items) {
    chunk += `${separator}\n${printableJson(item).replace(/^/gm, `${indent}  `)}`;
    separator = ',';
    if (chunk.length < CHUNK) continue;
    sink.out(chunk);
    chunk = '';
  }
  sink.out(`${chunk}${separator && `\n${indent}`}${text.slice(start)}\n`);
}
