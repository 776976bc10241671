import { type FieldTable, SCALAR_FIELDS } from '../../contract/fields.ts';
import { STANDARD_FIELD_TABLE } from '../../contract/terms.ts';
import type { TermList } from '../../contract/vocabulary.ts';
import { findCountryByName } from '../../source/country-and-currency-aliases.ts';
import { findWordBySynonym } from '../../source/vocabulary-word.ts';
import { NAME_KEY } from '../table/list-value.ts';
import { type Column, isConstant, isContainer, isUsable, type Profile, textsOf } from '../table/profile.ts';
import {
  COLUMN_LANGUAGES,
  type ColumnMeaning,
  columnMeaning,
  facilityOfColumn,
  isBareNumberWord,
  isMobile,
  splitLanguage,
  squeezedName,
  squeezedNamesIn,
} from '../words/column-names.ts';
import { isDwellingName, parseCoordinatePair } from '../words/column-values.ts';
import TABLE from '../words/tables/column-names.json' with { type: 'json' };
import { currencyInName, currencyOf } from './currency-mapping.ts';
import { numberMapping, withGroupedPriceMark } from './decimal-mark.ts';
import { declaredColumns, declaredFieldMapping, facilitySeparatorOf, isMember } from './declared-columns.ts';
import { draftFieldMapping, isStatusName, tellsIfOffered } from './draft-mapping.ts';
import { idMapping, isIdentifier } from './id-mapping.ts';
import {
  conversionOf,
  type EntryMapping,
  mappingPartsOf,
  type Proposal,
  type ValueSource,
} from './mapping.ts';
import { innerColumns, innerText, photoEntries } from './photo-mapping.ts';

type ProposalContext = {
  /** Name of the source. The UUID namespace is made from it, so the same key in two sources gives different ids. */
  readonly name: string;
  readonly facilities: TermList;
  readonly fields?: FieldTable;
  readonly country?: string | undefined;
};

type Fields = Record<string, Proposal[string]>;
type Chosen = (meaning: ColumnMeaning) => readonly Column[];

export function proposeMapping(
  { columns, rows, unread }: Pick<Profile, 'columns' | 'rows' | 'unread'>,
  { name, facilities, country, fields: table = STANDARD_FIELD_TABLE }: ProposalContext,
): Proposal {
  const usable = columns.filter(isUsable);
  const own = declaredColumns(usable, table);
  const taken = new Set(own.values());
  // The column of the `reference` field may also supply the id.
  const isFree = (column: Column) => !taken.has(column) || column === own.get('reference');
  const { chosen, used } = chooseColumns(usable.filter(isFree), table.languages);
  const fields: Fields = Object.fromEntries(
    [...own].map(([field, column]) => [field, declaredFieldMapping(column, field, table)]),
  );
  for (const field of SCALAR_FIELDS) {
    const [column] = chosen(field as ColumnMeaning);
    if (column && field !== 'id') fields[field] = column.name;
  }
  const drafts = chosen('draft').map((column) => draftFieldMapping(column, rows));
  fields.draft = drafts.length > 1 ? drafts : drafts[0];
  Object.assign(fields, degreesOf(chosen));
  if (country !== undefined) fields.country ??= { value: country };
  fields.address = addressOf(chosen, rows, country);
  fields.currency ??= currencyInName(fields.price_from) ?? currencyOf(fields.country, chosen('country')[0]);
  const [places] = chosen('country');
  // If the table names several countries, a missing one follows from the coordinates. If it names only one, the user
  // is asked.
  if (places && places.filled < rows && places.words?.size !== 1 && fields.latitude) {
    fields.country = { from: places.name, missing: 'point' };
    if (chosen('currency').length === 0 && !currencyInName(fields.price_from))
      fields.currency = { missing: 'country' };
  }
  fields.id = idMapping(fields, { columns, rows, unread }, name);
  const { from } = conversionOf(fields.id);
  if (table.attributes.has('reference') && typeof from === 'string' && !isBareNumberWord(from))
    fields.reference ??= from;
  const rest = usable.filter((column) => !used.has(column) && !taken.has(column));
  fields.facilities = [
    ...wordLists(chosen('facilities'), usable, table.languages),
    ...facilityFlags(rest, facilities),
  ];
  const photos = usable.filter((column) => chosen('photo').includes(column));
  fields.photo = photoEntries(photos, usable, chosen('caption'), table.languages);
  fields.hotel_policy = POLICIES.flatMap((type) => chosen(type).map(({ name }) => policyEntry(type, name)));
  const filled = [...table.all.keys()].filter((field) => mappingPartsOf(fields[field]).length > 0);
  return withGroupedPriceMark(Object.fromEntries(filled.map((field) => [field, fields[field]])), { columns });
}

