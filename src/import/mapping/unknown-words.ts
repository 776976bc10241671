/** Finds words of a table that a field does not know, so that the mapping can translate them. */
import { ENTRY_LIST_FIELDS, type FieldTable } from '../../contract/fields.ts';
import { findCountryByName } from '../../source/country-and-currency-aliases.ts';
import { cutText } from '../../text/shorten.ts';
import { memoizeByObject } from '../../values/memoize.ts';
import { ownValue } from '../../values/own-value.ts';
import { warningFinding } from '../finding.ts';
import { parseListValue } from '../table/list-value.ts';
import { isConstant, type Profile, textsOf } from '../table/profile.ts';
import type { SourceNote } from '../table/row.ts';
import {
  currencyInAmount,
  guessAffirmation,
  isPlaceholderValue,
  withDecimalPoint,
} from '../words/column-values.ts';
import { isValueOfField } from './declared-columns.ts';
import {
  type Conversion,
  columnsOf,
  conversionOf,
  type EntryMapping,
  type Proposal,
  type TableMapping,
} from './mapping.ts';
import { fieldLine, yamlFlowText } from './mapping-text.ts';

const withFoldedSpaces = (text: string) => text.trim().replace(/\s+/g, ' ');
const foldedWord = (text: string) => withFoldedSpaces(text).toLowerCase();

export function isListedWord(text: string, words: readonly string[]): boolean {
  const folded = foldedWord(text);
  return words.some((word) => foldedWord(word) === folded);
}

type Meanings = NonNullable<Conversion['map']>;

const meaningsByWord = memoizeByObject(
  (map: Meanings) =>
    new Map(Object.entries(map).map(([word, meant]) => [withFoldedSpaces(word), meant] as const)),
);

/** Like `map[text]`, but ignores how many spaces are between words. */
export function listedMeaning(map: Meanings, text: string): string | undefined {
  return ownValue(map, text) ?? meaningsByWord(map).get(withFoldedSpaces(text));
}

export type UnknownWords = {
  readonly field: string;
  readonly conversion: Conversion;
  /** Number of rows by word. */
  readonly words: ReadonlyMap<string, number>;
};

/** Checks only the country and declared fields, and of these only columns with few distinct values. */
export function unknownWords(
  mapping: Proposal,
  { columns }: Profile,
  { all, attributes }: FieldTable,
): readonly UnknownWords[] {
  return ['country', ...attributes.keys()].flatMap((field) => {
    const isMeant = (text: string) =>
      field === 'country'
        ? findCountryByName(text) !== undefined
        : isValueOfField(text, field, all.get(field)!);
    const conversion = conversionOf(mapping[field]);
    const { from, split, decimal, map = {}, true: yes = [], false: no = [] } = conversion;
    const column = columns.find(({ name }) => name === from);
    const words = new Map<string, number>();
    for (const [text, count] of column?.words ?? []) {
      for (const part of split ? parseListValue(text, split) : [text]) {
        const word = String(part).trim();
        const plain = withDecimalPoint(word, decimal);
        const isKnown = isPlaceholderValue(word) || isMeant(plain) || listedMeaning(map, word) !== undefined;
        if (!isKnown && !isListedWord(word, [...yes, ...no])) words.set(word, (words.get(word) ?? 0) + count);
      }
    }
    return words.size === 0 ? [] : [{ field, conversion, words }];
  });
}

/** Warns if the column of a constant, as in `{ from: wifi, value: wifi }`, has other words than yes and no. */
export function unclearYesNoNotes(mapping: TableMapping, { columns }: Profile): SourceNote[] {
  return conversionsIn(mapping).flatMap(({ from, value, true: yes, false: no = [], field }) => {
    const column = value === undefined || yes ? undefined : columns.find(({ name }) => name === from);
    if (!column || column.list || column.share.boolean === 1) return [];
    const texts = textsOf(column);
    const open = texts.filter((word) => guessAffirmation(word) === undefined && !isListedWord(word, no));
    const known = texts.filter((word) => guessAffirmation(word) === 'true');
    if (open.length === 0 && column.secret === undefined) return [];
    const shown = open.length === 0 ? '' : `, such as "${cutText(open.join('", "'), 100)}"`;
    const message = `The column "${column.name}" has words that mean neither yes nor no${shown}: they count as no.`;
    const help = `Add those that mean yes in the mapping, such as ${yamlFlowText({ from: column.name, value, true: [...(known.length > 0 ? known : ['yes']), '<word>'] })}.`;
    return [warningFinding('not-yes-or-no', message, help, field)];
  });
}

/** Warns if all rows, at least three, get the same title. */
export function sameTitleNotes({ title }: TableMapping, { columns, rows }: Profile): SourceNote[] {
  const { value, else: other } = conversionOf(title);
  const found = columns.filter(({ name }) => columnsOf({ title }).includes(name));
  const isSame = value === undefined ? found.length > 0 && found.every(isConstant) : rows >= 3;
  if (!isSame || other !== undefined) return [];
  const same = value ?? found.map(({ samples: [text = ''] }) => text).join(' ');
  const message = `All rows have the same title: "${cutText(same, 60)}".`;
  return [warningFinding('same-title', message, 'Choose another column in the mapping: "title".', 'title')];
}

/** Leaves out list entries with `split`. In a list entry with `each`, `from` becomes a whole path. */
function conversionsIn(mapping: TableMapping): (Conversion & { readonly field: string })[] {
  return Object.entries(mapping).flatMap(([field, mapped]) =>
    [mapped as unknown].flat().flatMap((part) => {
      const { each, split, ...inner } = Object(part) as EntryMapping;
      const isEntry = ENTRY_LIST_FIELDS.includes(field as 'photo');
      if (!isEntry) return [{ ...(Object(part) as Conversion), field }];
      if (split !== undefined) return [];
      const within = each === undefined ? '' : `${each}.`;
      return Object.values(inner).map((one) => ({
        ...(Object(one) as Conversion),
        from: within + Object(one).from,
        field,
      }));
    }),
  );
}

const MOST = 10;

/**
 * Returns, by field, a line for the mapping. In it, the user must replace each `<value>` by the meaning of a word. The
 * line is empty if all words are amounts of money, since the next export has other amounts.
 */
export function mappingLinesForWords(unknown: readonly UnknownWords[]): Readonly<Record<string, string>> {
  const lines = unknown.map(({ field, conversion, words }) => {
    const named = [...words.keys()].filter((word) => currencyInAmount(word) === undefined);
    if (named.length === 0) return [field, ''];
    const open = named.slice(0, MOST).map((word) => [word, '<value>']);
    const map = { ...conversion.map, ...Object.fromEntries(open) };
    return [field, fieldLine(field, { ...conversion, map })];
  });
  return Object.fromEntries(lines);
}
