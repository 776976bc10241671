/** `_catalogue/points/<country>.json`: where the properties of a country are. */
import type { Entry } from '../release/sequence.ts';

/** What follows the city in a summary. No text within it has this: its quotation marks are escaped. */
const AFTER_CITY = '","country":"';

/** The text of the file. `entries`: those of the country, in order. */
export function pointsText(country: string, entries: readonly Entry[]): string {
  // A summary starts with the id, the title and the city.
  const points = entries.map(
    ({ summary, latitude, longitude }) =>
      `${summary.slice(0, summary.indexOf(AFTER_CITY))}","latitude":${latitude},"longitude":${longitude}}`,
  );
  return `{"country":"${country}","points":[${points.join(',')}]}`;
}
