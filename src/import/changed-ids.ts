/** Recognises a later export in which ids of known properties changed, as when a spreadsheet dropped their zeros. */
import { join } from 'node:path';
import { foldToLetters } from '../contract/unicode.ts';
import { UsageError } from '../errors/errors.ts';
import { uuidFromName } from '../release/uuid-v5.ts';
import { countText, formatNumber } from '../text/amounts.ts';
import type { Mapping } from '../values/mapping.ts';
import { rowMapper } from './candidate/row-property.ts';
import { digestOfId, filesByDigestOfId, type Ledger, valuesIn } from './files/ledger.ts';
import { ID_NAMESPACE, spreadsheetNumberText } from './mapping/id-mapping.ts';
import { columnsOf, conversionOf, type TableMapping } from './mapping/mapping.ts';
import type { OpenedTable } from './opened-table.ts';
import { lookUp } from './table/row.ts';

type Table = Pick<OpenedTable, 'content' | 'ledgerName' | 'name' | 'table' | 'terms'> & {
  readonly given: TableMapping;
  readonly ledger: Pick<Ledger, 'filesOf' | 'fieldsOf'>;
};

/** If all of the first rows have known ids, the others are not read: a spreadsheet changes ids of the whole column. */
const MAX_SAMPLE = 200;

/**
 * Must be called before anything is written.
 * @throws UsageError `source-shrunk` if many properties of a later export are known but have new ids
 */
export async function refuseChangedIds(opened: Table): Promise<void> {
  const { given, ledger, ledgerName } = opened;
  const paths = ledger.filesOf(ledgerName);
  if (paths.length === 0 || (await hasKnownIds(opened, paths))) return;
  const { renamed, rows } = await findRenamed(opened, paths);
  const byForm = renamed.filter(({ before }) => before !== undefined);
  const isMost = renamed.length * 2 >= Math.min(rows, paths.length);
  if (renamed.length === 0 || (!isMost && byForm.length * 10 < rows)) return;
  const columns = columnsOf({ id: given.id }).join(', ');
  const { now, before, title } = byForm[0] ?? renamed[0]!;
  const change = before === undefined ? `"${now}" of "${title}"` : `"${now}", which was "${before}"`;
  const many = `${formatNumber(renamed.length)} of ${countText(rows, 'row')}`;
  const reason = spreadsheetNumberText(now) || SPREADSHEET;
  const message = `${many} ${renamed.length === 1 ? 'is a property' : 'are properties'} that you have already, with new ids in "${columns}", such as ${change}. Nothing was changed, since each would be there twice. ${reason} Format the column as text in the spreadsheet, put the ids in as they were, and save again; or import the export as it came. ${MEANT}`;
  throw new UsageError('source-shrunk', message);
}

const SPREADSHEET = 'A spreadsheet may drop zeros, or write 3000 as 3000.0 or 3.000.';
const MEANT =
  'If the new ids are meant, import with --allow-shrink --remove-gone, which removes the files with the old ones.';

const plainId = (id: unknown) =>
  String(id ?? '')
    .toLowerCase()
    .replace(/[{}]/g, '');

/** Compares digests, which takes less time than reading all files. */
async function hasKnownIds({ given, ledger, table, terms }: Table, paths: readonly string[]) {
  const known = filesByDigestOfId(ledger, paths);
  const mapRow = rowMapper({ id: given.id } as TableMapping, terms);
  let [rows, unknown] = [0, 0];
  for await (const { value } of table.rows(columnsOf({ id: given.id }))) {
    const id = value && plainId(mapRow(value).id);
    if (!id) continue;
    rows++;
    if (!known.has(digestOfId(id))) unknown++;
    if (rows === MAX_SAMPLE && unknown === 0) return true;
  }
  return unknown === 0 || unknown * 10 < rows;
}

type RenamedProperty = Readonly<Record<'now' | 'title', string>> & { readonly before: string | undefined };

/**
 * Finds rows whose property is known, but has a new id. Finds none if the mapping has changed how it makes ids.
 * `before`: the earlier key, if the new key is another form of it; otherwise undefined.
 */
