import type { ImportCode } from '../../errors/codes.ts';
import type { Mapping } from '../../values/mapping.ts';
import { errorFinding, type ImportFinding } from '../finding.ts';
import { isDenied } from './list-value.ts';

/**
 * An undefined setting is guessed from the source. `skip`: lines above the header. `named`: columns of the mapping,
 * which help to recognise the header or the list of rows.
 */
export type ReadingSettings = {
  readonly [Key in 'rows' | 'delimiter' | 'encoding' | 'sheet']?: string | undefined;
} & { readonly skip?: number | undefined; readonly named?: readonly string[] | undefined };

/** `at`: where the row starts, for display, such as "line 17". */
type Placed = { readonly at: string; readonly line: number };
/** `repeated`: a name that occurs twice in one JSON object of the row. */
export type Row = Placed & {
  readonly value: Mapping;
  readonly isTotals: boolean;
  /** Sentence that says how many cells the row lacks; undefined if none. */
  readonly missingCells?: string | undefined;
  readonly repeated?: string | undefined;
  /** Original text of a cell, before its number was converted. Undefined for JSON. */
  readonly cellIn?: (column: string) => string | undefined;
};
/** `doubtful`: the row's values, which may be in wrong columns. They serve only to find the row's file. */
export type UnreadableRow = Placed & {
  readonly value: undefined;
  readonly finding: ImportFinding;
  readonly doubtful?: Mapping;
};

/** Name of an extra column for a key outside of the row's fields: `a1` in `{"a1": {…}}`, or a GeoJSON feature's id. */
export const ROW_KEY = '_key';

/** Each call reads from the start. @param wanted the columns whose values are needed. @default all */
export type Rows = (wanted?: readonly string[]) => AsyncGenerator<Row | UnreadableRow>;

export type SourceNote = ImportFinding & { readonly line?: number | undefined };

/** A later note replaces an earlier one with the same code and line. */
export type AddNote = (code: ImportCode, message: string, help?: string, line?: number) => void;

export function unreadableRow(at: string, line: number, message: string, help = ''): UnreadableRow {
  return { at, line, value: undefined, finding: errorFinding('malformed-row', message, help) };
}

/** Normalizes a column's name for comparison: NFC, single spaces, no invisible characters. */
export function columnName(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Returns the value of a column with this name, or at this dotted path. A path through a list gives a list of each
 * item's value, without items marked as absent: `{ name: 'Pool', available: false }`. For an item that is a text, the
 * text is the value.
 */
export function lookUp(row: Mapping, path: string): unknown {
  if (path === '.') return Object.hasOwn(row, path) ? row[path] : row;
  if (Object.hasOwn(row, path)) return row[path];
  const name = columnName(path);
  if (Object.hasOwn(row, name)) return row[name];
  return valueAt(row, path.split('.'));
}

function valueAt(value: unknown, names: readonly string[]): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, name)) return valueAt((value as Record<string, unknown>)[name], rest);
  if (!Array.isArray(value)) return undefined;
  const found = value
    .filter((item) => !isDenied(item))
    .flatMap((item) =>
      typeof item === 'string' && !/^\d+$/.test(name) ? item : (valueAt(item, names) ?? []),
    )
    .filter((item) => item !== '');
  return found.length > 0 ? found : undefined;
}
