/** Random sequences, and the answers of the API for them, computed one by one. */
import fc from 'fast-check';
import { type SequenceEntry, toSequence } from '../../src/release/sequence.ts';

const COUNTRIES = ['DE', 'FR', 'IE'] as const;
const CITIES = ['Cork', 'cork', 'Newport', 'Paris', 'Ulm', '東京', '😀', '\ufb01nn', '-', '"a\\b"'] as const;

/** An entry, with its place in the order. */
export function entry(id: string, country: string, city: string, title: string, detail = 'd'): SequenceEntry {
  const summary = JSON.stringify({ id, title, city, country, thumbnail: null });
  return {
    id,
    country,
    city,
    title,
    summary,
    summaryBytes: Buffer.byteLength(summary),
    summaryDigest: `s:${summary}`,
    detailDigest: detail,
    detailBytes: detail.length,
    latitude: 0,
    longitude: 0,
    facets: '[[]]',
  };
}

/** Up to 24 entries with unique ids, in the order of the sequence. */
export const sequence: fc.Arbitrary<SequenceEntry[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 40 }).map(String),
      country: fc.constantFrom(...COUNTRIES),
      city: fc.constantFrom(...CITIES),
      title: fc.constantFrom('A', 'a', 'B', 'Á'),
      detail: fc.constantFrom('x', 'y'),
    }),
    { selector: ({ id }) => id, maxLength: 24 },
  )
  .map((list) =>
    toSequence(list.map(({ id, country, city, title, detail }) => entry(id, country, city, title, detail))),
  );

/** Two sequences that have much in common, as before and after some edits. */
export const edited: fc.Arbitrary<[before: SequenceEntry[], after: SequenceEntry[]]> = fc
  .tuple(sequence, sequence, fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 24, maxLength: 24 }))
  .map(([before, other, choices]) => {
    const after = new Map(before.map((each) => [each.id, each]));
    other.forEach((each, index) => {
      if (choices[index] === 0) after.set(each.id, each);
      else if (choices[index] === 1) after.delete(each.id);
    });
    return [before, toSequence([...after.values()])];
  });

/** A filter, and the summaries that pass it, by a scan of every entry. */
export type Answer = { readonly country: string; readonly city: string; readonly summaries: string[] };

/** Every filter with a result, and that result. */
export function answers(entries: readonly SequenceEntry[]): Answer[] {
  const found: Answer[] = [];
  for (const country of ['', ...COUNTRIES]) {
    for (const city of ['', ...CITIES]) {
      const left = entries.filter(
        (each) => (!country || each.country === country) && (!city || each.city === city),
      );
      if (left.length > 0) found.push({ country, city, summaries: left.map(({ summary }) => summary) });
    }
  }
  return found;
}

/** The pages of an answer, as text. */
export function pagesOf({ summaries }: Answer, size: number): string[] {
  const pages: string[] = [];
  for (let start = 0; start < summaries.length; start += size) {
    const data = summaries.slice(start, start + size).map((summary) => JSON.parse(summary));
    const pagination = { current_page: pages.length + 1, per_page: size, total_entries: summaries.length };
    pages.push(JSON.stringify({ data, meta: { pagination } }));
  }
  return pages;
}
