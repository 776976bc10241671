/** Finds the country of a table whose rows have coordinates only. */
import { latitudeMeant, longitudeMeant } from '../contract/degrees.ts';
import { fieldsOf } from '../contract/terms.ts';
import { vocabularyFrom } from '../contract/vocabulary.ts';
import { countriesAt, isInCountry } from '../source/place.ts';
import { columnsOf, type TableMapping } from './mapping.ts';
import type { Proposal } from './propose.ts';
import { mapRow } from './row-property.ts';
import type { RowSource } from './rows.ts';

/** Share of the points that the country must have: some of a large table are wrong. */
const ENOUGH = 0.98;
/** Number of points from which candidates are taken. */
const FIRST = 20;

/** Reads all points of a source. Returns the only country that has nearly all of them. */
export async function soleCountry(
  source: RowSource,
  { latitude, longitude }: Proposal,
): Promise<string | undefined> {
  if (latitude === undefined || longitude === undefined) return undefined;
  const terms = fieldsOf({ vocabulary: vocabularyFrom() });
  const counts = new Map<string, number>();
  let points = 0;
  const wanted = columnsOf({ latitude, longitude } as TableMapping);
  for await (const { value } of source.rows(wanted)) {
    const raw = value ? mapRow(value, { latitude, longitude } as TableMapping, terms) : {};
    const [north, east] = [latitudeMeant(String(raw.latitude)), longitudeMeant(String(raw.longitude))].map(
      Number,
    );
    if (!Number.isFinite(north) || !Number.isFinite(east)) continue;
    const fresh = points++ < FIRST ? countriesAt(north!, east!) : [];
    for (const country of fresh) counts.set(country, counts.get(country) ?? 0);
    for (const [country, count] of counts)
      if (isInCountry(country, north!, east!)) counts.set(country, count + 1);
  }
  // A border region is in the margins of two countries.
  const found = [...counts].filter(([, count]) => count >= points * ENOUGH);
  return found.length === 1 ? found[0]![0] : undefined;
}
