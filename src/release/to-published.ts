/** Converts authored properties to published ones. */
import type { AuthoredPhoto, AuthoredProperty } from '../contract/authored.ts';
import type { Attribute, Declarations, Translation } from '../contract/declarations.ts';
import { entryFields, type Field, type FieldTable, PUBLISHED_FIELDS } from '../contract/fields.ts';
import type { Photo, Property, Summary } from '../contract/property.ts';
import { INTERFACE } from '../contract/terms.ts';
import { nameUuid } from './uuid-v5.ts';

/** Public URLs of a property's photos. */
export type Links = {
  /** URL of each photo, in the order of the YAML file. */
  readonly photos: readonly string[];
  /** URL of the thumbnail. */
  readonly thumbnail: string | null;
};

/**
 * Converts to a detail (`docs/decisions.md`, "The detail"): the interface's fields, then `attributes` where fields are
 * declared, then `translations` where there are several languages.
 */
export function toProperty(
  authored: AuthoredProperty,
  links: Links,
  fields: FieldTable = INTERFACE,
): Property & Declarations {
  const property: Record<string, unknown> = {};
  for (const [name, keys] of PUBLISHED) {
    const value = authored[name];
    property[name] =
      keys.length === 0 ? value : (value as readonly object[]).map((entry) => picked(entry, keys));
  }
  property.photo = authored.photo
    .map((_photo, index) => toPhoto(authored.photo, authored.id, index, links))
    .sort(byPosition);
  return { ...(property as Property), ...declarationsOf(authored, fields) };
}

/** Published fields, each with the published fields of its entries. */
const PUBLISHED = PUBLISHED_FIELDS.map((name) => [name, publishedKeys(name)] as const);

function publishedKeys(list: string): readonly string[] {
  return [...entryFields(list)].flatMap(([key, { published }]) => (published === undefined ? [] : [key]));
}

function picked(entry: object, keys: readonly string[]): object {
  return Object.fromEntries(keys.map((key) => [key, (entry as Readonly<Record<string, unknown>>)[key]]));
}

/** Converts to an entry of lists. */
export function toSummary(authored: AuthoredProperty, { thumbnail }: Pick<Links, 'thumbnail'>): Summary {
  const { id, title, city, country } = authored;
  return { id, title, city, country, thumbnail };
}

/** The field that decides the order of photos. */
type Positioned = { readonly position?: number | undefined } | undefined;

/** Index of the photo shown as thumbnail, the one with the lowest position; undefined without photos. */
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
  return id ?? nameUuid(file ?? url ?? '', propertyId);
}

function toPhoto(photos: readonly AuthoredPhoto[], propertyId: string, index: number, links: Links): Photo {
  const photo = photos[index]!;
  return {
    // A UUIDv5 (RFC 9562, 5.5) stays the same as long as the photo's file or link does.
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

function declarationsOf(authored: AuthoredProperty, { attributes, languages }: FieldTable): Declarations {
  const texts: Texts = authored;
  const published = (): Record<string, Attribute> =>
    Object.fromEntries([...attributes].map(([name, field]) => [name, attributeOf(field, texts[name])]));
  const translations = () =>
    Object.fromEntries(
      languages.slice(1).flatMap((language) => {
        const translation = translationOf(authored, language, attributes);
        return Object.keys(translation).length > 0 ? [[language, translation] as const] : [];
      }),
    );
  return {
    ...(attributes.size > 0 && { attributes: published() }),
    ...(languages.length > 0 && { translations: translations() }),
  };
}

function attributeOf({ declared }: Field, value: unknown): Attribute {
  if (typeof value !== 'string') return value as readonly string[];
  if (value === '') return null;
  if (declared?.type === 'integer') return Number(value);
  return declared?.type === 'boolean' ? value === 'true' : value;
}

/** Returns the texts of a property in a language, as far as they exist. */
function translationOf(
  authored: AuthoredProperty,
  language: string,
  attributes: FieldTable['attributes'],
): Translation {
  const textIn = (texts: Texts, name: string) =>
    (texts[`${name}@${language}`] as string | undefined) || undefined;
  const photo = authored.photo
    .map((entry, index) => ({ entry, position: positionOf(authored.photo, index) }))
    .sort(byPosition)
    .flatMap(({ entry }) => {
      const text = textIn(entry, 'description');
      return text ? [[photoId(entry, authored.id), text] as const] : [];
    });
  const own = [...attributes.keys()].flatMap((name) => {
    const text = textIn(authored, name);
    return text ? [[name, text] as const] : [];
  });
  const title = textIn(authored, 'title');
  const details = authored.hotel_policy.map((policy) => textIn(policy, 'detail') ?? null);
  return {
    ...(title && { title }),
    ...(own.length > 0 && { attributes: Object.fromEntries(own) }),
    ...(photo.length > 0 && { photo: Object.fromEntries(photo) }),
    ...(details.some(Boolean) && { hotel_policy: details }),
  };
}
