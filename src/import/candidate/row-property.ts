import { ENTRY_LIST_FIELDS, type EntryListFieldName, type ScalarFieldName } from '../../contract/fields.ts';
import { fieldsIn, type Terms } from '../../contract/terms.ts';
import { uuidFromName } from '../../release/uuid-v5.ts';
import { guessBoolean } from '../../source/correction.ts';
import { textKindOf } from '../../source/text-kind.ts';
import { withoutDuplicateWords } from '../../source/vocabulary-word.ts';
import type { Mapping } from '../../values/mapping.ts';
import { memoizeByObject } from '../../values/memoize.ts';
import { isOffered } from '../mapping/draft-mapping.ts';
import {
  type Conversion,
  conversionOf,
  declaredListFields,
  type EntryMapping,
  scalarFields,
  type TableMapping,
  type ValueSource,
} from '../mapping/mapping.ts';
import { isListedWord, listedMeaning } from '../mapping/unknown-words.ts';
import { parseListValue, wordOf } from '../table/list-value.ts';
import { lookUp } from '../table/row.ts';
import {
  guessAffirmation,
  isEmptyText,
  isPlaceholderValue,
  parseCoordinatePair,
  withDecimalPoint,
} from '../words/column-values.ts';

/** A row may leave all columns of a list entry empty. The entry is kept only if it passes this test. */
const IS_PRESENT: Readonly<
  Record<EntryListFieldName, (entry: Readonly<Record<string, unknown>>) => boolean>
> = {
  photo: ({ url, file }) => url !== undefined || file !== undefined,
  hotel_policy: ({ detail }) => detail !== undefined,
  payment_method: ({ is_enabled, method_type }) => is_enabled !== undefined && method_type !== undefined,
};

/** Returns a function that maps a row to fields, and neither validates nor repairs their values. */
export function rowMapper(mapping: TableMapping, { fields, vocabulary }: Terms): (row: Mapping) => Mapping {
  const mappedTo = <Of>(names: readonly (readonly [string, Of])[]) =>
    names.flatMap(([name, field]) => {
      const mapped = mapping[name as ScalarFieldName];
      return mapped === undefined ? [] : [{ name, mapped, field }];
    });
  const scalars = mappedTo(scalarFields(fields)).map(
    ({ name, mapped, field: { kind, required, declared } }) => {
      // In an optional text or choice, a word such as "none" may be meant, so it is kept.
      const isText = !required && (declared?.terms ?? textKindOf(fields, name)) !== undefined;
      return { name, mapped, kind, isEmpty: isText ? isEmpty : isNothing };
    },
  );
  const lists = mappedTo(declaredListFields(fields));
  const entryLists = ENTRY_LIST_FIELDS.map((list) => ({
    list,
    of: [...fieldsIn(fields, list)].map(([key, { kind }]) => {
      return { key, kind, isEmpty: textKindOf(fields, key, list) ? isEmpty : isNothing };
    }),
  }));
  return (row) => {
    const raw: Record<string, unknown> = {};
    const set = (field: string, values: readonly unknown[]) => {
      if (values.length > 0) raw[field] = values;
    };
    for (const { name, mapped, kind, isEmpty } of scalars) {
      const value = name === 'draft' ? draftValue(row, mapped) : fieldValue(row, mapped, name, kind);
      if (!isEmpty(value)) raw[name] = kind === 'boolean' ? booleanOf(value) : value;
    }
    for (const { name, mapped } of lists)
      set(name, [...new Set([mapped].flat().flatMap((one) => listOf(row, one)))]);
    if (mapping.facilities !== undefined)
      set('facilities', facilitiesOf(row, mapping.facilities, vocabulary));
    for (const { list, of } of entryLists) {
      const entries = (mapping[list] ?? []).flatMap((mapped) => entriesOf(row, mapped, of));
      set(list, (list === 'photo' ? entries.flatMap(photosIn) : entries).filter(IS_PRESENT[list]));
    }
    return raw;
  };
}

function facilitiesOf(
  row: Mapping,
  mapped: ValueSource | readonly ValueSource[],
  { facilities }: Terms['vocabulary'],
): unknown[] {
  const isText = (word: unknown) => typeof word === 'string';
  const words = [mapped]
    .flat()
    .flatMap((one) => listOf(row, one))
    .filter((word) => !(isText(word) && (isPlaceholderValue(word) || guessBoolean(word) !== undefined)));
  // A list and a column such as "Washer" often name the same facility, so duplicates are removed.
  return words.every(isText) ? withoutDuplicateWords(words, facilities) : [...new Set(words)];
}

const isEmpty = (value: unknown) => typeof value === 'string' && isEmptyText(value);
const isNothing = (value: unknown) => typeof value === 'string' && isPlaceholderValue(value);

/** Returns "true" also for a status that the mapping does not know. */
export function draftValue(row: Mapping, mapped: ValueSource | readonly ValueSource[]): unknown {
  const values = [mapped]
    .flat()
    .map((one) => (unknownStatus(row, one) === undefined ? statusOf(row, one) : 'true'));
  return (
    values.find((value) => value === 'true') ??
    values.find((value) => value !== '' && value !== 'false') ??
    values.find((value) => value !== '') ??
    ''
  );
}

