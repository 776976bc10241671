/** Decides whether 1.250 in a column means 1250 or 1.25. */
import type { Field, FieldTable } from '../../contract/fields.ts';
import { findCurrencyByName } from '../../source/country-and-currency-aliases.ts';
import { squareMetres } from '../../source/quantity.ts';
import { warningFinding } from '../finding.ts';
import { type Column, type Profile, textsOf } from '../table/profile.ts';
import type { SourceNote } from '../table/row.ts';
import { CURRENCY_PATTERN, type DecimalMark, withDecimalPoint } from '../words/column-values.ts';
import { conversionOf, type Proposal, type TableMapping, type ValueSource } from './mapping.ts';
import { fieldLine } from './mapping-text.ts';

/** If every value with a mark has exactly three digits after it, as in 1.250, returns that mark. */
function groupMark({ share }: Column): DecimalMark | undefined {
  const { commaAmount, pointAmount, commaGroup, pointGroup } = share;
  if (commaAmount + pointAmount > 0 || pointGroup > 0 === commaGroup > 0) return undefined;
  return pointGroup > 0 ? '.' : ',';
}

/** Returns the decimal mark that the mapping must name, or undefined if it needs none or the mark is uncertain. */
export function decimalMark(column: Column, { kind }: Pick<Field, 'kind'>): DecimalMark | undefined {
  const { share, tableMark, words } = column;
  if (kind !== 'decimal' && kind !== 'integer') return undefined;
  const grouped = groupMark(column);
  if (grouped) {
    const isWhole = kind === 'integer' && [...(words?.keys() ?? [])].some((text) => /[.,](?!000)/.test(text));
    if (isWhole) return grouped === '.' ? ',' : '.';
    return grouped === '.' && tableMark === '.' ? undefined : tableMark;
  }
  if (share.commaAmount > 0 && share.pointAmount === 0) return ',';
  return share.pointAmount > 0 && share.commaAmount === 0 && share.commaGroups > 0 ? '.' : undefined;
}

const GROUPED = new RegExp(
  `^${CURRENCY_PATTERN}\\s*([1-9]\\d{0,2})([.,])\\d{3}\\s*${CURRENCY_PATTERN}$`,
  'u',
);
const UNDIVIDED = new RegExp(`^${CURRENCY_PATTERN}\\s*\\d+\\s*${CURRENCY_PATTERN}$`, 'u');
const THREE_DECIMALS: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/**
 * Returns the decimal mark of a column with prices like 2.000 and 950. There, 2.000 means 2000, so the decimal mark is
 * the comma. (A database that writes 2 as 2.000 would also write 950.000, and would rarely have prices below 10.)
 */
export function decimalMarkOfGroupedPrices(column: Column): DecimalMark | undefined {
  const texts = textsOf(column);
  const grouped = texts.flatMap((text) => [GROUPED.exec(text) ?? []]).filter(({ length }) => length > 0);
  const [mark, other] = new Set(grouped.map(([, , found]) => found));
  const plain = texts.filter((text) => UNDIVIDED.test(text)).length;
  const isTelling = plain > 0 || grouped.some(([, whole]) => whole?.length === 1);
  if (!isTelling || other !== undefined || grouped.length + plain < texts.length) return undefined;
  return mark === '.' ? ',' : mark === ',' ? '.' : undefined;
}

/**
 * Returns the decimal mark of a column with areas like 1.250 mq: they mean 1250, since no home has 1.25 m². Undefined
 * if there are areas like 85.125, which may be 85 m² and a little more.
 */
export function decimalMarkOfGroupedAreas(column: Column): DecimalMark | undefined {
  const texts = textsOf(column).map((text) => squareMetres(text) ?? text);
  const marks = new Set(texts.flatMap((text) => /^[1-9]([.,])\d{3}$/.exec(text)?.[1] ?? []));
  const [mark, other] = marks;
  const isAll = texts.every((text) => /^\d+$|^[1-9][.,]\d{3}$/.test(text));
  return isAll && other === undefined && mark !== undefined ? (mark === '.' ? ',' : '.') : undefined;
}

/** Lets the mapping read prices like 2.000 as 2000, unless their currency may have three decimals. */
export function withGroupedPriceMark(mapping: Proposal, { columns }: Pick<Profile, 'columns'>): Proposal {
  const { price_from: price, currency } = mapping;
  const column = columns.find(({ name }) => name === price);
  const decimal = column && decimalMarkOfGroupedPrices(column);
  if (!decimal) return mapping;
  const codes = currenciesOf(currency, columns);
  if (codes.some((code) => code === undefined || THREE_DECIMALS.has(code))) return mapping;
  return { ...mapping, price_from: { from: column.name, decimal } };
}

