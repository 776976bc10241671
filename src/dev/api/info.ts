/** What the page has to know of a catalogue before it shows a property. */
import type * as z from 'zod';
import { authoredSchema, isRequired } from '../../contract/authored.ts';
import { explorerSettings } from '../../contract/explorer.ts';
import { type EntryField, FIELD_NAMES, type Field, fieldOf } from '../../contract/fields.ts';
import { METHOD_TYPES } from '../../contract/method-types.ts';
import { COUNTRY_CURRENCIES, COUNTRY_ROWS, CURRENCY_ROWS } from '../../contract/tables.ts';
import { lettersOf } from '../../contract/unicode.ts';
import type { TermList } from '../../contract/vocabulary.ts';
import { createNameCounts } from '../../editing/known-places.ts';
import type { CatalogueAnswer, FieldInfo, Word } from '../../editor/catalogue-info.ts';
import type { Desk } from './desk.ts';
import { PHOTO_TYPES, UPLOAD_BOUNDS } from './photo-bounds.ts';

export async function catalogueAnswer(desk: Desk): Promise<CatalogueAnswer> {
  const { session } = desk;
  const configuration = session.shown()?.configuration ?? session.configuration();
  const { facilities, policy_types } = configuration.vocabulary;
  return {
    title: configuration.title,
    fields: FIELD_NAMES.map((name) => fieldInfo(name, fieldOf(name), authoredSchema.shape[name])),
    vocabulary: { facilities: wordsOf(facilities), policy_types: wordsOf(policy_types) },
    isOpen: { facilities: facilities.isOpen, policy_types: policy_types.isOpen },
    countries: named(COUNTRY_ROWS, 2).map((country) => ({
      ...country,
      currency: COUNTRY_CURRENCIES[country.code] ?? null,
    })),
    currencies: named(CURRENCY_ROWS, 3),
    cities: await citiesInUse(desk),
    photos: {
      maxBytes: UPLOAD_BOUNDS.bytes,
      types: PHOTO_TYPES,
      maxWidth: configuration.photo.max_width,
    },
    settings: explorerSettings(configuration),
  };
}

/** The only values of fields that take no others, by kind and by name. */
const VALUES_OF_KIND: { readonly [Kind in Field['kind']]?: readonly string[] } = {
  boolean: ['true', 'false'],
};
const VALUES: Readonly<Record<string, readonly string[]>> = { method_type: METHOD_TYPES };

function fieldInfo(name: string, field: Field | EntryField, schema: z.ZodType): FieldInfo {
  const { description = '', examples } = schema.meta() ?? {};
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
  const { kind, label, vocabulary } = field;
  const inner = 'fields' in field ? Object.entries(field.fields ?? {}) : [];
  return {
    name,
    label,
    help: description,
    example: typeof example === 'string' ? example : '',
    kind,
    group: 'group' in field ? field.group : null,
    required: 'group' in field ? isRequired(name as (typeof FIELD_NAMES)[number]) : !isOptional(schema),
    vocabulary: vocabulary ?? null,
    values: VALUES[name] ?? VALUES_OF_KIND[kind] ?? null,
    fields: inner.map(([key, entry]) => fieldInfo(key, entry, entrySchema(schema, key))),
  };
}

function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

/** The schema of a field of the entries of a list. */
function entrySchema(list: z.ZodType, key: string): z.ZodType {
  const { element } = (list as z.ZodDefault<z.ZodArray<z.ZodObject>>).unwrap();
  return element.shape[key] as z.ZodType;
}

function wordsOf({ words, labels, meanings }: TermList): Word[] {
  const synonyms = new Map<string, string[]>(words.map((word) => [word, []]));
  for (const [letters, word] of Object.entries(meanings)) synonyms.get(word)?.push(letters);
  return words.map((word) => ({ word, label: labels[word] ?? word, synonyms: synonyms.get(word) ?? [] }));
}

/** Codes by their English names. `from`: the cell of a row from which on there are other names. */
function named(rows: Readonly<Record<string, readonly string[]>>, from: number) {
  const byName = new Intl.Collator('en');
  return Object.entries(rows)
    .map(([code, row]) => ({
      code,
      name: row[0]!,
      synonyms: row.slice(from).map((name) => lettersOf(name) || name),
    }))
    .sort((a, b) => byName.compare(a.name, b.name));
}

/** Cities by country, the commonest first. */
async function citiesInUse({ session }: Desk): Promise<Record<string, string[]>> {
  const cities = createNameCounts();
  for (const { entry, placed = entry } of (await session.records()).values()) {
    if (placed?.country && placed.city) cities.add(placed.country, placed.city);
  }
  return Object.fromEntries(cities.countries().map((country) => [country, cities.of(country)]));
}
