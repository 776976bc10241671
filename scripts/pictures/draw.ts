/** Draws the pictures of places: the same places give the same bytes of SVG on every machine. */
import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../random.ts';
import { drawOutside } from './outside.ts';
import { createPalette } from './palette.ts';
import { PLACES, type Place } from './places.ts';
import { DECORS, drawRoom } from './rooms.ts';

/** A picture of a place. */
export type Picture = {
  /** Name without an extension: `cottage-sea-1`. */
  readonly name: string;
  /** What it shows, in words. */
  readonly shows: string;
  readonly svg: string;
};

/** The pictures of a place: the house first. */
export function picturesOf(place: Place): Picture[] {
  const { name, house, surroundings, climate, light, rooms } = place;
  const palette = createPalette(light, climate);
  const decor = DECORS[PLACES.indexOf(place) % DECORS.length]!;
  const plants = plantsOf(place);
  const outside = { house, surroundings, paint: place.paint, plants, hasSnow: climate === 'winter' } as const;
  return [
    {
      name: `${name}-1`,
      shows: `${HOUSE_WORDS[house]} ${SURROUNDING_WORDS[surroundings]}`,
      svg: drawOutside(randomOf(name), palette, outside),
    },
    ...rooms.map((room, index) => ({
      name: `${name}-${index + 2}`,
      shows: ROOM_WORDS[room],
      svg: drawRoom(room, { random: randomOf(`${name} ${room}`), palette, surroundings, decor }),
    })),
  ];
}

function plantsOf({ climate, surroundings }: Place): 'round' | 'conifers' | 'southern' | 'none' {
  if (surroundings === 'dunes') return 'none';
  if (climate === 'southern') return 'southern';
  return climate === 'winter' || surroundings === 'wood' || surroundings === 'mountains'
    ? 'conifers'
    : 'round';
}

function randomOf(text: string): Random {
  return createRandom(createHash('sha256').update(text).digest().readInt32LE(0));
}

const HOUSE_WORDS: Readonly<Record<Place['house'], string>> = {
  cottage: 'a cottage',
  farmhouse: 'a farmhouse',
  manor: 'a country house',
  terrace: 'a row of houses',
  canal: 'houses with gables',
  flats: 'flats with balconies',
  chalet: 'a wooden chalet',
  seaside: 'a white house',
  villa: 'a villa with a pool',
  cabin: 'a wooden cabin',
  barn: 'a converted barn',
  tent: 'a large tent on a deck',
  veranda: 'a house with a veranda',
};

const SURROUNDING_WORDS: Readonly<Record<Place['surroundings'], string>> = {
  hills: 'among hills',
  mountains: 'below snowy mountains',
  sea: 'by the sea',
  lake: 'by a lake',
  harbour: 'at a harbour',
  skyline: 'in a city',
  vineyard: 'by a vineyard',
  dunes: 'behind the dunes',
  wood: 'at the edge of a wood',
};

const ROOM_WORDS: Readonly<Record<Place['rooms'][number], string>> = {
  bedroom: 'a bedroom with a view',
  'living room': 'a living room with a sofa',
  kitchen: 'a kitchen with a table',
  bathroom: 'a bathroom with a tub',
  terrace: 'a terrace laid for two',
};
