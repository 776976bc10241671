/**
 * Points files: where the properties of a country are, with their ids and titles, in the order of the list. A file is
 * divided by columns and holds differences of coordinates, so that 100,000 properties compress to a few megabytes.
 */
import type { Points } from './downloads.ts';

/** Units of a coordinate in a degree: a unit is 1.1 m at most. */
export const UNITS_PER_DEGREE = 100_000;

/** Latitude and longitude in whole units ({@link UNITS_PER_DEGREE}). */
export type Coordinates = readonly [latitude: number, longitude: number];

/**
 * The coordinates of a property, which has them as decimals.
 *
 * @example
 * toCoordinates('53.27194', '-9.04889') // [5327194, -904889]
 */
export function toCoordinates(latitude: string, longitude: string): Coordinates {
  return [inUnits(latitude), inUnits(longitude)];
}

function inUnits(degrees: string): number {
  return Math.round(Number(degrees) * UNITS_PER_DEGREE);
}

/** A points file, opened: each list has an entry for each property, in the order of the list. */
export type PointTable = {
  /** ISO 3166-1 alpha-2 code. */
  readonly country: string;
  /** In degrees. */
  readonly latitudes: Float64Array;
  /** In degrees. */
  readonly longitudes: Float64Array;
  readonly titles: readonly string[];
  /** The cities in order, each with the index of its first property and the one after its last. */
  readonly cities: readonly { readonly name: string; readonly start: number; readonly end: number }[];
  /** Id of the property with an index. */
  readonly idAt: (index: number) => string;
};

/**
 * Opens a points file.
 *
 * @throws RangeError when its columns differ in length.
 *
 * @example
 * openPoints({ country: 'IE', cities: [], latitudes: [], longitudes: [], ids: '', titles: [] }).titles // []
 */
export function openPoints({ country, cities, latitudes, longitudes, ids, titles }: Points): PointTable {
  const count = titles.length;
  const bytes = atob(ids);
  let end = 0;
  const runs = cities.map(({ name, properties }) => {
    end += properties;
    return { name, start: end - properties, end };
  });
  if ([end, latitudes.length, longitudes.length, bytes.length / ID_BYTES].some((other) => other !== count))
    throw new RangeError(`The points of ${country} are not whole.`);
  return {
    country,
    latitudes: inDegrees(latitudes),
    longitudes: inDegrees(longitudes),
    titles,
    cities: runs,
    idAt: (index) => uuidAt(bytes, index * ID_BYTES),
  };
}

/** Bytes of an id (RFC 9562, 4). */
const ID_BYTES = 16;

function inDegrees(differences: readonly number[]): Float64Array {
  let units = 0;
  return Float64Array.from(differences, (difference) => {
    units += difference;
    return units / UNITS_PER_DEGREE;
  });
}

function uuidAt(bytes: string, offset: number): string {
  let digits = '';
  for (let index = offset; index < offset + ID_BYTES; index++)
    digits += bytes.charCodeAt(index).toString(16).padStart(2, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
