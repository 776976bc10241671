/** Entries that can be stored as a build stores them, and what comes back. */

import { openSequence, type StoredSequence } from '../../../src/build/state/sequence.ts';
import { joinSummaries } from '../../../src/build/write/pages.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { sequenceLines } from '../../../src/release/manifest.ts';
import type { Entry } from '../../../src/release/sequence.ts';
import { entry } from '../../release/made-up-sequence.ts';

/** An entry with an id and digests as long as published ones. `digits` ends its id. */
export function storable(
  digits: string,
  country: string,
  city: string,
  title: string,
  detail = digits,
): Entry {
  const uuid = `00000000-0000-4000-8000-${digits.padStart(12, '0')}`;
  const made = entry(uuid, country, city, title, digestOf(detail));
  return { ...made, summaryDigest: digestOf(made.summary) };
}

/** Stores a sequence, and opens it again. */
export function store(sequence: readonly Entry[]): StoredSequence {
  return openSequence(Buffer.concat([...sequenceLines(sequence)]), joinSummaries(sequence));
}

/** The same with properties of its own. */
export function fieldsOf(one: Entry): Entry {
  const { id, country, city, sortKey, summary, summaryDigest, detailDigest } = one;
  return { id, country, city, sortKey, summary, summaryDigest, detailDigest };
}