/** Policies whose column must hold sentences, not a mere "yes" or a number. */
const SENTENCE_POLICIES = ['deposit', 'pets', 'smoking', 'cleaning', 'minimum_stay'] as const;
const POLICIES = ['check_in', 'check_out', 'cancellation', 'house_rules', ...SENTENCE_POLICIES] as const;

export function policyOfColumn(name: string) {
  return POLICIES.find((type) => type === columnMeaning(name)?.meaning);
}

export function policyEntry(type: string, detail: ValueSource): EntryMapping {
  return { policy_type: { value: type }, detail };
}

const isSentence: Fit = ({ boolean, number, link }) => boolean + number + link < 0.5;

const isDegree: Fit = ({ number, point, degrees }, { samples }) =>
  (number + degrees > 0.5 || samples.some((text) => /\d\s*[°º]|^[NSEW]\s*\d|\d\s*[NSEW]$/.test(text))) &&
  point < 0.5;

type Fit = (share: Column['share'], column: Column) => boolean;

/** A column whose name suggests a meaning must also hold values that fit. */
const FITS: Partial<Record<ColumnMeaning, Fit>> = {
  email: ({ email }) => email >= 0.5,
  complement: ({ email, link, boolean }) => email + link + boolean < 0.5,
  phone: ({ email, link, boolean }) => email + link + boolean < 0.5,
  latitude: isDegree,
  longitude: isDegree,
  point: ({ point }) => point > 0.5,
  photo: ({ image, link, number, boolean }, { list, samples }) =>
    list !== undefined ||
    image + link > 0.5 ||
    (number + boolean < 0.5 && samples.some((text) => /https?:\/\/|\.jpe?g/i.test(text))),
  country: ({ number, boolean }) => number + boolean < 0.5,
  currency: ({ number, boolean }) => number + boolean < 0.5,
  title: ({ number, uuid, link, boolean }, column) =>
    number + uuid + link + boolean < 0.9 && !isConstant(column) && !isUnit(column),
  city: ({ number, link }) => number + link < 0.5,
  id: (share) => isIdentifier(share),
  facilities: ({ number, boolean }) => number + boolean < 0.9,
  draft: (_share, column) => tellsIfOffered(column),
  ...Object.fromEntries(SENTENCE_POLICIES.map((type) => [type, isSentence])),
  // With only yes and no, the column becomes a facility. Other words, such as "on request", need a policy.
  pets: ({ boolean, number, link }) => boolean < 0.95 && number + link < 0.5,
  // A column of texts such as "2 nights" is for the numeric field `minimum_stay`, not for a policy.
  minimum_stay: (share, column) =>
    isSentence(share, column) && !column.samples.every((text) => /^\D*\d+\D*$/.test(text)),
};

/** A municipality may have several towns, so a column of towns is the better city. */
const MUNICIPALITIES = squeezedNamesIn(TABLE.municipalities);

/** What a list may hold. A point may be a list of two numbers. */
const LISTS: ReadonlySet<string> = new Set(['facilities', 'photo', 'point']);

const SEVERAL: ReadonlySet<ColumnMeaning> = new Set(['photo', 'caption', 'facilities', 'id', 'draft']);

const BY_VALUE = ['email', 'point', 'photo', 'currency', 'country', 'phone'] as const;

