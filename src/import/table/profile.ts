import { hash } from 'node:crypto';
import { UsageError } from '../../errors/errors.ts';
import { cutText } from '../../text/shorten.ts';
import { detachedCopy } from '../../values/memoize.ts';
import {
  ACCESS_REASON,
  columnMeaning,
  isPasswordColumn,
  namesPersons,
  privateColumnReason,
} from '../words/column-names.ts';
import {
  type DecimalMark,
  isPlaceholderValue,
  privateValueReason,
  VALUE_KINDS,
  type ValueKind,
} from '../words/column-values.ts';
import { PERSON_REASON } from '../words/person-text.ts';
import { privateInformationIn } from '../words/private-text.ts';
import { isFeature } from './json-rows.ts';
import type { Row } from './row.ts';
import type { RowSource } from './row-source.ts';

export type Column = {
  /** Name in the header; for JSON, a dotted path. */
  readonly name: string;
  readonly filled: number;
  /** How many of the filled cells hold only a placeholder such as `n/a`. */
  readonly placeholders: number;
  /** First distinct values, shortened. Empty for a private column. */
  readonly samples: readonly string[];
  /** Count of each distinct value; undefined for a private column, or if values are too many or too long. */
  readonly words: ReadonlyMap<string, number> | undefined;
  /** Whether no two compared values are equal, and no cell holds a placeholder. */
  readonly isUnique: boolean;
  /** Only for a column named like an id: first values that several rows share. `sharedCount`: how many there are. */
  readonly shared: readonly string[];
  readonly sharedCount: number;
  /** `texts`: lists of scalars. `objects`: lists of objects, whose members are columns too. */
  readonly list: 'texts' | 'objects' | undefined;
  /** For each kind, the share (0 to 1) of the examined values that are of this kind. */
  readonly share: Readonly<Record<ValueKind, number>>;
  readonly longest: number;
  /** Beginnings of long texts, from which the table's language is guessed. Empty for a private column. */
  readonly prose: readonly string[];
  readonly secret: string | undefined;
  /** Decimal mark of the whole table, from columns where it is certain; undefined if there are none. */
  readonly tableMark: DecimalMark | undefined;
};

export type Profile = {
  readonly rows: number;
  /** Number of `rows` that could not be read. */
  readonly unread: number;
  /** Says where the first unreadable row is and why it cannot be read; empty if all rows can be read. */
  readonly fault: string;
  readonly columns: readonly Column[];
  /**
   * Length of the longest list at each path that a mapping can name; 0 if the path has no list. GeoJSON also has the
   * paths from before its features are flattened, such as `properties.name`.
   */
  readonly paths: ReadonlyMap<string, number>;
};

export const isUsable = ({ filled, secret }: Column) => filled > 0 && secret === undefined;
export const isSecret = ({ filled, secret }: Column) => filled > 0 && secret !== undefined;

/** Whether a column holds JSON objects or lists of objects. Their texts are in other columns, one for each member. */
export const isContainer = ({ filled, placeholders, longest, list }: Column) =>
  list === 'objects' || (list === undefined && filled > placeholders && longest === 0);

/** Whether all rows with a value have the same one. False for fewer than three such rows. */
export const isConstant = ({ words, filled, placeholders }: Column) =>
  words?.size === 1 && filled - placeholders >= 3;

/** All distinct values of a column that has few, otherwise the first ones. */
export function textsOf({ words, samples }: Pick<Column, 'words' | 'samples'>): string[] {
  return [...(words?.keys() ?? samples)];
}

const SAMPLES = 3;
const SAMPLE_LENGTH = 60;
/** Maximum number of texts of a column that are kept to guess its language. */
const PROSE = 10;
/** In UTF-16 units. Texts up to `MIN_PROSE` are not kept; longer ones are cut to `PROSE_LENGTH`. */
const MIN_PROSE = 40;
const PROSE_LENGTH = 400;
/** Limits for each column: distinct words counted, values compared for uniqueness, values examined for their kind. */
const MAX_WORDS = 300;
export const MAX_COMPARED = 20_000;
const MAX_EXAMINED_OF_COLUMN = 1000;
/** Limits for all columns together: distinct values kept for comparison, their characters, and values examined. */
const MAX_KEPT = 1_000_000;
const MAX_LENGTH = 50_000_000;
const MAX_EXAMINED = 250_000;
/** In UTF-16 units: the longest value counted as a word, and the longest one compared for uniqueness. */
const MAX_WORD = 1000;
export const MAX_KEY_LENGTH = 100;
/** Maximum number of columns: JSON objects keyed by id would add columns without limit. */
const MAX_PATHS = 5000;

const KINDS = Object.keys(VALUE_KINDS) as ValueKind[];

type ColumnStats = ReturnType<typeof newStats>;
type Kept = { values: number; length: number; looks: number; row?: Row; isRepeated?: boolean };

