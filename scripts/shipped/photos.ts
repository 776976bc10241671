/** The sample photos of the shipped catalogue, and which properties show them. */
import type { PhotoEntry } from '../../src/editing/property-text.ts';
import type { Candidate } from './selection.ts';

/** A photo that comes with the catalogue. */
export interface ShippedPhoto {
  /** Name in `content/photos`. */
  name: string;
  /** Name in the data's folder of photos. */
  from: string;
  description: string;
}

const PHOTOGRAPHED = 25;

/** The numbers are the EXIF orientations in which the photos are stored: the compiler has to turn all but the first. */
export const LANDSCAPES: readonly ShippedPhoto[] = [1, 2, 3, 5, 6, 7, 8].map((orientation) => ({
  name: `landscape-${orientation}.jpg`,
  from: `orient-landscape-${orientation}.jpg`,
  description: 'Sample photo, not of this property: a waterfall in a forest, with red flowers in front',
}));
export const PORTRAITS: readonly ShippedPhoto[] = [1, 6, 8].map((orientation) => ({
  name: `portrait-${orientation}.jpg`,
  from: `orient-portrait-${orientation}.jpg`,
  description: 'Sample photo, not of this property: a waterfall, seen from a path',
}));
export const DRAWING: ShippedPhoto = {
  name: 'drawing.png',
  from: 'png-alpha.png',
  description: 'Sample image, not of this property: handwriting on a transparent ground',
};

const ORIENTED = [...LANDSCAPES, ...PORTRAITS];

/** All of them. */
export const SHIPPED_PHOTOS: readonly ShippedPhoto[] = [...ORIENTED, DRAWING];

/**
 * The photos of 25 properties, by property id, each of another sample of the sources. Some have several, in the order of
 * the list or by position; one has a photo without a description.
 *
 * @param folder path of the photos as the YAML files see it
 */
export function assignPhotos(
  selected: readonly Candidate[],
  folder: string,
): ReadonlyMap<string, readonly PhotoEntry[]> {
  const samples = new Set<string>();
  const photographed: string[] = [];
  for (const { id, draft } of [...selected].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    if (samples.has(draft.sample) || photographed.length === PHOTOGRAPHED) continue;
    samples.add(draft.sample);
    photographed.push(id);
  }
  return new Map(photographed.map((id, index) => [id, photosOf(index, folder)]));
}

function photosOf(index: number, folder: string): PhotoEntry[] {
  const photos = [
    index,
    ...(index % 2 === 0 ? [index + 4] : []),
    ...(index % 5 === 0 ? [index + 7] : []),
  ].map((place) => ORIENTED[place % ORIENTED.length] as ShippedPhoto);
  if (index === 10) photos.push(DRAWING);
  return photos.map((photo, place) => ({
    file: `${folder}/${photo.name}`,
    ...(index !== 3 && { description: photo.description }),
    ...(index === 4 && { position: photos.length - place }),
  }));
}
