import type { AuthoredPhoto, AuthoredProperty } from '../contract/authored.ts';
import type { Attribute, DetailValues, Translation } from '../contract/detail-values.ts';
import { entryFields, type Field, type FieldTable, PUBLISHED_FIELDS } from '../contract/fields.ts';
import type { Photo, Property, Summary } from '../contract/property.ts';
import { STANDARD_FIELD_TABLE } from '../contract/terms.ts';
import { memoizeByObject } from '../values/memoize.ts';
import { uuidFromName } from './uuid-v5.ts';

export type PhotoUrls = {
  /** URL of each photo, in the order of the YAML file. */
  readonly photos: readonly string[];
  readonly thumbnail: string | null;
};

/**
 * A detail always has the fields that the API defines. It has `attributes` if the catalogue declares fields, and
 * `translations` if there are several languages (`docs/decisions.md`, "The detail").
 */
export function toProperty(
  authored: AuthoredProperty,
  links: PhotoUrls,
  fields: FieldTable = STANDARD_FIELD_TABLE,
): Property & DetailValues {
  const property: Record<string, unknown> = {};
  for (const [name, keys] of PUBLISHED) {
    const value = authored[name];
    property[name] =
      keys.length === 0 ? value : (value as readonly object[]).map((entry) => picked(entry, keys));
  }
  property.photo = authored.photo
    .map((_photo, index) => toPhoto(authored.photo, authored.id, index, links))
    .sort(byPosition);
  return Object.assign(property as Property, declarationsOf(authored, fields));
}

const PUBLISHED = PUBLISHED_FIELDS.map((name) => [name, publishedKeys(name)] as const);

function publishedKeys(list: string): readonly string[] {
  return [...entryFields(list)].flatMap(([key, { published }]) => (published === undefined ? [] : [key]));
}

function picked(entry: object, keys: readonly string[]): object {
  const own: Record<string, unknown> = {};
  for (const key of keys) own[key] = (entry as Readonly<Record<string, unknown>>)[key];
  return own;
}

export function toSummary(authored: AuthoredProperty, { thumbnail }: Pick<PhotoUrls, 'thumbnail'>): Summary {
  const { id, title, city, country } = authored;
  return { id, title, city, country, thumbnail };
}

type Positioned = { readonly position?: number | undefined } | undefined;

/** The photo with the lowest position is the thumbnail. Undefined without photos. */
export function thumbnailIndex(photos: readonly Positioned[]): number | undefined {
  let lowest: number | undefined;
  photos.forEach((_photo, index) => {
    if (lowest === undefined || positionOf(photos, index) < positionOf(photos, lowest)) lowest = index;
  });
  return lowest;
}

function positionOf(photos: readonly Positioned[], index: number): number {
  return photos[index]?.position ?? index + 1;
}

function photoId({ id, file, url }: AuthoredPhoto, propertyId: string): string {
  return id ?? uuidFromName(file ?? url ?? '', propertyId);
}

function toPhoto(
  photos: readonly AuthoredPhoto[],
  propertyId: string,
  index: number,
  links: PhotoUrls,
): Photo {
  const photo = photos[index]!;
  return {
    // The photo's own id, or a UUIDv5 (RFC 9562, 5.5) made from its file or link.
    id: photoId(photo, propertyId),
    url: links.photos[index] ?? '',
    description: photo.description || null,
    position: positionOf(photos, index),
  };
}

function byPosition(a: Pick<Photo, 'position'>, b: Pick<Photo, 'position'>): number {
  return a.position - b.position;
}

type Texts = Readonly<Record<string, unknown>>;
type Writable<Of> = { -readonly [Name in keyof Of]: Of[Name] };

function declarationsOf(authored: AuthoredProperty, fields: FieldTable): DetailValues {
  const declarations: Writable<DetailValues> = {};
  if (fields.attributes.size > 0) {
    const attributes: Record<string, Attribute> = {};
    for (const [name, field] of fields.attributes)
      attributes[name] = attributeOf(field, (authored as Texts)[name]);
    declarations.attributes = attributes;
  }
  if (fields.languages.length > 0) {
    const translations: Record<string, Translation> = {};
    for (const keys of translationKeys(fields)) {
      const translation = translationOf(authored, keys);
      if (translation) translations[keys.language] = translation;
    }
    declarations.translations = translations;
  }
  return declarations;
}

function attributeOf({ declared }: Field, value: unknown): Attribute {
  if (typeof value !== 'string') return value as readonly string[];
  if (value === '') return null;
  if (declared?.type === 'integer') return Number(value);
  return declared?.type === 'boolean' ? value === 'true' : value;
}

/** Keys of one language's texts in a property file, such as `title@de`. Cached, since joining strings is slow. */
type TranslationKeys = {
  readonly language: string;
  readonly title: string;
  /** Each translated declared field with its key. */
  readonly attributes: readonly (readonly [string, string])[];
  readonly description: string;
  readonly detail: string;
};

const translationKeys = memoizeByObject(({ attributes, languages }: FieldTable): readonly TranslationKeys[] =>
  languages.slice(1).map((language) => ({
    language,
    title: `title@${language}`,
    attributes: [...attributes].flatMap(([name, { translate }]) =>
      translate ? [[name, `${name}@${language}`] as const] : [],
    ),
    description: `description@${language}`,
    detail: `detail@${language}`,
  })),
);

function translationOf(authored: AuthoredProperty, keys: TranslationKeys): Translation | undefined {
  const texts: Texts = authored;
  const own: Record<string, unknown> = {};
  if (texts[keys.title]) own.title = texts[keys.title];
  for (const [name, key] of keys.attributes)
    if (texts[key]) own.attributes = Object.assign(own.attributes ?? {}, { [name]: texts[key] });
  if (authored.photo.some((entry: Texts) => entry[keys.description])) own.photo = photoTexts(authored, keys);
  if (authored.hotel_policy.some((policy: Texts) => policy[keys.detail]))
    own.hotel_policy = authored.hotel_policy.map((policy: Texts) => policy[keys.detail] || null);
  return Object.keys(own).length > 0 ? (own as Translation) : undefined;
}

function photoTexts({ photo, id }: AuthoredProperty, { description }: TranslationKeys) {
  const placed = photo.map((entry, index) => ({ entry, position: positionOf(photo, index) }));
  return Object.fromEntries(
    placed.sort(byPosition).flatMap(({ entry }) => {
      const text = (entry as Texts)[description];
      return text ? [[photoId(entry, id), text] as const] : [];
    }),
  );
}
