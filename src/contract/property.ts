/** Schemas of the API's responses (specification, "Resources and their fields"). Keys are in the published order. */
import * as z from 'zod';
import { type EntryField, FIELDS, type Field, type PublishedFieldName } from './fields.ts';

const photoSchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'Unique identifier of the image.' }),
    url: z.url().meta({ description: 'Publicly accessible direct link to the image file.' }),
    description: z.string().nullable().meta({
      description: 'Alternative text or caption; null if there is none.',
    }),
    position: z.int().min(1).meta({ description: 'Display order, from 1; lower numbers come first.' }),
  })
  .meta({ id: FIELDS.photo.entry.name, description: FIELDS.photo.entry.published });

type Published<Of> = Of extends { readonly fields: infer Entry }
  ? { -readonly [Key in keyof Entry as Entry[Key] extends Shown ? Key : never]: Published<Entry[Key]> }[]
  : Of extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Of extends { readonly kind: 'boolean' }
      ? boolean
      : Of extends { readonly kind: 'words' }
        ? string[]
        : string;
type Shown = { readonly published: string };
type PublishedShape = {
  [Name in PublishedFieldName]: z.ZodType<
    Name extends 'photo' ? z.output<typeof photoSchema>[] : Published<(typeof FIELDS)[Name]>
  >;
};

function publishedSchema({ kind, choices, fields, entry }: Field): z.ZodType {
  if (fields) {
    const { name: id, published: description } = entry!;
    return z.array(z.strictObject(publishedShape(fields)).meta({ id, description }));
  }
  if (kind === 'words') return z.array(z.string());
  if (kind === 'boolean') return z.boolean();
  return choices ? z.enum(choices) : z.string();
}

function publishedShape(fields: Readonly<Record<string, EntryField | Field>>): Record<string, z.ZodType> {
  const shown = Object.entries(fields).filter(([, { published }]) => published !== undefined);
  return Object.fromEntries(
    shown.map(([name, field]) => {
      const schema = name === 'photo' ? z.array(photoSchema) : publishedSchema(field as Field);
      const { published: description, kind, vocabulary, examples } = field;
      // Other words are allowed; examples show common ones.
      return [name, schema.meta({ description, ...(kind === 'text' && vocabulary && { examples }) })];
    }),
  );
}

export const publishedPropertySchema = z
  .strictObject(publishedShape(FIELDS) as PublishedShape)
  .meta({ id: 'Property', description: 'All published data of one property.' });

export const summarySchema = z
  .strictObject({
    id: z.uuid().meta({ description: 'Permanent identifier: `property_id` of the detail operation.' }),
    title: z.string().meta({ description: 'Human-readable name of the property.' }),
    city: z.string().meta({ description: 'Name of the city, exactly as `filter[city]` expects it.' }),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2 country code.' }),
    thumbnail: z.url().nullable().meta({ description: 'URL of a small photo; null if there is none.' }),
  })
  .meta({ id: 'Summary', description: 'The data of a property that the list shows.' });

export const pageSchema = z
  .strictObject({
    data: z.array(summarySchema).meta({ description: 'The properties of the requested page.' }),
    meta: z.strictObject({
      pagination: z.strictObject({
        current_page: z.int().min(1).meta({ description: 'Number of this page, from 1.' }),
        per_page: z.int().min(1).max(100).meta({ description: 'Maximum number of entries per page.' }),
        total_entries: z.int().min(0).meta({ description: 'Number of matching entries on all pages.' }),
      }),
    }),
  })
  .meta({ id: 'Page', description: 'One page of the list of properties.' });

export type Property = z.output<typeof publishedPropertySchema>;
export type Photo = z.output<typeof photoSchema>;
export type Summary = z.output<typeof summarySchema>;
export type Page = z.output<typeof pageSchema>;
