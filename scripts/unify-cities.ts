import { foldedName } from './cities.ts';
import type { Candidate } from './shipped/selection.ts';

/**
 * Gives the cities of one country that differ only in case, accents or spacing one spelling: the most frequent, and of
 * equally frequent ones the first by code units.
 */
export function unifyCities(candidates: readonly Candidate[]): Candidate[] {
  const spellings = new Map<string, Map<string, number>>();
  const key = ({ draft }: Candidate): string => `${draft.country} ${foldedName(draft.city)}`;
  for (const candidate of candidates) {
    const counts = spellings.get(key(candidate)) ?? new Map<string, number>();
    counts.set(candidate.draft.city, (counts.get(candidate.draft.city) ?? 0) + 1);
    spellings.set(key(candidate), counts);
  }
  return candidates.map((candidate) => {
    const counts = [...(spellings.get(key(candidate)) ?? [])];
    const city = counts.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? candidate.draft.city;
    return city === candidate.draft.city ? candidate : { ...candidate, draft: { ...candidate.draft, city } };
  });
}
