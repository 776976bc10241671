/** Finds words of a table that a field does not know, so that the mapping can translate them. */
import type { FieldTable } from '../contract/fields.ts';
import { findCountryByName } from '../source/country-and-currency-aliases.ts';
import { ownValue } from '../values/own-value.ts';
import { isPlaceholderValue, withDecimalPoint } from './column-values.ts';
import { isOf } from './declared-columns.ts';
import type { Conversion, Proposal, TableMapping } from './mapping.ts';
import { fieldLine } from './mapping-text.ts';
import type { Profile } from './profile.ts';
import { parseListValue } from './row.ts';

export type UnknownWords = {
  readonly field: string;
  readonly conversion: Conversion;
  /** Number of rows by word. */
  readonly words: ReadonlyMap<string, number>;
};

/** Checks only the country and declared fields whose columns have few distinct values. */
export function unknownWords(
  mapping: Proposal | TableMapping,
  { columns }: Profile,
  { all, attributes }: FieldTable,
): readonly UnknownWords[] {
  return ['country', ...attributes.keys()].flatMap((field) => {
    const isMeant = (text: string) =>
      field === 'country' ? findCountryByName(text) !== undefined : isOf(text, field, all.get(field)!);
    const value: unknown = mapping[field as 'title'];
    const conversion = (typeof value === 'string' ? { from: value } : Object(value)) as Conversion;
    const { from, split, decimal, map = {}, true: yes = [], false: no = [] } = conversion;
    const column = columns.find(({ name }) => name === from);
    const words = new Map<string, number>();
    for (const [text, count] of column?.words ?? []) {
      for (const part of split ? parseListValue(text, split) : [text]) {
        const word = String(part).trim();
        const plain = decimal ? withDecimalPoint(word, decimal) : word;
        const isKnown = isPlaceholderValue(word) || isMeant(plain) || ownValue(map, word) !== undefined;
        if (!isKnown && ![...yes, ...no].includes(word)) words.set(word, (words.get(word) ?? 0) + count);
      }
    }
    return words.size === 0 ? [] : [{ field, conversion, words }];
  });
}

export function withWord({ conversion }: UnknownWords, word: string, meant: string): Conversion {
  return { ...conversion, map: { ...conversion.map, [word]: meant } };
}

/** Maximum number of words in a line. */
const MOST = 10;

/** By field: a mapping line in which only the meanings, shown as `<value>`, are missing. */
export function linesForWords(unknown: readonly UnknownWords[]): Readonly<Record<string, string>> {
  const lines = unknown.map(({ field, conversion, words }) => {
    const open = [...words.keys()].slice(0, MOST).map((word) => [word, '<value>']);
    return [
      field,
      fieldLine(field, { ...conversion, map: { ...conversion.map, ...Object.fromEntries(open) } }),
    ];
  });
  return Object.fromEntries(lines);
}
