/** From what editors write to what the API answers. */
import type { AuthoredPhoto, AuthoredProperty } from '../contract/authored.ts';
import type { Photo, Property, Summary } from '../contract/property.ts';
import { nameUuid } from './uuid-v5.ts';

/** The links of a property's photos. */
export type Links = {
  /** The public URL of each photo, in the order of the YAML file. */
  readonly photos: readonly string[];
  /** The public URL of the thumbnail. */
  readonly thumbnail: string | null;
};

/** The detail of a property (`docs/decisions.md`, "The detail"). */
export function toProperty(authored: AuthoredProperty, links: Links): Property {
  return {
    title: authored.title,
    currency: authored.currency,
    email: authored.email,
    phone: authored.phone,
    zip_code: authored.zip_code,
    city: authored.city,
    state: authored.state,
    address: authored.address,
    country: authored.country,
    latitude: authored.latitude,
    longitude: authored.longitude,
    facilities: authored.facilities,
    photo: authored.photo
      .map((_photo, index) => toPhoto(authored.photo, authored.id, index, links))
      .sort(byPosition),
    hotel_policy: authored.hotel_policy.map(({ policy_type, detail }) => ({ policy_type, detail })),
    payment_method: authored.payment_method.map(({ is_enabled, method_type }) => ({
      is_enabled,
      method_type,
    })),
  };
}

/** The entry of a property in lists. */
export function toSummary(authored: AuthoredProperty, links: Links): Summary {
  const { id, title, city, country } = authored;
  return { id, title, city, country, thumbnail: links.thumbnail };
}

/** What decides which photo comes first. */
type Positioned = { readonly position?: number | undefined } | undefined;

/** Index of the photo that the thumbnail shows: the one with the lowest position; undefined without photos. */
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
    // A UUIDv5 (RFC 9562, 5.5) stays the same as long as the photo does.
    id: photo.id ?? nameUuid(photo.file ?? photo.url ?? '', propertyId),
    url: links.photos[index] ?? '',
    description: photo.description || null,
    position: positionOf(photos, index),
  };
}

function byPosition(a: Photo, b: Photo): number {
  return a.position - b.position;
}
