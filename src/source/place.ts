/** Whether a point lies in its country, as far as the outlines of the countries say. */
import { remember } from '../remember.ts';
import { CELLS_PER_DEGREE, COUNTRY_CELLS } from './country-cells.ts';

/** A point, in decimal degrees as typed. */
export type Point = { readonly latitude: string; readonly longitude: string };

/** Why a point is doubtful, and what it may have been meant to be. */
export type PlaceDoubt =
  /** Both are 0: a point in the Atlantic Ocean, which stands for "unknown" in many programs. */
  | { readonly kind: 'zero' }
  /** It lies in the country when latitude and longitude change places. */
  | { readonly kind: 'swapped'; readonly meant: Point }
  /** It lies in the country when the sign of one of them, or of both, is another one. */
  | { readonly kind: 'sign'; readonly meant: Point }
  /** It lies elsewhere; `country`: where, when that is beyond doubt. */
  | { readonly kind: 'outside'; readonly country: string | undefined };

/**
 * Judges a point. A country has a margin of a quarter of a degree (28 km) at least and of twice that at most, since
 * outlines are simplified; a country that the outlines lack is not judged, and what several countries claim is each one's.
 *
 * @param country ISO 3166-1 alpha-2 code.
 */
export function doubtPlace(country: string, point: Point): PlaceDoubt | undefined {
  const { latitude, longitude } = point;
  const [north, east] = [Number(latitude), Number(longitude)];
  if (north === 0 && east === 0) return { kind: 'zero' };
  if (!Object.hasOwn(COUNTRY_CELLS, country) || isIn(country, north, east)) return undefined;
  const swapped = { latitude: longitude, longitude: latitude };
  if (Math.abs(east) <= 90 && isIn(country, east, north)) return { kind: 'swapped', meant: swapped };
  const others = [
    { latitude, longitude: negated(longitude) },
    { latitude: negated(latitude), longitude },
    { latitude: negated(latitude), longitude: negated(longitude) },
  ];
  for (const meant of others) {
    if (isIn(country, Number(meant.latitude), Number(meant.longitude))) return { kind: 'sign', meant };
  }
  const found = Object.keys(COUNTRY_CELLS).filter((other) => isIn(other, north, east));
  return { kind: 'outside', country: found.length === 1 ? found[0] : undefined };
}

/** A point well within a country: in the middle of its longest row. Undefined for a country that the outlines lack. */
export function pointIn(country: string): Point | undefined {
  if (!Object.hasOwn(COUNTRY_CELLS, country)) return undefined;
  const runs = rowsOf(country).flatMap((row = [], place) =>
    row.flatMap((start, index) => (index % 2 === 0 ? [{ place, start, end: row[index + 1]! }] : [])),
  );
  const { place, start, end } = runs.reduce((best, run) =>
    run.end - run.start > best.end - best.start ? run : best,
  );
  return {
    latitude: ((place + 0.5) / CELLS_PER_DEGREE - 90).toFixed(5),
    longitude: ((start + end) / 2 / CELLS_PER_DEGREE - 180).toFixed(5),
  };
}

function negated(degrees: string): string {
  return degrees.startsWith('-') ? degrees.slice(1) : `-${degrees}`;
}

function isIn(country: string, latitude: number, longitude: number): boolean {
  const row = Math.floor((latitude + 90) * CELLS_PER_DEGREE);
  // The meridian of 180° is that of -180°.
  const column = Math.floor((longitude + 180) * CELLS_PER_DEGREE) % (360 * CELLS_PER_DEGREE);
  const runs = rowsOf(country)[Math.min(row, 180 * CELLS_PER_DEGREE - 1)] ?? [];
  for (let place = 0; place < runs.length; place += 2) {
    if (column < runs[place]!) return false;
    if (column < runs[place + 1]!) return true;
  }
  return false;
}

/** The runs of a country's cells, row by row: first column, and the one behind the last. */
type Rows = readonly (readonly number[] | undefined)[];

/** Each country is decoded when it is asked for first. */
const rowsOf = remember((country: string): Rows => {
  const rows: number[][] = [];
  let row = 0;
  for (const text of COUNTRY_CELLS[country]!.split(',')) {
    const [distance = 0, ...numbers] = text.split(' ').map((number) => Number.parseInt(number, 36));
    row += distance;
    let column = 0;
    rows[row] = numbers.map((number) => {
      column += number;
      return column;
    });
  }
  return rows;
});
