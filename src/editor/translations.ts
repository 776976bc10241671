import type { ValuePath } from './api.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { textAt } from './form-values.ts';
import { entriesAt, type FormValues } from './undo-history.ts';

export type TranslatableText = {
  readonly info: FieldInfo;
  readonly defaultPath: ValuePath;
  readonly path: ValuePath;
  readonly entry?: number;
  readonly list?: string;
};

/** In the order of the form. Includes a list entry's text only if it exists in the default language or `language`. */
export function translatableTexts(
  values: FormValues,
  fields: readonly FieldInfo[],
  language: string,
): TranslatableText[] {
  return fields.flatMap((field): TranslatableText[] => {
    if (field.base !== null) return [];
    const { name, label, isTranslated } = field;
    if (field.kind !== 'entries')
      return isTranslated ? [{ info: field, defaultPath: [name], path: [`${name}@${language}`] }] : [];
    const inner = field.fields.filter((one) => one.isTranslated && one.base === null);
    return entriesAt(values, name).flatMap((_, index) =>
      inner
        .map((info) => ({
          info,
          defaultPath: [name, index, info.name],
          path: [name, index, `${info.name}@${language}`],
          entry: index + 1,
          list: label,
        }))
        .filter(({ defaultPath, path }) => textAt(values, defaultPath) !== '' || textAt(values, path) !== ''),
    );
  });
}

export function countMissingTranslations(values: FormValues, fields: readonly FieldInfo[], language: string) {
  const all = translatableTexts(values, fields, language).filter(
    ({ defaultPath }) => textAt(values, defaultPath) !== '',
  );
  return { all: all.length, missing: all.filter(({ path }) => textAt(values, path) === '').length };
}

export function languageAt(path: ValuePath | null): string {
  const step = path?.findLast((one) => typeof one === 'string') ?? '';
  return String(step).split('@')[1] ?? '';
}
