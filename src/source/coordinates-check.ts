import { memoize } from '../values/memoize.ts';
import countryCells from './tables/country-cells.json' with { type: 'json' };

const CELLS_PER_DEGREE = 4;

/**
 * For each country, the cells of a quarter of a degree that its outline touches or encloses, and the cells around them.
 * Commas separate rows. A row starts with its distance from the previous row (the first row: from 90° S), followed by
 * a gap and a length for each run of cells (the first gap: from 180° W). All numbers are in base 36. Source: Natural
 * Earth 1:10,000,000 (public domain).
 */
const COUNTRY_CELLS: Readonly<Record<string, string>> = countryCells;

export type Point = { readonly latitude: string; readonly longitude: string };

export type PlaceDoubt =
  /** 0, 0 is in the Atlantic Ocean: many programs write it for "unknown". */
  | { readonly kind: 'zero' }
  | { readonly kind: 'swapped'; readonly meant: Point }
  | { readonly kind: 'sign'; readonly meant: Point }
  /** `country`: where the point is; undefined if no country or several countries are there. */
  | { readonly kind: 'outside'; readonly country: string | undefined };

/**
 * Undefined if the point is within about a quarter of a degree of the country, or if the country has no outline.
 * Disputed areas belong to each claimant.
 */
export function placeDoubt(country: string, point: Point): PlaceDoubt | undefined {
  const { latitude, longitude } = point;
  const [north, east] = [Number(latitude), Number(longitude)];
  if (north === 0 && east === 0) return { kind: 'zero' };
  if (!Object.hasOwn(COUNTRY_CELLS, country) || isInCountry(country, north, east)) return undefined;
  const swapped = { latitude: longitude, longitude: latitude };
  if (Math.abs(east) <= 90 && isInCountry(country, east, north)) return { kind: 'swapped', meant: swapped };
  const others = [
    { latitude, longitude: negated(longitude) },
    { latitude: negated(latitude), longitude },
    { latitude: negated(latitude), longitude: negated(longitude) },
  ];
  for (const meant of others) {
    if (isInCountry(country, Number(meant.latitude), Number(meant.longitude))) return { kind: 'sign', meant };
  }
  const found = countriesAt(north, east);
  return { kind: 'outside', country: found.length === 1 ? found[0] : undefined };
}

/** Returns several countries near a border, and none far from land. */
export function countriesAt(latitude: number, longitude: number): string[] {
  const near = Object.keys(COUNTRY_CELLS).filter((country) => isInCountry(country, latitude, longitude));
  const step = 1 / CELLS_PER_DEGREE;
  const around = [-step, 0, step];
  // Each country is padded by one cell, so a point that is really inside has all eight neighbours in that country too.
  const within = near.filter((country) =>
    around.every((north) => around.every((east) => isInCountry(country, latitude + north, longitude + east))),
  );
  return within.length === 1 ? within : near;
}

/** The middle of the country's longest run of cells from west to east. Undefined for a country without an outline. */
export function pointInCountry(country: string): Point | undefined {
  if (!Object.hasOwn(COUNTRY_CELLS, country)) return undefined;
  const runs = rowsOf(country).flatMap((text, place) => {
    const row = runsOf(text);
    return row.flatMap((start, index) => (index % 2 === 0 ? [{ place, start, end: row[index + 1]! }] : []));
  });
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

function isInCountry(country: string, latitude: number, longitude: number): boolean {
  const row = Math.floor((latitude + 90) * CELLS_PER_DEGREE);
  // 180° is the same meridian as -180°.
  const column = Math.floor((longitude + 180) * CELLS_PER_DEGREE) % (360 * CELLS_PER_DEGREE);
  const text = rowsOf(country)[Math.min(row, 180 * CELLS_PER_DEGREE - 1)];
  if (text === undefined) return false;
  const runs = runsOf(text);
  for (let place = 0; place < runs.length; place += 2) {
    if (column < runs[place]!) return false;
    if (column < runs[place + 1]!) return true;
  }
  return false;
}

const rowsOf = memoize((country: string): readonly string[] => {
  const rows: string[] = [];
  let row = 0;
  for (const text of COUNTRY_CELLS[country]!.split(',')) {
    row += Number.parseInt(text, 36);
    rows[row] = text;
  }
  return rows;
});

/**
 * Parses one row of a country's grid to a flat list: for each run of cells, the run's first column and the column after
 * its last one. Cached, since most properties are in the same few rows.
 */
const runsOf = memoize((text: string): readonly number[] => {
  const [, ...numbers] = text.split(' ').map((number) => Number.parseInt(number, 36));
  let column = 0;
  return numbers.map((number) => {
    column += number;
    return column;
  });
});