export const isGroupedPrice = (text: string) => GROUPED.test(text);

function currenciesOf(mapped: Proposal[string], columns: readonly Column[]): (string | undefined)[] {
  const { from, value, map = {}, missing } = conversionOf(mapped);
  if (value !== undefined || missing !== undefined) return [value];
  const words = columns.find(({ name }) => name === from)?.words?.keys();
  return words ? [...words].map((word) => map[word] ?? findCurrencyByName(word, '')) : [undefined];
}

export function numberMapping({ name, share }: Column): ValueSource {
  return share.comma > 0.5 && share.dotted === 0 ? { from: name, decimal: ',' } : name;
}

/** Maps columns whose numbers have decimal commas, such as 1.250,00, unless the mapping already converts them. */
export function withProvenCommas(
  mapping: TableMapping,
  { columns }: Pick<Profile, 'columns'>,
  { attributes }: FieldTable,
): TableMapping {
  const proven = [...attributes].flatMap(([field, { kind }]) => {
    const { [field]: mapped }: Proposal = mapping;
    const column = columns.find(({ name }) => name === mapped);
    if (!column?.share.commaAmount || decimalMark(column, { kind }) !== ',') return [];
    const { name: from, words } = column;
    // In the report, a value that `map` changes counts as a repair. A value that `decimal` changes does not.
    const grouped = [...(words?.keys() ?? [])].filter((text) => /\d[. \u00a0\u202f]\d{3}/.test(text));
    const map = Object.fromEntries(grouped.map((text) => [text, withDecimalPoint(text, ',')]));
    return [[field, words ? { from, map } : { from, decimal: ',' }]];
  });
  return { ...mapping, ...Object.fromEntries(proven) };
}

/**
 * If the values of a column clearly have another decimal mark than the mapping names, corrects the mapping. It may have
 * been made for an earlier export, or for a text file, while a workbook always has decimal points.
 */
export function withEvidentMarks(mapping: TableMapping, { columns }: Pick<Profile, 'columns'>): TableMapping {
  const changed = Object.entries(mapping).flatMap(([field, mapped]: [string, Proposal[string]]) => {
    const { from, decimal } = conversionOf(mapped);
    const column = decimal && columns.find(({ name }) => name === from);
    const isPlace = field === 'latitude' || field === 'longitude';
    const mark = column ? evidentMark(column.share, isPlace) : undefined;
    return mark && mark !== decimal ? [[field, { ...conversionOf(mapped), decimal: mark }]] : [];
  });
  return { ...mapping, ...Object.fromEntries(changed) };
}

/** No coordinate has groups of thousands, so one such as 50.138 shows its mark. */
function evidentMark(share: Column['share'], isPlace: boolean): DecimalMark | undefined {
  const commas = isPlace ? share.comma : share.commaAmount;
  const points = isPlace ? share.dotted : share.pointAmount;
  if (commas > 0 === points > 0) return undefined;
  return commas > 0 ? ',' : '.';
}

export function ambiguousNumberNotes(
  mapping: Proposal,
  { columns }: Profile,
  { attributes }: FieldTable,
): SourceNote[] {
  return [...attributes].flatMap(([field, { kind }]) => {
    const { from, decimal, map } = conversionOf(mapping[field]);
    const column = columns.find(({ name }) => name === from);
    const mark = column && groupMark(column);
    const isNumber = kind === 'decimal' || kind === 'integer';
    if (!mark || !isNumber || decimal || map) return [];
    if (mark === '.' && column.tableMark === '.' && field !== 'price_from') return [];
    const text = textsOf(column).find((one) => one.includes(mark)) ?? '';
    const other = mark === '.' ? ',' : '.';
    const whole = withDecimalPoint(text, other);
    const line = fieldLine(field, { from: column.name, decimal: other });
    const isTaken = mark === '.' && (kind === 'decimal' || text.endsWith('.000'));
    const taken = isTaken ? 'The second is taken.' : 'It is left out.';
    const message = `"${text}" of ${column.name} may be ${whole} or ${text.replace(',', '.')}. ${taken}`;
    const help = `If the first is meant, write in the mapping: ${line}`;
    return [warningFinding('ambiguous-number', message, help, field)];
  });
}