async function findRenamed(opened: Table, paths: readonly string[]) {
  const { content, given, table, terms } = opened;
  const { id, title, city, address } = given;
  const mapRow = rowMapper({ id, title, city, address } as TableMapping, terms);
  const columns = columnsOf({ id, title, city, address });
  const gone = new Map(
    paths.map((path) => {
      const values = valuesIn(join(content, path)) as Readonly<Record<string, unknown>>;
      return [plainId(values.id), values] as const;
    }),
  );
  const known = new Set(gone.keys());
  for await (const { value } of table.rows(columns)) if (value) gone.delete(plainId(mapRow(value).id));
  const byIdentity = new Map(
    [...gone].flatMap(([one, values]) => identitiesOf(values).map((name) => [name, one])),
  );
  const { from } = conversionOf(id);
  const idOf = rowMapper({ id: { ...conversionOf(id), from: '.' } } as unknown as TableMapping, terms);
  const idsOfOtherMapping = otherMappings(opened);
  const renamed: RenamedProperty[] = [];
  let rows = 0;
  for await (const { value } of table.rows()) {
    if (!value) continue;
    const mapped = mapRow(value);
    const own = plainId(mapped.id);
    if (own === '') continue;
    rows++;
    if (known.has(own)) continue;
    const now = String(typeof from === 'string' ? (lookUp(value, from) ?? '') : (mapped.title ?? ''));
    const isGone = (key: string) => gone.has(plainId(idOf({ '.': key }).id));
    const before = typeof from === 'string' ? otherForms(now).find(isGone) : undefined;
    const names = identitiesOf(mapped).flatMap((name) => byIdentity.get(name) ?? []);
    const match =
      before === undefined ? names.find((one) => gone.has(one)) : plainId(idOf({ '.': before }).id);
    if (match === undefined) continue;
    if (before === undefined && idsOfOtherMapping(value).includes(match)) return { renamed: [], rows };
    renamed.push({ now, before, title: String(mapped.title ?? '') });
    gone.delete(match);
  }
  return { renamed, rows };
}

/** Returns the ids that a row would have if they were made from another column, or from title and place as proposed. */
function otherMappings({ given, name, terms }: Table): (row: Mapping) => string[] {
  const spaces = [conversionOf(given.id).uuid ?? [], uuidFromName(name, ID_NAMESPACE)].flat();
  const columnsIn = (...fields: readonly ('title' | 'city' | 'latitude' | 'longitude' | 'address')[]) =>
    fields.flatMap((field) => columnsOf({ [field]: given[field] }));
  const [titles, place] = [columnsIn('title', 'city'), columnsIn('latitude', 'longitude')];
  const mappers = [titles, [...titles, ...(place.length > 0 ? place : columnsIn('address'))]].flatMap(
    (from) => spaces.map((uuid) => rowMapper({ id: { from, join: '|', uuid } } as TableMapping, terms)),
  );
  return (row) => [
    ...mappers.map((mapRow) => String(mapRow(row).id)),
    ...Object.values(row).flatMap((cell) =>
      typeof cell === 'string' ? [plainId(cell), ...spaces.map((uuid) => uuidFromName(cell, uuid))] : [],
    ),
  ];
}

function identitiesOf({ title, city, address }: Readonly<Record<string, unknown>>): string[] {
  const names = [title, address].map((name, place) => [name, city, place] as const);
  return names.flatMap(([name, ...rest]) =>
    typeof name === 'string'
      ? [[name, ...rest].map((part) => foldToLetters(String(part ?? ''))).join('|')]
      : [],
  );
}

/** In characters. Shorter numbers may have had zeros before them. */
const MAX_PADDED = 12;

/** Returns the texts that a spreadsheet, or a program that changes letter case, may have turned into this key. */
function otherForms(key: string): string[] {
  const text = key.trim().replace(/^'/, '');
  const whole = text.replace(/[.,]0+$/, '');
  const digits = /^\d{1,3}(?:[.,\s’']\d{3})+$/u.test(text) ? text.replace(/\D/g, '') : whole;
  const number = digits.replace(/^0+(?=\d)/, '');
  const isNumber = /^\d+$/.test(number);
  const grouped = (sign: string) => number.replace(/\B(?=(?:\d{3})+$)/g, sign);
  const widths = Array.from({ length: MAX_PADDED - 1 }, (_, place) => place + 2);
  const numbers = isNumber
    ? [
        number,
        ...widths.map((width) => number.padStart(width, '0')),
        `${number}.0`,
        `${number},0`,
        grouped('.'),
        grouped(','),
      ]
    : [];
  const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
  const letters = [lower, upper, lower.replace(/^\p{L}/u, (letter) => letter.toUpperCase())];
  return [...new Set([...numbers, whole, text, ...letters])].filter((form) => form !== key);
}
