import { remember } from '../values/remember.ts';
import countryCells from './tables/country-cells.json' with { type: 'json' };

const CELLS_PER_DEGREE = 4;

/**
 * Grid cells of each country and their neighbours, by ISO 3166-1 code: comma-separated rows, each with its distance
 * from the previous row (the first from 90° S), then its runs of cells as gap (the first from 180° W) and length; all
 * numbers in base 36. A country has every cell of a quarter of a degree that its outline touches or encloses, and the
 * cells around those. Source: Natural Earth 1:10,000,000 (public domain).
 */
const COUNTRY_CELLS: Readonly<Record<string, string>> = countryCells;

/** A point in decimal degrees, as the editor wrote it. */
export type Point = { readonly latitude: string; readonly longitude: string };

export type PlaceDoubt =
  /** Both are 0: a point in the Atlantic Ocean, which many programs write for "unknown". */
  | { readonly kind: 'zero' }
  | { readonly kind: 'swapped'; readonly meant: Point }
  | { readonly kind: 'sign'; readonly meant: Point }
  /** The point is elsewhere; `country` is set when that is unambiguous. */
  | { readonly kind: 'outside'; readonly country: string | undefined };

/**
 * Checks a point; undefined when it is plausible. A country has a margin of a quarter of a degree (28 km) at least and
 * of twice that at most, since outlines are simplified; countries without an outline are not checked, and disputed
 * areas belong to each claimant.
 *
 * @param country ISO 3166-1 alpha-2 code.
 */
export function doubtPlace(country: string, point: Point): PlaceDoubt | undefined {
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

/** Lists the countries that a point may be in: one unless a border is within a cell or two. */
export function countriesAt(latitude: number, longitude: number): string[] {
  const near = Object.keys(COUNTRY_CELLS).filter((country) => isInCountry(country, latitude, longitude));
  const step = 1 / CELLS_PER_DEGREE;
  const around = [-step, 0, step];
  // Since a country has the cells around its own, a point in it has them on all sides.
  const within = near.filter((country) =>
    around.every((north) => around.every((east) => isInCountry(country, latitude + north, longitude + east))),
  );
  return within.length === 1 ? within : near;
}

/** Returns a point well inside a country: the middle of its longest row. Undefined for a country without an outline. */
export function pointIn(country: string): Point | undefined {
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

const rowsOf = remember((country: string): readonly string[] => {
  const rows: string[] = [];
  let row = 0;
  for (const text of COUNTRY_CELLS[country]!.split(',')) {
    row += Number.parseInt(text, 36);
    rows[row] = text;
  }
  return rows;
});

/**
 * Decodes the runs of a row, as first column and column after the last. Cached, since properties lie in few of all
 * rows.
 */
const runsOf = remember((text: string): readonly number[] => {
  const [, ...numbers] = text.split(' ').map((number) => Number.parseInt(number, 36));
  let column = 0;
  return numbers.map((number) => {
    column += number;
    return column;
  });
});
