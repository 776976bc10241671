/** The language of each text that a reader gets. */
import { describe, expect, it } from 'vitest';
import { localized } from '../../src/contract/localized.ts';

const PROPERTY = {
  title: 'Rose Cottage',
  photo: [
    { id: 'a', url: '', description: 'Front', position: 1 },
    { id: 'b', url: '', description: null, position: 2 },
    { id: 'c', url: '', description: null, position: 3 },
  ],
  hotel_policy: [
    { policy_type: 'check_in', detail: 'From 15.' },
    { policy_type: 'check_out', detail: 'Until 11.' },
  ],
  attributes: { description: 'A house.', slogan: null, bedrooms: 3, views: ['sea'] },
  translations: {
    fr: { title: 'Le cottage', photo: { a: 'Devant' }, hotel_policy: [null, "Jusqu'à 11 h."] },
    de: { attributes: { description: 'Ein Haus.', slogan: 'Ruhe' } },
    'pt-BR': { title: 'Casa', photo: { b: 'Atrás' } },
  },
};
const titleIn = (...wanted: string[]) => localized(PROPERTY, wanted, 'en').title;

describe('a text', () => {
  it.each([
    [['fr'], 'Le cottage', 'fr'],
    [['FR-CA', 'en'], 'Le cottage', 'fr'],
    [['pt'], 'Casa', 'pt-BR'],
    [['pt-PT'], 'Casa', 'pt-BR'],
    [['pt-br-x-a'], 'Casa', 'pt-BR'],
    // The German title is missing, so the next wanted language counts.
    [['de-AT', 'fr'], 'Le cottage', 'fr'],
    [['en-GB', 'fr'], 'Rose Cottage', 'en'],
    [['it'], 'Rose Cottage', 'en'],
    [[], 'Rose Cottage', 'en'],
    [['', '-', '*', 'e'], 'Rose Cottage', 'en'],
  ])('wanted in %j', (wanted, text, language) => expect(titleIn(...wanted)).toEqual({ text, language }));

  it('is chosen for each field, photo and policy by itself', () => {
    expect(localized(PROPERTY, ['de', 'fr'], 'en')).toEqual({
      title: { text: 'Le cottage', language: 'fr' },
      attributes: {
        description: { text: 'Ein Haus.', language: 'de' },
        slogan: { text: 'Ruhe', language: 'de' },
      },
      photo: { a: { text: 'Devant', language: 'fr' }, b: { text: 'Atrás', language: 'pt-BR' } },
      hotel_policy: [
        { text: 'From 15.', language: 'en' },
        { text: "Jusqu'à 11 h.", language: 'fr' },
      ],
    });
  });

  it('that exists in no default language is shown all the same', () =>
    expect(localized(PROPERTY, ['en'], 'en').attributes.slogan).toEqual({ text: 'Ruhe', language: 'de' }));

  it('of a catalogue with one language is its own', () => {
    const { translations: _translations, ...plain } = PROPERTY;
    expect(localized(plain, ['fr']).title).toEqual({ text: 'Rose Cottage', language: undefined });
  });
});

it('a policy without a text in any language is empty', () => {
  const property = { title: 'Rose', photo: [], hotel_policy: [{ policy_type: 'pets', detail: '' }] };
  expect(localized(property, ['fr'], 'en').hotel_policy).toEqual([{ text: '', language: 'en' }]);
});