function chooseColumns(columns: readonly Column[], languages: readonly string[]) {
  const found: { meaning: ColumnMeaning; certainty: number; column: Column }[] = [];
  for (const [index, column] of columns.entries()) {
    const isNumber = isBareNumberWord(column.name) && lacksHouseNumber(columns[index - 1]);
    const named = isNumber
      ? ({ meaning: 'house_number', certainty: 3 } as const)
      : isDwellingName(column.name) && column.share.dwelling > 0.5
        ? ({ meaning: 'complement', certainty: 2 } as const)
        : (columnMeaning(column.name) ?? defaultTextNamed(column.name, languages));
    const isOne = !isContainer(column) && column.list === undefined && !isMember(column.name, columns);
    if (!isOne && !LISTS.has(named?.meaning ?? '')) continue;
    if (isStatusName(column.name) && tellsIfOffered(column))
      found.push({ meaning: 'draft', certainty: 2, column });
    else if (MUNICIPALITIES.has(squeezedName(column.name)))
      found.push({ meaning: 'city', certainty: 2, column });
    else if (named?.meaning === 'country' && isOfRegions(column))
      found.push({ meaning: 'state', certainty: 1, column });
    else if (named?.meaning === 'id' && column.samples.every((text) => POLISH_OR_PORTUGUESE.test(text)))
      found.push({ meaning: 'zip_code', certainty: 1, column });
    else if (named && (FITS[named.meaning]?.(column.share, column) ?? true)) found.push({ ...named, column });
  }
  const isFuller = (one: Column, other: Column) => Number(one.filled > other.filled * 2);
  const byFilled = (one: Column, other: Column) => isFuller(other, one) - isFuller(one, other);
  const byMobile = (one: Column, other: Column) => Number(isMobile(one.name)) - Number(isMobile(other.name));
  found.sort((a, b) => b.certainty - a.certainty || byFilled(a.column, b.column));
  const phones = found.filter(({ meaning }) => meaning === 'phone');
  phones.sort((a, b) => byMobile(a.column, b.column));
  const chosen = new Map<ColumnMeaning, Column[]>();
  const used = new Set<Column>();
  const take = (meaning: ColumnMeaning, column: Column) => {
    const before = chosen.get(meaning) ?? [];
    if (used.has(column) || (before.length > 0 && !SEVERAL.has(meaning))) return;
    chosen.set(meaning, [...before, column]);
    used.add(column);
  };
  for (const { meaning, column } of [...phones, ...found]) take(meaning, column);
  for (const meaning of BY_VALUE) {
    if (meaning === 'point' && chosen.has('latitude')) continue;
    const kind = meaning === 'photo' ? 'image' : meaning;
    const fitting = columns.filter(
      ({ name, list, share }) =>
        share[kind] >= 0.9 &&
        share.boolean <= 0.5 &&
        (LISTS.has(meaning) || (list === undefined && !isMember(name, columns))),
    );
    for (const column of fitting) take(meaning, column);
  }
  const [one, other, third] = columns.filter(({ share }) => share.degrees > 0.9);
  const isPlaced = chosen.has('latitude') || chosen.has('longitude') || chosen.has('point');
  if (!isPlaced && one && other && !third) {
    const isReversed = one.samples.some((text) => Math.abs(Number(text.replace(',', '.'))) > 90);
    take('latitude', isReversed ? other : one);
    take('longitude', isReversed ? one : other);
  }
  return { chosen: (meaning: ColumnMeaning) => chosen.get(meaning) ?? [], used };
}

function lacksHouseNumber(column: Column | undefined): boolean {
  const meaning = columnMeaning(column?.name ?? '')?.meaning;
  return meaning === 'street' || (meaning === 'address' && !column!.samples.some((text) => /\d/.test(text)));
}

/** Whether a column repeats a few short words, such as "m2" and "ft2". */
const isUnit = ({ words, filled }: Column) =>
  words !== undefined &&
  words.size * 3 <= filled &&
  [...words.keys()].every((word) => /^\p{Script=Latin}{1,3}[\d²³]?$/u.test(word));

/** Matches postal codes such as 76-153, whose column may be called just "code". */
const POLISH_OR_PORTUGUESE = /^\d\d-\d{3}$|^\d{4}-\d{3}$/;

function isOfRegions({ name, words }: Column): boolean {
  return /(?:^|[^a-z])land$/i.test(name) && words !== undefined && ![...words.keys()].some(findCountryByName);
}

function defaultTextNamed(name: string, [language]: readonly string[]) {
  const found = language === undefined ? undefined : splitLanguage(name, [language]);
  const named = found && columnMeaning(found.base);
  if (named) return { ...named, certainty: 1 } as const;
  const base = /^(.+)\.[a-z]{2}$/s.exec(name)?.[1] ?? splitLanguage(name, COLUMN_LANGUAGES)?.base;
  const isTitle = base !== undefined && columnMeaning(base)?.meaning === 'title';
  return isTitle ? ({ meaning: 'title', certainty: 0 } as const) : undefined;
}

