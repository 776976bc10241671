/**
 * `_catalogue/points/<country>.json`: the coordinates of a country's properties. A large country has them in parts, so
 * that a change of one property changes one of them.
 */
import { basename, relative } from 'node:path/posix';
import { POINTS_FOLDER, pointsPartKey } from '../contract/document-keys.ts';
import type { Points } from '../contract/downloads.ts';
import type { PartSizes } from '../packed/format/divide.ts';
import type { Entry } from '../release/sequence.ts';

/** Largest number of points in the file of a country, at about 120 bytes each. A change sends it twice: it is archived. */
export const MAX_INLINE = 256;
export const POINTS: PartSizes = { every: 8192, most: 1280 };

/** The text after the city in a summary. It cannot occur within a value, where quotation marks are escaped. */
const AFTER_CITY = '","country":"';

export function pointsText(country: string, entries: readonly Entry[]): string {
  // A summary starts with the id, the title and the city.
  const points = entries.map(
    ({ summary, latitude, longitude }) =>
      `${summary.slice(0, summary.indexOf(AFTER_CITY))}","latitude":${latitude},"longitude":${longitude}}`,
  );
  return `{"country":"${country}","points":[${points.join(',')}]}`;
}

export function pointsListText(country: string, digests: readonly string[]): string {
  const parts = digests.map((digest) => relative(POINTS_FOLDER, pointsPartKey(digest)));
  return JSON.stringify({ country, points: [], parts } satisfies Points);
}

export function digestsNamedIn(text: string): string[] {
  return ((JSON.parse(text) as Points).parts ?? []).map((href) => basename(href, '.json'));
}