function statusOf(row: Mapping, mapped: ValueSource): unknown {
  const value = booleanOf(mappedValue(row, mapped));
  if (typeof value !== 'string' || !isPlaceholderValue(value)) return value;
  // In other fields, words such as "not available" are placeholders. A status with such a word makes a draft.
  return isOffered(value, false) === false ? 'true' : '';
}

/** Returns the row's status if the mapping does not say what it means, as when a later export has a new one. */
export function unknownStatus(row: Mapping, mapped: ValueSource): string | undefined {
  const conversion = conversionOf(mapped);
  if (conversion.value !== undefined) return undefined;
  const text = mappedValue(row, cellOf(conversion));
  if (isUnclearBoolean(text, conversion)) return text;
  const status = statusOf(row, mapped);
  const isKnown = typeof status !== 'string' || ['', 'true', 'false'].includes(status);
  // If a mapping lists only the words that hide a property, all other words show it.
  const isShown = conversion.true !== undefined && (conversion.false ?? []).length === 0;
  return isKnown || isShown ? undefined : status;
}

const cellOf = ({ from, join, else: other }: Conversion): Conversion => ({ from, join, else: other });

/** Whether a text says yes or no, but the mapping does not list it, nor any words from which its meaning follows. */
function isUnclearBoolean(text: unknown, mapped: Conversion): text is string {
  const { true: yes, false: no, map = {} } = mapped;
  return (
    typeof text === 'string' &&
    guessBoolean(text) !== undefined &&
    (yes ?? no) !== undefined &&
    !isListedWord(text, [...(yes ?? []), ...(no ?? [])]) &&
    listedMeaning(map, text) === undefined &&
    isInverted(mapped) === undefined
  );
}

/**
 * Whether the mapping reads "yes" as false, as in `{ from: online, true: ["0"], false: ["1"] }` for drafts. Undefined
 * if it lists no words, a word that is neither yes nor no, or words that contradict each other.
 */
const isInverted = memoizeByObject(({ true: yes = [], false: no = [] }: Conversion): boolean | undefined => {
  const [meanYes, meanNo] = [yes, no].map((words) => words.map(guessAffirmation));
  const isAll = (one: string, other: string) =>
    meanYes!.every((meant) => meant === one) && meanNo!.every((meant) => meant === other);
  if (yes.length + no.length === 0) return undefined;
  return isAll('true', 'false') ? false : isAll('false', 'true') ? true : undefined;
});

function fieldValue(row: Mapping, mapped: ValueSource, field: string, kind: string): unknown {
  if (typeof mapped === 'string' || mapped.point === undefined)
    return mappedValue(row, mapped, kind === 'lines' ? linesOf : textOf);
  const found = mappedValue(row, { from: mapped.from, join: mapped.join });
  // A list of coordinates may have the altitude as a third number.
  const plain = Array.isArray(found) ? found.slice(0, 2) : found;
  const text = typeof plain === 'string' ? plain : JSON.stringify(plain).replace(/"([-\d.]+)"/g, '$1');
  const point = parseCoordinatePair(text);
  // The added "(no point)" keeps a single number from being read as a coordinate.
  if (!point) return isPlaceholderValue(text) ? text : `${text} (no point)`;
  const isReversed = point.isReversed || mapped.point === 'lng-lat';
  return (field === 'latitude') === isReversed ? point.second : point.first;
}

type EntryKey = {
  readonly key: string;
  readonly kind: string;
  readonly isEmpty: (value: unknown) => boolean;
};

function entriesOf(
  row: Mapping,
  mapping: EntryMapping,
  fields: readonly EntryKey[],
): Record<string, unknown>[] {
  const { each, split } = mapping;
  const items = each === undefined ? [row] : parseListValue(lookUp(row, each), split);
  const given = items.filter((item) => item !== null && item !== '');
  return given.map((one) => {
    const item = typeof one === 'object' ? (one as Mapping) : { '.': one };
    const entry: Record<string, unknown> = {};
    for (const { key, kind, isEmpty } of fields) {
      const mapped = mapping[key] as ValueSource | undefined;
      if (mapped === undefined) continue;
      const read = kind === 'lines' ? linesOf : textOf;
      let value = mappedValue(item, mapped, read);
      if (value === '' && isValueOf(key, item['.'])) value = read(item['.']);
      if (isEmpty(value)) continue;
      entry[key] = kind === 'boolean' ? booleanOf(value) : value;
    }
    return entry;
  });
}

/** Matches a text that may hold several links, because the mapping did not split the cell. */
const LINKS = /^https?:\S*[\s|;,]/i;
const BETWEEN_LINKS = /(?<![\s|;,])[\s|;,]+(?=[a-z]{1,9}:)/i;
/** Matches separators and placeholders after a link. Not tried on long texts, since it takes quadratic time. */
const TRAILING_SEPARATORS = /(?<![\s|;,])(?:[\s|;,](?:[-–—]{1,3}|n\/a|null)?)+$/i;
const LONGEST_LINK = 2_000;

