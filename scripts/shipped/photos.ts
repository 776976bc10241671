/** The pictures of the shipped catalogue: illustrations that `scripts/draw-pictures.ts` draws, a place for each property. */
import type { PhotoEntry } from '../../src/editing/property-text.ts';
import { type Picture, picturesOf } from '../pictures/draw.ts';
import { PLACES, type Place } from '../pictures/places.ts';
import type { Candidate } from './selection.ts';

/** All pictures; `content/photos` has each as a JPEG. */
export const SHIPPED_PICTURES: readonly Picture[] = PLACES.flatMap(picturesOf);

/** Samples of the sources that lie far from a coast. */
const INLAND: ReadonlySet<string> = new Set([
  'madrid',
  'munich-2024',
  'ottawa-2024',
  'vaud-2024',
  'washington-2015',
]);

const COASTAL: ReadonlySet<Place['surroundings']> = new Set(['sea', 'harbour', 'dunes']);

/**
 * One to five pictures of one place for each property, by property id. Properties that follow each other in a country
 * show different places.
 *
 * @param folder path of the photos as the YAML files see it
 */
export function assignPhotos(
  selected: readonly Candidate[],
  folder: string,
): ReadonlyMap<string, readonly PhotoEntry[]> {
  const turns = new Map<string, number>();
  const inOrder = [...selected].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
  return new Map(
    inOrder.map((candidate) => {
      const places = fittingPlaces(candidate);
      const group = places.map(({ name }) => name).join();
      const turn = turns.get(group) ?? 0;
      turns.set(group, turn + 1);
      const isFirst = turn < places.length;
      return [candidate.id, photosOf(places[turn % places.length] as Place, candidate.id, isFirst, folder)];
    }),
  );
}

function orderOf({ draft, id }: Candidate): string {
  return [draft.country, draft.city, draft.title, id].join('\0');
}

/** Places with what the property has, or else those that ask for nothing. */
function fittingPlaces({ draft }: Candidate): readonly Place[] {
  const isInland = INLAND.has(draft.sample) || draft.source === 'madrid';
  const possible = PLACES.filter(
    ({ countries, surroundings }) =>
      countries.includes(draft.country.toLowerCase()) && !(isInland && COASTAL.has(surroundings)),
  );
  const special = possible.filter(({ facilities }) =>
    facilities?.some((facility) => (draft.facilities as readonly string[]).includes(facility)),
  );
  return special.length > 0 ? special : possible.filter(({ facilities }) => !facilities);
}

/** All pictures of a place the first time it is shown, and often later; else only the first few. */
function photosOf(place: Place, id: string, isFirst: boolean, folder: string): PhotoEntry[] {
  const pictures = picturesOf(place);
  const choice = Number.parseInt(id.slice(0, 4), 16);
  const count = isFirst || choice % 4 > 0 ? pictures.length : 1 + ((choice >> 4) % pictures.length);
  return pictures.slice(0, count).map(({ name, shows }, index) => ({
    file: `${folder}/${name}.jpg`,
    description: `Illustration, not of this property: ${shows}`,
    ...(choice % 16 === 0 && { position: index + 1 }),
  }));
}
