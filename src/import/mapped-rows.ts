/** Maps the rows of a table to properties, and decides about those that lack a required value. */
import type { Threads } from '../build/threads/pool.ts';
import { latitudeMeant, longitudeMeant } from '../contract/degrees.ts';
import { COUNTRY_CURRENCIES } from '../contract/tables.ts';
import type { Terms } from '../contract/terms.ts';
import { termsOf } from '../editing/repair-content.ts';
import { remember, rememberLast } from '../remember.ts';
import { countryNamed } from '../source/code-meant.ts';
import { countriesAt } from '../source/place.ts';
import { plural } from '../words.ts';
import { type ImportFinding, type RawProperty, unfinishedDraft } from './candidate.ts';
import { columnsOf, isPlace, type TableMapping, type ValueMapping } from './mapping.ts';
import { type Prepared, type PrepareOptions, prepare } from './prepare.ts';
import { withoutAccessCodes } from './private-text.ts';
import type { Profile } from './profile.ts';
import type { Row, Rows, SourceNote, SourceRow, UnreadableRow } from './row.ts';
import { mapRow } from './row-property.ts';
import type { RowSource } from './rows.ts';

/** What happens to rows without a value, by field. */
type Decision = readonly [field: string, missing: 'draft' | 'skip' | 'point' | 'country'];

export type PassedOver = {
  /** Numbers of rows, by the field that they lack. */
  readonly fields: Map<string, number>;
  /** Places of rows of totals. */
  readonly totals: string[];
};

/** How rows become properties. Plain data, for threads. */
export type MapSettings = Pick<PrepareOptions, 'strict' | 'photos'> & {
  readonly content: string;
  readonly mapping: TableMapping;
  readonly keepPrivate: boolean;
  /** Codes of the countries that the table names. */
  readonly countries: readonly string[];
};

type SentRow = { readonly at: string } & (
  | Pick<Row, 'value' | 'isTotals'>
  | Pick<UnreadableRow, 'value' | 'finding'>
);
/** `left`: why a row is passed over: the field that it lacks, or undefined for one of totals. */
type MappedRow = Prepared | { readonly at: string; readonly left: string | undefined };

/** `settings` are in JSON. */
type MapTask = { readonly settings: string; readonly rows: readonly SentRow[] };
export type ImportTasks = {
  readonly map: { readonly task: MapTask; readonly part: never; readonly result: readonly MappedRow[] };
};

type Context = MapSettings & {
  readonly terms: Terms;
  readonly decisions: readonly Decision[];
  readonly named: ReadonlySet<string>;
};

function contextOf(settings: MapSettings): Context {
  const { content, countries, mapping } = settings;
  const derived = { terms: termsOf(content), decisions: decisionsOf(mapping), named: new Set(countries) };
  return { ...settings, ...derived };
}

const contextIn = rememberLast((settings: string) => contextOf(JSON.parse(settings) as MapSettings));

/** Runs in a thread. */
export async function mapInThread({ settings, rows }: MapTask): Promise<readonly MappedRow[]> {
  const context = contextIn(settings);
  return rows.map((row) => mappedRow(row, context));
}

/** Most rows that are sent to a thread at once, and characters after which there are no more. */
const BATCH = 50;
const BATCH_LENGTH = 1_000_000;
/** Batches that are read before the first of them is written. */
const AHEAD = 5;

/** Yields what is to be written for each row, in order, but for those that the mapping passes over. */
export async function* preparedRows(
  table: RowSource,
  settings: MapSettings,
  { threads, left }: { readonly threads: Threads<ImportTasks>; readonly left: PassedOver },
): AsyncGenerator<Prepared> {
  const context = contextOf(settings);
  const text = JSON.stringify(settings);
  const queue: Promise<readonly MappedRow[]>[] = [];
  const next = async () =>
    (await queue.shift()!).filter((row): row is Prepared => {
      if (!('left' in row)) return true;
      if (row.left === undefined) left.totals.push(row.at);
      else left.fields.set(row.left, (left.fields.get(row.left) ?? 0) + 1);
      return false;
    });
  for await (const rows of batchesOf(table.rows(columnsOf(settings.mapping)))) {
    const mapped =
      threads.give('map', { settings: text, rows }) ??
      Promise.resolve(rows.map((row) => mappedRow(row, context)));
    // It is awaited later, or not at all where another fails.
    mapped.catch(() => {});
    queue.push(mapped);
    if (queue.length > AHEAD) yield* await next();
  }
  while (queue.length > 0) yield* await next();
}

