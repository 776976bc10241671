/** Converts authored properties to published ones. */
import type { AuthoredPhoto, AuthoredProperty } from '../contract/authored.ts';
import { entryFields, PUBLISHED_FIELDS } from '../contract/fields.ts';
import type { Photo, Property, Summary } from '../contract/property.ts';
import { nameUuid } from './uuid-v5.ts';

/** Public URLs of a property's photos. */
export type Links = {
  /** URL of each photo, in the order of the YAML file. */
  readonly photos: readonly string[];
  /** URL of the thumbnail. */
  readonly thumbnail: string | null;
};

/** Converts to a detail (`docs/decisions.md`, "The detail"): the published fields, in their order. */
export function toProperty(authored: AuthoredProperty, links: Links): Property {
  const property: Record<string, unknown> = {};
  for (const [name, keys] of PUBLISHED) {
    const value = authored[name];
    property[name] =
      keys.length === 0 ? value : (value as readonly object[]).map((entry) => picked(entry, keys));
  }
  property.photo = authored.photo
    .map((_photo, index) => toPhoto(authored.photo, authored.id, index, links))
    .sort(byPosition);
  return property as Property;
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
export function toSummary(authored: AuthoredProperty, links: Links): Summary {
  const { id, title, city, country } = authored;
  return { id, title, city, country, thumbnail: links.thumbnail };
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

function toPhoto(photos: readonly AuthoredPhoto[], propertyId: string, index: number, links: Links): Photo {
  const photo = photos[index]!;
  return {
    // A UUIDv5 (RFC 9562, 5.5) stays the same as long as the photo's file or link does.
    id: photo.id ?? nameUuid(photo.file ?? photo.url ?? '', propertyId),
    url: links.photos[index] ?? '',
    description: photo.description || null,
    position: positionOf(photos, index),
  };
}

function byPosition(a: Photo, b: Photo): number {
  return a.position - b.position;
}
