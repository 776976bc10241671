/** What can be known of a property that has errors: its sound values. */
import type * as z from 'zod';
import { type AuthoredPhoto, type AuthoredProperty, authoredSchema } from '../contract/authored.ts';

type Sound<Of> = { readonly [Field in keyof Of]?: Of[Field] | undefined };

type ListField = 'facilities' | 'photo' | 'hotel_policy' | 'payment_method';

/** The sound values of a property. Entries of its lists keep their places: an unreadable one is undefined. */
export type ReadableProperty = Sound<Omit<AuthoredProperty, ListField>> & {
  readonly facilities: readonly (string | undefined)[];
  readonly photo: readonly (Sound<AuthoredPhoto> | undefined)[];
  readonly hotel_policy: readonly (Sound<AuthoredProperty['hotel_policy'][number]> | undefined)[];
};

type Shape = Readonly<Record<string, z.ZodType>>;

const { facilities, photo, hotel_policy } = authoredSchema.shape;
const LISTS = { facilities, photo, hotel_policy };

/** Finds them, each by the schema of its own field. */
export function readableOf(value: Readonly<Record<string, unknown>>): ReadableProperty {
  return {
    ...soundFields(authoredSchema.shape, value),
    facilities: entriesOf(value, 'facilities', (entry) =>
      soundValue(LISTS.facilities.unwrap().element, entry),
    ),
    photo: entriesOf(value, 'photo', (entry) => soundEntry(LISTS.photo.unwrap().element.shape, entry)),
    hotel_policy: entriesOf(value, 'hotel_policy', (entry) =>
      soundEntry(LISTS.hotel_policy.unwrap().element.shape, entry),
    ),
  } as ReadableProperty;
}

function entriesOf(
  value: Readonly<Record<string, unknown>>,
  field: string,
  read: (entry: unknown) => unknown,
): unknown[] {
  const list = value[field];
  return Array.isArray(list) ? list.map(read) : [];
}

function soundEntry(shape: Shape, entry: unknown): Record<string, unknown> | undefined {
  return typeof entry === 'object' && entry !== null
    ? soundFields(shape, entry as Record<string, unknown>)
    : undefined;
}

function soundFields(shape: Shape, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(shape)) {
    const sound = soundValue(schema, value[field]);
    if (sound !== undefined) fields[field] = sound;
  }
  return fields;
}

function soundValue(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  return result.success ? result.data : undefined;
}
