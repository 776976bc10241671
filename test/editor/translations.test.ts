/** Texts to translate, and how many are missing. */
import { describe, expect, it } from 'vitest';
import type { FieldInfo } from '../../src/editor/catalogue-info.ts';
import { toShownProperty } from '../../src/editor/shown-property.ts';
import { countMissingTranslations, languageAt, translatableTexts } from '../../src/editor/translations.ts';

const info = (name: string, more: Partial<FieldInfo> = {}) =>
  ({
    name,
    label: name,
    kind: 'text',
    base: null,
    isTranslated: true,
    isDeclared: false,
    fields: [],
    ...more,
  }) as FieldInfo;
const FIELDS = [
  info('title'),
  info('title@fr', { base: 'title' }),
  info('bedrooms', { isTranslated: false, isDeclared: true, kind: 'integer' }),
  info('description', { isDeclared: true }),
  info('photo', { kind: 'entries', fields: [info('file', { isTranslated: false }), info('description')] }),
];
const VALUES = {
  title: 'Rose',
  'title@fr': 'La rose',
  bedrooms: '2',
  description: 'A house.',
  photo: [
    { file: 'a.jpg', description: 'Front' },
    { file: 'b.jpg' },
    { file: 'c.jpg', 'description@fr': 'Cour' },
  ],
};

describe('translations in the form', () => {
  it('are offered for fields, and for entries that have a text', () => {
    expect(translatableTexts(VALUES, FIELDS, 'fr').map(({ path }) => path.join('.'))).toEqual([
      'title@fr',
      'description@fr',
      'photo.0.description@fr',
      'photo.2.description@fr',
    ]);
  });

  it('are missing where only the default text exists', () => {
    expect(countMissingTranslations(VALUES, FIELDS, 'fr')).toEqual({ all: 3, missing: 2 });
    expect(countMissingTranslations({}, FIELDS, 'fr')).toEqual({ all: 0, missing: 0 });
  });

  it('are in the preview, with values of their types', () => {
    const shown = toShownProperty(VALUES, FIELDS, ['en', 'fr'], () => undefined);
    expect(shown.attributes).toEqual({ bedrooms: 2, description: 'A house.' });
    expect(shown.translations?.fr?.title).toBe('La rose');
    expect(toShownProperty(VALUES, [info('title')], [], () => undefined)).not.toHaveProperty('attributes');
  });

  it('are found by the path of a finding', () => {
    expect(
      [['photo', 0, 'description@fr'], ['title'], null, ['spoken_languages', 1]].map(languageAt),
    ).toEqual(['fr', '', '', '']);
  });
});