async function* batchesOf(rows: ReturnType<Rows>): AsyncGenerator<readonly SentRow[]> {
  let batch: SentRow[] = [];
  let length = 0;
  for await (const row of rows) {
    const { at, size, value } = row;
    batch.push(
      value ? { at, value: withOwnForm(value), isTotals: row.isTotals } : { at, value, finding: row.finding },
    );
    length += size;
    if (batch.length < BATCH && length < BATCH_LENGTH) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

/** A GeoJSON feature with its own form, which is not listed among its columns, and which a thread would not receive. */
function withOwnForm(value: SourceRow): SourceRow {
  const { geometry, properties } = value;
  return geometry === undefined ? value : { ...value, geometry, properties };
}

function mappedRow({ at, ...row }: SentRow, context: Context): MappedRow {
  const { decisions, keepPrivate, mapping, named, terms } = context;
  const preparedOf = (raw: RawProperty | undefined, findings: readonly ImportFinding[]) =>
    prepare({ at, raw, findings }, terms, context);
  if (!row.value) return preparedOf(undefined, 'finding' in row ? [row.finding] : []);
  const mapped = mapRow(row.value, mapping, terms);
  if (row.isTotals && (mapped.title === undefined || mapped.latitude === undefined))
    return { at, left: undefined };
  const { raw, open, skipped } =
    decisions.length === 0 ? { raw: mapped, open: [] } : decided(mapped, decisions, named);
  if (skipped !== undefined) return { at, left: skipped };
  const kept = keepPrivate ? { raw, findings: [] } : withoutAccessCodes(raw, terms);
  return preparedOf(kept.raw, [...(open.length > 0 ? [unfinishedDraft(open)] : []), ...kept.findings]);
}

function decisionsOf(mapping: TableMapping): readonly Decision[] {
  // The currency may follow from the country, and the country from the coordinates.
  const fields = Object.entries(mapping) as [string, ValueMapping | undefined][];
  const found = fields.flatMap(([field, value]): Decision[] =>
    // Rows without coordinates become drafts in any case.
    typeof value !== 'object' || value.missing === undefined || (isPlace(field) && value.missing === 'draft')
      ? []
      : [[field, value.missing]],
  );
  return found.sort(([one], [other]) => Number(one === 'currency') - Number(other === 'currency'));
}

type Decided = { readonly raw: RawProperty; readonly open: readonly string[]; readonly skipped?: string };

function decided(
  mapped: RawProperty,
  decisions: readonly Decision[],
  countries: ReadonlySet<string>,
): Decided {
  let raw = mapped;
  const open: string[] = [];
  for (const [field, missing] of decisions) {
    if (raw[field] !== undefined) continue;
    if (missing === 'skip') return { raw, open, skipped: field };
    const derived =
      missing === 'point' ? countryOf(raw, countries) : missing === 'country' ? currencyOf(raw) : undefined;
    if (derived !== undefined) raw = { ...raw, [field]: derived };
    else open.push(field);
  }
  return open.length === 0 ? { raw, open } : { raw: { ...raw, draft: 'true' }, open };
}

function currencyOf({ country }: RawProperty): string | undefined {
  return COUNTRY_CURRENCIES[countryNamed(String(country ?? '')) ?? ''];
}

/** Countries of a cell of a quarter of a degree, by its row and column. */
const countriesOfCell = remember((cell: string) => {
  const [north, east] = cell.split(',').map((place) => (Number(place) + 0.5) / 4);
  return countriesAt(north!, east!);
});

/** Returns the only country near a row's point, or the only one of them that the table names. */
function countryOf({ latitude, longitude }: RawProperty, countries: ReadonlySet<string>): string | undefined {
  const [north, east] = [latitudeMeant(String(latitude)), longitudeMeant(String(longitude))].map(Number);
  if (!Number.isFinite(north) || !Number.isFinite(east)) return undefined;
  const known = countriesOfCell(`${Math.floor(north! * 4)},${Math.floor(east! * 4)}`);
  const named = known.length === 1 ? known : known.filter((code) => countries.has(code));
  return named.length === 1 ? named[0] : undefined;
}

/** Codes of the countries that the table names. */
export function countriesNamed({ columns }: Profile, { country }: TableMapping): string[] {
  const names = columnsOf({ country } as TableMapping);
  const words = columns
    .filter(({ name }) => names.includes(name))
    .flatMap(({ words }) => [...(words?.keys() ?? [])]);
  return [...new Set(words.flatMap((word) => countryNamed(word) ?? []))];
}

/** Says how many rows were passed over. */
export function leftNotes({ fields, totals }: PassedOver): SourceNote[] {
  const common = { code: 'rows-passed-over', severity: 'warning', line: undefined } as const;
  const sums: SourceNote[] =
    totals.length === 0
      ? []
      : [
          {
            ...common,
            field: '',
            message: `${plural(totals.length, 'row')} of totals passed over: ${totals.slice(0, 3).join(', ')}${totals.length > 3 ? ', ...' : ''}.`,
            help: '',
          },
        ];
  const open = [...fields].map(([field, count]) => ({
    ...common,
    field,
    message: `${plural(count, 'row')} without a ${field} ${count === 1 ? 'is' : 'are'} passed over, as the mapping says.`,
    help: '',
  }));
  return [...sums, ...open];
}
