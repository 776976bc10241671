/** `_catalogue/points/<country>.json`: the coordinates of a country's properties. */
import type { Entry } from '../release/sequence.ts';

/** The text after the city in a summary. It cannot occur within a value, where quotation marks are escaped. */
const AFTER_CITY = '","country":"';

/** Returns the text of the file, from the country's entries in order. */
export function pointsText(country: string, entries: readonly Entry[]): string {
  // A summary starts with the id, the title and the city.
  const points = entries.map(
    ({ summary, latitude, longitude }) =>
      `${summary.slice(0, summary.indexOf(AFTER_CITY))}","latitude":${latitude},"longitude":${longitude}}`,
  );
  return `{"country":"${country}","points":[${points.join(',')}]}`;
}
