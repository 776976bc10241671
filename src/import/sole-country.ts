import { latitudeMeant, longitudeMeant } from '../contract/degrees.ts';
import { fieldsOf } from '../contract/terms.ts';
import { vocabularyFrom } from '../contract/vocabulary.ts';
import { countriesAt } from '../source/place.ts';
import { remember } from '../values/remember.ts';
import type { RawProperty } from './candidate.ts';
import { columnsOf, type TableMapping } from './mapping.ts';
import type { Proposal } from './propose.ts';
import { mapRow } from './row-property.ts';
import type { RowSource } from './rows.ts';

const countriesOfCell = remember((cell: string) => {
  const [north, east] = cell.split(',').map((place) => (Number(place) + 0.5) / 4);
  return countriesAt(north!, east!);
});

export function countriesOf({ latitude, longitude }: RawProperty): readonly string[] | undefined {
  const [north, east] = [latitudeMeant(String(latitude)), longitudeMeant(String(longitude))].map(Number);
  const isPoint = Number.isFinite(north) && Number.isFinite(east);
  return isPoint ? countriesOfCell(`${Math.floor(north! * 4)},${Math.floor(east! * 4)}`) : undefined;
}

/** Share of the points that the country must have: some of a large table are wrong. */
const ENOUGH = 0.98;

export async function soleCountry(
  source: RowSource,
  { latitude, longitude }: Proposal,
): Promise<string | undefined> {
  if (latitude === undefined || longitude === undefined) return undefined;
  const terms = fieldsOf({ vocabulary: vocabularyFrom() });
  const mapping = { latitude, longitude } as TableMapping;
  const counts = new Map<string, number>();
  let points = 0;
  for await (const { value } of source.rows(columnsOf(mapping))) {
    const countries = value && countriesOf(mapRow(value, mapping, terms));
    if (!countries) continue;
    points++;
    for (const country of countries) counts.set(country, (counts.get(country) ?? 0) + 1);
  }
  // A border region may be in two countries.
  const found = [...counts].filter(([, count]) => count >= points * ENOUGH);
  return found.length === 1 ? found[0]![0] : undefined;
}