/** @param listener receives the number of rows read so far, and at the end also their total */
export async function profileRows(
  { rows: read, columns: header = [] }: Pick<RowSource, 'rows'> & Partial<Pick<RowSource, 'columns'>>,
  listener?: (done: number, total?: number) => void,
): Promise<Profile> {
  const columnStats = new Map(header.map((name) => [name, newStats(name)]));
  const original = new Map<string, ColumnStats>();
  const kept: Kept = { values: MAX_KEPT, length: MAX_LENGTH, looks: MAX_EXAMINED };
  const rowDigests = new Set<string>();
  let [rows, unread] = [0, 0];
  let fault = '';
  for await (const row of read()) {
    if (row.value && row.isTotals) continue;
    rows++;
    if (!row.value) unread++;
    if (!row.value) fault ||= `${row.at}: ${row.finding.message}`;
    listener?.(rows);
    if (row.value) kept.row = row;
    // An import skips a row that repeats an earlier one, so no two properties share its values.
    const digest = rowDigests.size < MAX_COMPARED ? hash('sha1', JSON.stringify(row.value ?? rows)) : '';
    kept.isRepeated = rowDigests.has(digest);
    if (digest !== '') rowDigests.add(digest);
    for (const name in row.value) walk(name, row.value[name], columnStats, kept);
    if (row.value && isFeature(row.value))
      for (const name of ['geometry', 'properties'])
        walk(name, row.value[name], original, { values: 0, length: 0, looks: 0 });
  }
  listener?.(rows, rows);
  const plain = [...columnStats.values()].map((stats) => finished(stats, kept));
  const tableMark = markOf(plain);
  const columns = plain.map((column) => ({ ...column, tableMark }));
  const paths = new Map([...columnStats, ...original].map(([name, { items }]) => [name, items]));
  return { rows, unread, fault, columns, paths };
}

/** @throws UsageError `empty-source` */
export function refuseEmptySource({ rows, columns, fault }: Profile, name: string): void {
  if (rows > 0 && columns.length > 0) return;
  const reason = fault && ` that can be read (${fault})`;
  throw new UsageError('empty-source', `${name} has no rows${reason}. Nothing was changed: export it again.`);
}

function newStats(name: string) {
  return {
    ...{
      filled: 0,
      placeholders: 0,
      looked: 0,
      longest: 0,
      items: 0,
      isUnique: true,
      samples: new Set<string>(),
    },
    prose: [] as string[],
    name,
    isKey: columnMeaning(name)?.meaning === 'id',
    shared: new Map<string, number[]>(),
    /** By id: the original text of the id's cell, if reading the cell changed the text. */
    cells: new Map<string, string>(),
    words: new Map<string, number>() as Map<string, number> | undefined,
    /** By value: the line where it first occurs. Undefined once values are no longer compared. */
    seen: new Map<string, number>() as Map<string, number> | undefined,
    list: undefined as Column['list'],
    counts: Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<ValueKind, number>,
    secret: privateColumnReason(name),
  };
}

function walk(path: string, value: unknown, columnStats: Map<string, ColumnStats>, kept: Kept): void {
  let stats = columnStats.get(path);
  if (!stats) {
    if (columnStats.size >= MAX_PATHS) return;
    stats = newStats(path);
    columnStats.set(path, stats);
  }
  if (value === null || value === undefined || value === '') return;
  if (typeof value !== 'object') {
    note(stats, String(value).trim(), kept);
    return;
  }
  const entries = Array.isArray(value) ? value : [value];
  const objects = entries.filter((entry) => typeof entry === 'object' && entry !== null);
  if (Array.isArray(value)) {
    stats.list = objects.length > 0 ? 'objects' : (stats.list ?? 'texts');
    stats.items = Math.max(stats.items, value.length);
  }
  if (objects.length === 0) {
    if (entries.length > 0) note(stats, entries.join(', '), kept);
    return;
  }
  stats.filled++;
  for (const entry of objects.slice(0, MAX_WORDS)) {
    for (const [name, inner] of Object.entries(entry as object))
      walk(`${path}.${name}`, inner, columnStats, kept);
  }
}

function note(stats: ColumnStats, text: string, kept: Kept): void {
  if (text === '') return;
  stats.filled++;
  if (isPlaceholderValue(text)) {
    stats.placeholders++;
    stats.isUnique = false;
    return;
  }
  if (text.length > stats.longest) stats.longest = text.length;
  if (stats.samples.size < SAMPLES && !stats.words?.has(text) && privateInformationIn(text) === undefined)
    stats.samples.add(detachedCopy(cutText(text.replace(/\s+/g, ' '), SAMPLE_LENGTH)));
  compare(stats, text, kept);
  if (stats.looked >= MAX_EXAMINED_OF_COLUMN || kept.looks-- <= 0) return;
  stats.looked++;
  if (text.length > MIN_PROSE && stats.prose.length < PROSE)
    stats.prose.push(detachedCopy(text.slice(0, PROSE_LENGTH)));
  stats.secret ??= privateValueReason(text);
  for (const kind of KINDS) if (VALUE_KINDS[kind](text)) stats.counts[kind]++;
}

