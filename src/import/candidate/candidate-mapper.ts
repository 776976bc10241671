import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { COUNTRY_CURRENCIES } from '../../contract/country-and-currency-tables.ts';
import { guessLatitude, guessLongitude } from '../../contract/degrees.ts';
import { declaredTerms, type Terms } from '../../contract/terms.ts';
import { vocabularyFrom } from '../../contract/vocabulary.ts';
import { countriesAt } from '../../source/coordinates-check.ts';
import { findCountryByName } from '../../source/country-and-currency-aliases.ts';
import { countText } from '../../text/amounts.ts';
import { cutText } from '../../text/shorten.ts';
import type { Mapping } from '../../values/mapping.ts';
import { memoize } from '../../values/memoize.ts';
import { type ImportFinding, warningFinding } from '../finding.ts';
import {
  type Conversion,
  columnsOf,
  conversionOf,
  isAtOrBelow,
  isCoordinateField,
  type Proposal,
  type TableMapping,
  type ValueSource,
} from '../mapping/mapping.ts';
import { isSecret, type Profile } from '../table/profile.ts';
import { lookUp, type Row, type SourceNote, type UnreadableRow } from '../table/row.ts';
import type { RowSource } from '../table/row-source.ts';
import {
  addSourcePlace,
  addSourcePlaces,
  createSourcePlaces,
  type SourcePlaces,
  sourcePlacesText,
} from '../table/source-places.ts';
import { withoutPrivateTexts } from '../words/private-text.ts';
import { type Candidate, unfinishedDraftFinding } from './candidate.ts';
import { rowMapper, unknownStatus } from './row-property.ts';

type Decision = readonly [field: string, missing: Conversion['missing']];

/** Places of skipped rows. `fields`: rows that lack the value of a field, by field. `totals`: rows that hold sums. */
export type SkippedRows = { readonly fields: Map<string, SourcePlaces>; readonly totals: SourcePlaces };

export const createSkippedRows = (): SkippedRows => ({ fields: new Map(), totals: createSourcePlaces() });

export type CandidateMapperOptions = {
  readonly keepPrivate: boolean;
  readonly countries: ReadonlySet<string>;
  readonly skipped: SkippedRows;
};

/** The returned function returns undefined for a row that it skips, and adds the row to `skipped`. */
export function createCandidateMapper(
  mapping: TableMapping,
  terms: Terms,
  { keepPrivate, countries, skipped }: CandidateMapperOptions,
): (row: Omit<Row, 'cellIn'> | UnreadableRow) => Candidate | undefined {
  const decisions = decisionsOf(mapping);
  const mapRow = rowMapper(mapping, terms);
  const ids = columnsOf({ id: mapping.id });
  const converted = Object.entries(mapping).flatMap(([field, value]) => {
    const { decimal, from } = Object(value) as Conversion;
    return decimal !== undefined && typeof from === 'string' ? [[field, from] as const] : [];
  });
  const statuses = columnsOf({ draft: mapping.draft });
  const required = [...terms.fields.all].flatMap(([field, one]) => (one.required ? [field] : []));
  return ({ at, ...row }) => {
    if (!row.value) {
      const id = row.doubtful && mapRow(row.doubtful).id;
      return { at, raw: undefined, id, findings: [row.finding] };
    }
    const mapped = mapRow(row.value);
    const key = ids.length === 1 ? String(lookUp(row.value, ids[0]!) ?? '') : undefined;
    if (row.isTotals && (mapped.title === undefined || mapped.latitude === undefined)) {
      addSourcePlace(skipped.totals, at);
      return undefined;
    }
    const { raw, open, skippedBy } = decided(mapped, decisions, countries);
    if (skippedBy !== undefined) {
      const name = mapped.title ?? key ?? '';
      addSourcePlace(placesOf(skipped, skippedBy), name === '' ? at : `${at} (${name})`);
      return undefined;
    }
    const kept = keepPrivate ? { raw, findings: [] } : withoutPrivateTexts(raw, terms);
    const unfinished = open.length > 0 ? [unfinishedDraftFinding(open)] : [];
    const isCut = row.missingCells !== undefined && required.some((field) => raw[field] === undefined);
    const cut = isCut
      ? [warningFinding('short-row', row.missingCells ?? '', 'If it broke off, complete it.')]
      : [];
    const unknown = mapped.draft === 'true' ? unknownStatusFindings(row.value, mapping) : [];
    const cellOf = (column: string) => String(lookUp(row.value, column) ?? '').trim();
    const cells = Object.fromEntries(converted.map(([field, from]) => [field, cellOf(from)]));
    const findings = [...cut, ...unfinished, ...unknown, ...kept.findings];
    const hiding = mapped.draft === 'true' && open.length === 0 ? statuses.map(cellOf) : [];
    return { at, cells, hiding, raw: kept.raw, id: raw.id, key, findings };
  };
}

