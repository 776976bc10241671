/** Summaries in the packed layout. */
import { packedObjects, planPacked } from '../../src/packed/pack.ts';
import { digestOf } from '../../src/release/digest.ts';
import { joinSummaries, scopesOf } from '../../src/release/sequence.ts';

/** An entry of a list. */
export type Summary = { id: string; title: string; city: string; country: string; thumbnail: string | null };

/** Objects of the packed layout by key, and the name of the release. */
export type Packed = { release: string; files: Map<string, Buffer> };

/** Packs summaries that are in the order of the sequence. */
export function packSummaries(summaries: readonly Summary[]): Packed {
  const sequence = summaries.map(({ id, country, city, title, thumbnail }) => {
    const summary = JSON.stringify({ id, title, city, country, thumbnail });
    return { id, country, city, summary, summaryDigest: digestOf(summary), detailDigest: '' };
  });
  const files = new Map<string, Buffer>();
  const plan = planPacked(sequence, scopesOf(sequence));
  const release = digestOf(JSON.stringify(summaries));
  for (const { key, bytes } of packedObjects(
    sequence,
    joinSummaries(sequence.map(({ summary }) => summary)),
    plan,
    release,
  )) {
    files.set(key, Buffer.from(bytes));
  }
  return { release, files };
}
