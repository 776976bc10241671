/** The lines of fields and entries that a file does not have yet. */
import { entryFields, UNQUOTED_NAMES } from '../../contract/fields.ts';
import { scalarText } from '../scalar.ts';
import { linesFor } from './block-text.ts';
import type { WrittenValue } from './value.ts';

/** How the file writes lists. */
export type ListStyle = {
  /** Columns between a field and the dashes of its list. */
  readonly indent: number;
  /** Columns from a dash to what it stands before. */
  readonly step: number;
  readonly eol: string;
};

/** How new files write lists. */
export const NEW_STYLE: ListStyle = { indent: 2, step: 2, eol: '\n' };

const margin = (column: number) => ' '.repeat(column);

/** The lines of a field, without the last line end; the first is not indented. `column`: of its name. */
export function fieldLines(name: string, value: WrittenValue, column: number, style: ListStyle): string {
  const key = scalarText(name);
  if (typeof value === 'string') return `${key}: ${textLines(name, value, column + 2, style)}`;
  if (!Array.isArray(value)) {
    return `${key}:${style.eol}${margin(column + 2)}${entryLines(name, value as Fields, column + 2, style)}`;
  }
  if (value.length === 0) return `${key}: []`;
  const dash = column + style.indent;
  const items = (value as readonly WrittenValue[]).map(
    (item) => margin(dash) + itemLines(name, item, dash, style),
  );
  return [`${key}:`, ...items].join(style.eol);
}

/** The lines of an entry, from its dash on. `column`: of the dash. */
export function itemLines(list: string, value: WrittenValue, column: number, style: ListStyle): string {
  const start = `-${margin(style.step - 1)}`;
  const inner = column + style.step;
  return (
    start +
    (typeof value === 'string'
      ? textLines('', value, inner, style)
      : entryLines(list, value as Fields, inner, style))
  );
}

type Fields = Readonly<Record<string, WrittenValue>>;

function entryLines(list: string, entry: Fields, column: number, style: ListStyle): string {
  if (Object.keys(entry).length === 0) return '{}';
  return sortedKeys(list, entry)
    .map((key) => fieldLines(key, entry[key]!, column, style))
    .join(style.eol + margin(column));
}

/** The names of an entry's fields, in the order in which a file has them. */
export function sortedKeys(list: string, entry: object): string[] {
  const order = [...entryFields(list).keys()];
  const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
  return Object.keys(entry).sort((a, b) => rank(a) - rank(b));
}

/** A text behind its name; several lines become a block. */
function textLines(name: string, value: string, column: number, { eol }: ListStyle): string {
  const lines = value.includes('\n') ? linesFor({ header: '|-', lines: [] }, value) : undefined;
  if (!lines) return scalarText(value, { number: UNQUOTED_NAMES.has(name) });
  return ['|-', ...lines.map((line) => (line === '' ? '' : margin(column) + line))].join(eol);
}

/** A value between brackets. */
export function flowText(list: string, value: WrittenValue, name = ''): string {
  if (typeof value === 'string') return scalarText(value, { flow: true, number: UNQUOTED_NAMES.has(name) });
  if (Array.isArray(value))
    return `[${(value as readonly WrittenValue[]).map((item) => flowText(list, item)).join(', ')}]`;
  const entry = value as Fields;
  const fields = sortedKeys(list, entry).map(
    (key) => `${scalarText(key, { flow: true })}: ${flowText(list, entry[key]!, key)}`,
  );
  return `{${fields.join(', ')}}`;
}