function compare(stats: ColumnStats, text: string, kept: Kept): void {
  if (kept.isRepeated) return;
  if (text.length > MAX_WORD) stats.words = undefined;
  if (text.length > MAX_KEY_LENGTH) stats.seen = undefined;
  const { words, seen } = stats;
  if (!words && !seen) return;
  const count = words?.get(text);
  const isNew = words ? count === undefined : !seen!.has(text);
  if (!isNew) {
    if (stats.isKey) noteShared(stats, text, kept.row);
    if (count !== undefined) words!.set(text, count + 1);
    stats.isUnique = false;
  } else if (kept.values <= 0 || kept.length < text.length) {
    stats.words = undefined;
    stats.seen = undefined;
  } else {
    kept.values--;
    kept.length -= text.length;
    const own = detachedCopy(text);
    words?.set(own, 1);
    seen?.set(own, kept.row?.line ?? 0);
    if (stats.isKey) noteCell(stats, own, kept.row);
  }
  if (words && words.size > MAX_WORDS) stats.words = undefined;
  if (!stats.isKey && (!stats.isUnique || (seen && seen.size >= MAX_COMPARED))) stats.seen = undefined;
}

/** Keeps the original cell, such as "1.02E+04", which shows the user how a spreadsheet damaged an id. */
function noteCell({ name, cells }: ColumnStats, text: string, row: Row | undefined): void {
  const cell = row?.cellIn?.(name)?.trim() ?? text;
  if (cell !== text) cells.set(text, detachedCopy(cell));
}

function noteShared(stats: ColumnStats, text: string, row: Row | undefined): void {
  const { seen, shared } = stats;
  noteCell(stats, text, row);
  const lines = shared.get(text) ?? [seen?.get(text) ?? 0];
  if (lines.length <= SAMPLES) lines.push(row?.line ?? 0);
  shared.set(shared.has(text) ? text : detachedCopy(text), lines);
}

function sharedCells({ shared, cells }: ColumnStats, { row }: Kept): string[] {
  const place = row?.at.startsWith('row ') ? 'rows' : 'lines';
  return [...shared].slice(0, SAMPLES).map(([text, lines]) => {
    const known = [...new Set(lines)].filter((line) => line > 0);
    const more = known.length > SAMPLES ? ', ...' : '';
    const where = known.length > 1 ? ` (${place} ${known.slice(0, SAMPLES).join(', ')}${more})` : '';
    return `"${cells.get(text) ?? text}"${where}`;
  });
}

function finished(stats: ColumnStats, kept: Kept): Omit<Column, 'tableMark'> {
  const {
    name,
    filled,
    placeholders,
    looked,
    counts,
    samples,
    words,
    isUnique,
    list,
    longest,
    prose,
    shared,
  } = stats;
  const shares = KINDS.map((kind) => [kind, looked === 0 ? 0 : counts[kind] / looked] as const);
  const share = Object.fromEntries(shares) as Column['share'];
  // A yes/no column such as "alarm" or "Wi-Fi" reveals no code.
  const isFlag = stats.secret === ACCESS_REASON && share.boolean >= 0.95 && !isPasswordColumn(name);
  // "Interno" names notes, or the door of a flat.
  const isAddress = stats.secret === 'notes' && share.dwelling === 1;
  const isOfPersons = share.person > 0.5 && columnMeaning(name)?.meaning !== 'phone';
  const isNamed = share.boolean < 0.5 && namesPersons(name, textsOf({ words, samples: [...samples] }));
  const found =
    share.code > 0.5 ? ACCESS_REASON : isOfPersons ? PERSON_REASON : isNamed ? 'a person' : undefined;
  const secret = isFlag || isAddress ? undefined : (stats.secret ?? found);
  const plain = {
    name,
    filled,
    placeholders,
    isUnique,
    list,
    longest,
    secret,
    share,
    sharedCount: shared.size,
  };
  return secret === undefined
    ? { ...plain, samples: [...samples], words, prose, shared: sharedCells(stats, kept) }
    : { ...plain, samples: [], words: undefined, prose: [], shared: [] };
}

function markOf(columns: readonly Pick<Column, 'share'>[]): DecimalMark | undefined {
  // A list such as "3,14" also looks like a number, but rarely throughout a column.
  const numeric = columns.filter(({ share }) => share.number + share.commaAmount + share.pointAmount >= 0.9);
  const isSome = (one: 'commaAmount' | 'pointAmount', other: 'commaAmount' | 'pointAmount') =>
    numeric.some(({ share }) => share[one] > 0 && share[other] === 0);
  // Checks the comma first: coordinates often have a point even if prices have a comma.
  return isSome('commaAmount', 'pointAmount') ? ',' : isSome('pointAmount', 'commaAmount') ? '.' : undefined;
}
