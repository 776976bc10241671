import type * as z from 'zod';
import { type AuthoredPhoto, type AuthoredProperty, authoredSchemaOf } from '../contract/authored.ts';
import type { FieldName, FieldTable } from '../contract/fields.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';

type Sound<Of> = { readonly [Field in keyof Of]?: Of[Field] | undefined };
type Lists = 'facilities' | 'photo' | 'hotel_policy' | 'payment_method';

/** An invalid entry of a list is undefined, so that the other entries keep their index. */
export type PartialProperty = Sound<Omit<AuthoredProperty, Lists>> & {
  readonly facilities: readonly (string | undefined)[];
  readonly photo: readonly (Sound<AuthoredPhoto> | undefined)[];
  readonly hotel_policy: readonly (Sound<AuthoredProperty['hotel_policy'][number]> | undefined)[];
};

type Shape = Readonly<Record<string, z.ZodType>>;

/** @param names the fields to read. @default all */
export function partialPropertyOf(
  value: Mapping,
  fields: FieldTable,
  names?: readonly FieldName[],
): PartialProperty {
  const { shape } = authoredSchemaOf(fields);
  const read = names ? Object.fromEntries(names.map((name) => [name, shape[name]])) : shape;
  return soundFields(read, value) as PartialProperty;
}

function soundFields(shape: Shape, value: Mapping): Mapping {
  const fields = Object.entries(shape).map(([field, schema]) => [field, soundValue(schema, value[field])]);
  return Object.fromEntries(fields.filter(([, sound]) => sound !== undefined));
}

function soundValue(schema: z.ZodType, value: unknown): unknown {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  const { element } = (innerType?.def ?? {}) as { element?: z.ZodType };
  if (!element) return schema.safeParse(value).data;
  return Array.isArray(value) ? value.map((entry) => soundEntry(element, entry)) : [];
}

function soundEntry(schema: z.ZodType, entry: unknown): unknown {
  const { shape } = schema.def as { shape?: Shape };
  if (!shape) return schema.safeParse(entry).data;
  return isMapping(entry) ? soundFields(shape, entry) : undefined;
}