function photosIn(photo: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  const { url, id, position } = photo;
  const isOne = typeof url !== 'string' || id !== undefined || position !== undefined;
  if (isOne || !LINKS.test(url)) return [photo];
  const tidy = (link: string) => (link.length > LONGEST_LINK ? link : link.replace(TRAILING_SEPARATORS, ''));
  return url.split(BETWEEN_LINKS).map((link) => ({ ...photo, url: tidy(link) }));
}

/** An entry of a list may be a text instead of an object. Returns whether this text is the entry's `key`. */
function isValueOf(key: string, text: unknown): boolean {
  if (typeof text !== 'string') return false;
  return /^https?:/i.test(text) ? key === 'url' : ['file', 'detail', 'method_type'].includes(key);
}

function listOf(row: Mapping, mapped: ValueSource): unknown[] {
  if (typeof mapped !== 'string' && mapped.split !== undefined) {
    const { split, join, from } = mapped;
    const each = partOf(mapped);
    // Without `join`, each column is split separately.
    const texts = join === undefined ? [from ?? []].flat() : [from];
    return texts
      .flatMap((one) => parseListValue(mappedValue(row, { from: one, join }), split))
      .map((part) => mappedValue({ '.': wordOf(part) }, each))
      .filter((part) => part !== '');
  }
  const value = mappedValue(row, mapped);
  const from = typeof mapped === 'string' ? {} : mapped;
  const items = parseListValue(value, undefined);
  if (items[0] === value) return value === '' ? [] : [wordOf(value)];
  return items
    .map((item) => mappedValue({ '.': wordOf(item) }, { ...from, from: '.' }))
    .filter((item) => item !== '');
}

const partOf = memoizeByObject(
  ({ split: _, join: _join, ...each }: Conversion): ValueSource => ({ ...each, from: '.' }),
);

function mappedValue(row: Mapping, mapped: ValueSource, read: (value: unknown) => unknown = textOf): unknown {
  if (typeof mapped === 'string') return read(lookUp(row, mapped));
  const { from, join = ' ', value, else: other } = mapped;
  if (from === undefined) return value ?? '';
  const found = Array.isArray(from)
    ? from
        .map((path) => read(lookUp(row, path)))
        .filter((text) => !isNothing(text))
        .join(join)
    : read(lookUp(row, from));
  if (typeof found !== 'string') return found;
  const isOpen = other !== undefined || mapped.default !== undefined || mapped.missing !== undefined;
  if (!isOpen || !isPlaceholderValue(found)) return converted(found, mapped);
  const filled = other === undefined ? '' : read(lookUp(row, other));
  return converted(typeof filled !== 'string' || isPlaceholderValue(filled) ? '' : filled, mapped);
}

function converted(found: string, mapped: Conversion): string {
  let text = found === '' ? (mapped.default ?? '') : found;
  // A constant with a column, as in `{ from: wifi, value: wifi }`, applies only if that column says yes.
  if (mapped.value !== undefined) {
    const isTrue = mapped.true ? isListedWord(text, mapped.true) : guessAffirmation(text) === 'true';
    return isTrue ? mapped.value : '';
  }
  const meant = mapped.map && listedMeaning(mapped.map, text);
  text = meant ?? text;
  if (text === '' || (mapped.uuid !== undefined && isPlaceholderValue(text))) return '';
  if (mapped.true && isListedWord(text, mapped.true)) return 'true';
  if (mapped.false && isListedWord(text, mapped.false)) return 'false';
  const boolean = meant === undefined && found !== '' && isInverted(mapped) ? guessBoolean(text) : undefined;
  if (boolean !== undefined) return boolean === 'true' ? 'false' : 'true';
  // The numbers that `map` gives have a decimal point already, as in property files.
  const isPlain = meant !== undefined && /^-?\d+(?:\.\d+)?$/.test(meant);
  // A text such as 54,15N11,74 is not a number, so it is reported unchanged.
  if (mapped.decimal && !isPlain && !/\d\p{L}+\d/u.test(text)) text = withDecimalPoint(text, mapped.decimal);
  if (mapped.prefix !== undefined) text = mapped.prefix + text;
  return mapped.uuid === undefined ? text : uuidFromName(text, mapped.uuid);
}

function booleanOf(value: unknown): unknown {
  return typeof value === 'string' ? (guessBoolean(value) ?? value) : value;
}

function linesOf(value: unknown): unknown {
  if (typeof value !== 'string' || !BREAK.test(value)) return textOf(value);
  const lines = value.split(/\r\n?|\n/).map((line) => line.replaceAll('\t', ' ').trimEnd());
  return lines.join('\n').trim();
}

function textOf(value: unknown): unknown {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return value;
  // A single pattern with `\s*` around the line break would take quadratic time on long runs of spaces.
  return (BREAK.test(value) ? value.replace(/\s+/g, (run) => (BREAK.test(run) ? ' ' : run)) : value).trim();
}

const BREAK = /[\r\n\t]/;