function placesOf({ fields }: SkippedRows, field: string): SourcePlaces {
  const places = fields.get(field) ?? createSourcePlaces();
  fields.set(field, places);
  return places;
}

export function addSkippedRows(skipped: SkippedRows, { totals, fields }: SkippedRows): void {
  addSourcePlaces(skipped.totals, totals);
  for (const [field, places] of fields) addSourcePlaces(placesOf(skipped, field), places);
}

export function countSkippedRows({ totals, fields }: SkippedRows): number {
  return [...fields.values()].reduce((sum, { count }) => sum + count, totals.count);
}

function unknownStatusFindings(row: Mapping, { draft }: TableMapping): ImportFinding[] {
  const statuses = [draft ?? []].flat().flatMap((one: ValueSource) => unknownStatus(row, one) ?? []);
  return statuses.map((status) => {
    const message = `The mapping does not know the status "${cutText(status, 30)}": the property is a draft, which guests do not see.`;
    return warningFinding('unknown-status', message, ADD_STATUS, 'draft');
  });
}

const ADD_STATUS =
  'Add each word below "draft" in the mapping: to "false" if guests should see the property, else to "true".';

function decisionsOf(mapping: TableMapping): readonly Decision[] {
  const found = Object.entries(mapping).flatMap(([field, value]): Decision[] => {
    const { missing } = conversionOf(value);
    // Rows without coordinates become drafts by default, so `missing: draft` needs no decision.
    const isDefault = isCoordinateField(field) && missing === 'draft';
    return missing === undefined || isDefault ? [] : [[field, missing]];
  });
  // Currency comes last: it may follow from the country, which may follow from the coordinates.
  return found.sort(([one], [other]) => Number(one === 'currency') - Number(other === 'currency'));
}

/**
 * Derives missing values. `open`: fields still without a value. `skippedBy`: the empty field that makes the
 * import skip the row; undefined if the row is kept.
 */
function decided(mapped: Mapping, decisions: readonly Decision[], countries: ReadonlySet<string>) {
  let raw = mapped;
  const open: string[] = [];
  for (const [field, missing] of decisions) {
    if (raw[field] !== undefined) continue;
    if (missing === 'skip') return { raw, open, skippedBy: field };
    const country = missing === 'country' ? findCountryByName(String(raw.country ?? '')) : undefined;
    const derived = missing === 'point' ? countryOf(raw, countries) : COUNTRY_CURRENCIES[country ?? ''];
    if (derived) raw = { ...raw, [field]: derived };
    else open.push(field);
  }
  return { raw: open.length === 0 ? raw : { ...raw, draft: 'true' }, open, skippedBy: undefined };
}

/**
 * Near a border, several countries are possible. Then returns the one that is in `countries`; undefined if several or
 * none of them are.
 */
function countryOf(raw: Mapping, countries: ReadonlySet<string>): string | undefined {
  const known = countriesOf(raw) ?? [];
  const named = known.length === 1 ? known : known.filter((code) => countries.has(code));
  return named.length === 1 ? named[0] : undefined;
}

