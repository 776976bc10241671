/** The fields of a property in their canonical order, from the schema. */
import { authoredSchema } from '../contract/authored.ts';

const { photo, hotel_policy, payment_method } = authoredSchema.shape;

/** The fields of a property. */
export const FIELDS: readonly string[] = Object.keys(authoredSchema.shape);

/** The fields of an entry of its lists, by list. */
export const ENTRY_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['photo', Object.keys(photo.unwrap().element.shape)],
  ['hotel_policy', Object.keys(hotel_policy.unwrap().element.shape)],
  ['payment_method', Object.keys(payment_method.unwrap().element.shape)],
]);

/** Fields that are numbers or booleans by their meaning: quotes around them would mislead. */
export const NUMBER_FIELDS: ReadonlySet<string> = new Set([
  'latitude',
  'longitude',
  'position',
  'is_enabled',
]);