/** Countries whose addresses put the house number before the street. */
const NUMBER_FIRST = new Set(
  (
    'AG AI AU BB BM BS BZ CA DM DZ FK FR GB GD GF GG GH GI GP GY HK IE IL IM IN JE JM KE KN KY LC LK LU MA MC MF ' +
    'MQ MS MT MU MY NA NC NG NZ PF PH PK PM PR RE SC SG SN TC TH TN TT US VC VG VI WF YT ZA ZW'
  ).split(' '),
);

function addressOf(chosen: Chosen, rows: number, country: string | undefined): ValueSource | undefined {
  const plain = streetOf(chosen, rows, country);
  const [complement] = chosen('complement');
  if (plain === undefined || !complement) return plain;
  const names = [conversionOf(plain).from ?? [], complement.name].flat();
  return names.length > 2 ? { from: names } : { from: names, join: ', ' };
}

function streetOf(chosen: Chosen, rows: number, country: string | undefined): ValueSource | undefined {
  const [[street], [number], [whole]] = [chosen('street'), chosen('house_number'), chosen('address')];
  const texts = whole ? textsOf(whole) : [];
  const isWhole =
    whole && whole.filled - whole.placeholders > rows / 2 && texts.some((text) => /\d/.test(text));
  const line = isWhole ? undefined : (street ?? whole);
  if (!line || !number) return (whole ?? street)?.name;
  const names = [line.name, number.name];
  return { from: isNumberFirst(chosen('country')[0], country) ? names.reverse() : names };
}

function isNumberFirst(column: Column | undefined, country: string | undefined): boolean {
  const words = column ? [...(column.words ?? [])] : [[country ?? '', 1] as const];
  const isFirst = (word: string) => NUMBER_FIRST.has(findCountryByName(word) ?? '');
  return words.reduce((sum, [word, count]) => sum + (isFirst(word) ? count : -count), 0) > 0;
}

function degreesOf(chosen: Chosen): { latitude?: ValueSource; longitude?: ValueSource } {
  const [[latitude], [longitude], [point]] = [chosen('latitude'), chosen('longitude'), chosen('point')];
  if (latitude && longitude)
    return { latitude: numberMapping(latitude), longitude: numberMapping(longitude) };
  if (!point) return {};
  const isReversed = point.samples.some((text) => {
    const written = parseCoordinatePair(text);
    return written && !written.isReversed && Math.abs(Number(written.first.replace(',', '.'))) > 90;
  });
  const mapped = { from: point.name, point: isReversed || point.list ? 'lng-lat' : 'lat-lng' } as const;
  return { latitude: mapped, longitude: mapped };
}

function wordLists(
  lists: readonly Column[],
  columns: readonly Column[],
  languages: readonly string[],
): ValueSource[] {
  const sources = lists.flatMap((column): ValueSource[] => {
    if (isMember(column.name, lists)) return [];
    if (column.list !== 'objects') return [listMapping(column)];
    const texts = innerColumns(column, columns).filter((inner) => isSentence(inner.share, inner));
    const words = innerText(column, texts, NAME_KEY, languages) ?? texts[0];
    return words ? [words.name] : [];
  });
  return [...new Map(sources.map((source) => [JSON.stringify(source), source])).values()];
}

export function listMapping(
  column: Column,
  separator: (column: Column) => string | string[] | undefined = facilitySeparatorOf,
): ValueSource {
  const split = separator(column);
  return split === undefined ? column.name : { from: column.name, split };
}

function facilityFlags(columns: readonly Column[], facilities: TermList): ValueSource[] {
  return columns.flatMap(({ name: from, share, list }): ValueSource[] => {
    if (share.boolean < 0.95 || list) return [];
    const name = from.replace(/^.*\./s, '').replace(/^(?:has|is|amenity|facility)[_ .]/i, '');
    const found = facilityOfColumn(name) ?? '';
    const value =
      findWordBySynonym(name, facilities) ?? (Object.hasOwn(facilities.labels, found) ? found : undefined);
    return value === undefined ? [] : [{ from, value }];
  });
}
