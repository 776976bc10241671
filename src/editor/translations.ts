/** Texts of a property that can be translated, and those that are missing in a language. */
import type { ValuePath } from './api.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { entriesAt, type Values } from './snapshots.ts';
import { textAt } from './values.ts';

export type Translatable = {
  readonly info: FieldInfo;
  /** Path of the text in the default language. */
  readonly base: ValuePath;
  readonly path: ValuePath;
  /** Number of the entry, from 1; undefined for a field of the property. */
  readonly entry?: number;
  readonly list?: string;
};

/**
 * Lists the texts to translate into a language, in the order of the form. An entry of a list is included if it has
 * a text in the default language or in this one.
 */
export function translatable(values: Values, fields: readonly FieldInfo[], language: string): Translatable[] {
  return fields.flatMap((field): Translatable[] => {
    if (field.base !== null) return [];
    const { name, label, isTranslated } = field;
    if (field.kind !== 'entries')
      return isTranslated ? [{ info: field, base: [name], path: [`${name}@${language}`] }] : [];
    const inner = field.fields.filter((one) => one.isTranslated && one.base === null);
    return entriesAt(values, name).flatMap((_, index) =>
      inner
        .map((info) => ({
          info,
          base: [name, index, info.name],
          path: [name, index, `${info.name}@${language}`],
          entry: index + 1,
          list: label,
        }))
        .filter(({ base, path }) => textAt(values, base) !== '' || textAt(values, path) !== ''),
    );
  });
}

/** Counts the texts of the default language, and those of them that a language lacks. */
export function missingTexts(values: Values, fields: readonly FieldInfo[], language: string) {
  const all = translatable(values, fields, language).filter(({ base }) => textAt(values, base) !== '');
  return { all: all.length, missing: all.filter(({ path }) => textAt(values, path) === '').length };
}

export function languageAt(path: ValuePath | null): string {
  const step = path?.findLast((one) => typeof one === 'string') ?? '';
  return String(step).split('@')[1] ?? '';
}