export function countriesNamed({ columns }: Profile, { country }: TableMapping): Set<string> {
  const names = columnsOf({ country });
  const words = columns.flatMap((one) => (names.includes(one.name) ? [...(one.words?.keys() ?? [])] : []));
  return new Set(words.flatMap((word) => findCountryByName(word) ?? []));
}

export function skippedRowNotes({ fields, totals }: SkippedRows): SourceNote[] {
  const note = (rows: SourcePlaces, which: string, field?: string) => {
    const message = `${countText(rows.count, 'row')} ${which}: ${sourcePlacesText(rows)}.`;
    return warningFinding('rows-passed-over', message, '', field);
  };
  const without = [...fields].map(([field, rows]) =>
    note(rows, `without a ${field} skipped, as the mapping says`, field),
  );
  return totals.count === 0 ? without : [note(totals, 'of totals skipped'), ...without];
}

const countriesOfCell = memoize((cell: string) => {
  const [north, east] = cell.split(',').map((place) => (Number(place) + 0.5) / 4);
  return countriesAt(north!, east!);
});

function countriesOf({ latitude, longitude }: Mapping): readonly string[] | undefined {
  const degrees = [guessLatitude(String(latitude)), guessLongitude(String(longitude))].map(Number);
  return degrees.every(Number.isFinite)
    ? countriesOfCell(degrees.map((one) => Math.floor(one * 4)).join())
    : undefined;
}

/** A table's sole country contains at least this share of the table's points. Large tables have some wrong points. */
const MIN_SHARE = 0.98;

export async function soleCountry(
  source: RowSource,
  { latitude, longitude }: Proposal,
): Promise<string | undefined> {
  if (latitude === undefined || longitude === undefined) return undefined;
  const mapping = { latitude, longitude } as TableMapping;
  const mapRow = rowMapper(mapping, declaredTerms({ vocabulary: vocabularyFrom() }));
  const counts = new Map<string, number>();
  let points = 0;
  for await (const { value } of source.rows(columnsOf(mapping))) {
    const countries = value && countriesOf(mapRow(value));
    if (!countries) continue;
    points++;
    for (const country of countries) counts.set(country, (counts.get(country) ?? 0) + 1);
  }
  // In a border region, two countries may pass. Then neither is the sole country.
  const found = [...counts].filter(([, count]) => count >= points * MIN_SHARE);
  return found.length === 1 ? found[0]![0] : undefined;
}

const UNPUBLISH = 'If guests must not read it, remove it from the mapping.';

/**
 * Warns about private columns that the mapping publishes. Also warns if git would commit a table that has private
 * columns (runs `git check-ignore`).
 */
export function privateColumnNotes(
  mapping: TableMapping,
  { columns }: Profile,
  { name, folder }: Pick<RowSource, 'name' | 'folder'>,
): SourceNote[] {
  const { facilities = [], ...others } = mapping;
  // If a column only decides whether a facility such as `value: wifi` applies, its cells are not published.
  const words = [facilities].flat().filter((one) => typeof one === 'string' || one.value === undefined);
  const [used, listed] = [columnsOf(others), columnsOf({ words })];
  const secrets = columns.filter(isSecret);
  const published = secrets
    .filter((column) => listed.includes(column.name) || used.some((one) => isAtOrBelow(one, column.name)))
    .map(({ name, secret }) => {
      const message = `The mapping publishes the column "${name}", which looks like ${secret}.`;
      return warningFinding('private-column', message, UNPUBLISH);
    });
  const file = basename(name);
  if (secrets.length === 0 || folder === undefined || !wouldCommit(folder, file)) return published;
  const message = `${file} has private columns, and git would commit it with the catalogue.`;
  const help = `Add a line "${file}" to .gitignore, or move the table out of the repository.`;
  return [...published, warningFinding('private-table', message, help)];
}

function wouldCommit(folder: string, file: string): boolean {
  return spawnSync('git', ['-C', folder, 'check-ignore', '-q', '--', file], { stdio: 'ignore' }).status === 1;
}
