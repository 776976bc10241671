import { fieldsSchema } from '../../src/contract/field-declarations.ts';

import { declaredTerms } from '../../src/contract/terms.ts';
import { vocabularySchema } from '../../src/contract/vocabulary.ts';
import type { PropertyValues } from '../../src/editing/property-text.ts';
import { slugOf } from '../../src/editing/slug.ts';
import { integerBetween, pick, type Random, sample } from './random.ts';

const NAMES = [
  'description',
  'property_type',
  'max_guests',
  'bedrooms',
  'bathrooms',
  'floor_area',
  'website',
  'check_in_from',
] as const;
const LANGUAGES = ['en', 'fr'];

export const DECLARATION = [
  `\nlanguages: [${LANGUAGES.join(', ')}]\nfields:\n`,
  ...NAMES.map((name) => `  ${name}: {}\n`),
].join('');

export const DECLARED_TABLE = declaredTerms({
  fields: fieldsSchema.parse(Object.fromEntries(NAMES.map((name) => [name, {}]))),
  languages: LANGUAGES,
  vocabulary: vocabularySchema.parse({}),
}).fields;

const TYPES = ['apartment', 'house', 'cottage', 'hotel', 'guest_house', 'bed_and_breakfast'];
const SENTENCES = [
  'Quiet rooms with wide beds, a kitchen for all guests and a garden behind the house.',
  'A short walk from the station, with a bakery next door and the market around the corner.',
  'Rooms on three floors, most of them with a balcony, and breakfast until eleven.',
  'Old walls and new bathrooms; bicycles and maps are free to borrow.',
  'Families and dogs are welcome: there are cots, high chairs and a meadow to run in.',
];

export function madeUpDeclared(random: Random, { title }: PropertyValues): Record<string, string> {
  const bedrooms = integerBetween(random, 0, 12);
  return {
    'title@fr': `Maison « ${title} »`,
    description: sample(random, SENTENCES, 2).join('\n'),
    property_type: pick(random, TYPES),
    max_guests: String(2 + 2 * bedrooms),
    bedrooms: String(bedrooms),
    bathrooms: String(integerBetween(random, 2, 9) / 2),
    floor_area: String(integerBetween(random, 30, 400)),
    website: `https://${slugOf(title) || 'property'}.example/`,
    check_in_from: `${integerBetween(random, 13, 17)}:00`,
  };
}
