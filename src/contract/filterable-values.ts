/** Values that a search filters by: facilities, and declared fields with `filter`. */
import type { AuthoredProperty } from './authored.ts';
import type { Field, FieldTable } from './fields.ts';
import type { Terms } from './terms.ts';

/** Integers and decimals are numbers; dates and choices are strings. An absent value is null, an absent list empty. */
export type FilterableValue = string | number | boolean | null | readonly string[];

export type Facets = {
  readonly facilities: readonly string[];
  /** One value for each field with `filter`, in declared order. */
  readonly values: readonly FilterableValue[];
};

export function filterableFieldsOf({ attributes }: FieldTable): readonly (readonly [name: string, Field])[] {
  return [...attributes].filter(([, { declared }]) => declared?.filter);
}

/** Writes known facilities as indexes in the vocabulary: a build keeps the result of every property in memory. */
export function serializeFacets(property: AuthoredProperty, { fields, vocabulary }: Terms): string {
  const { words } = vocabulary.facilities;
  const facilities = property.facilities.map((word) => {
    const number = words.indexOf(word);
    return number < 0 ? word : number;
  });
  const texts = property as Readonly<Record<string, unknown>>;
  return JSON.stringify([
    facilities,
    ...filterableFieldsOf(fields).map(([name, field]) => facetOf(field, texts[name])),
  ]);
}

export function parseFacets(text: string, { vocabulary }: Pick<Terms, 'vocabulary'>): Facets {
  const [facilities, ...values] = JSON.parse(text) as [(number | string)[], ...FilterableValue[]];
  const { words } = vocabulary.facilities;
  return { facilities: facilities.map((one) => (typeof one === 'number' ? words[one]! : one)), values };
}

function facetOf({ declared }: Field, value: unknown): FilterableValue {
  if (typeof value !== 'string') return value as readonly string[];
  if (value === '') return null;
  if (declared?.type === 'integer' || declared?.type === 'decimal') return Number(value);
  return declared?.type === 'boolean' ? value === 'true' : value;
}
