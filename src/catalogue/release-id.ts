/** The name of a release. */
import { createHash } from 'node:crypto';
import type { Comparable } from './comparison.ts';
import { DIGEST_LENGTH } from './digest.ts';

/** What tells a property from others, and from what it was. */
export type Identity = Pick<Comparable, 'id' | 'summaryDigest' | 'detailDigest'>;

/**
 * The name of a release: a digest of its content alone, so that it is the same wherever and whenever that was built.
 *
 * @returns 32 lower-case hexadecimal digits.
 */
export function releaseId(sequence: readonly Identity[]): string {
  return releaseIdOfLines(identityLines(sequence));
}

/** The name of a release from the lines of {@link identityLines}, in pieces. */
export function releaseIdOfLines(pieces: Iterable<string | Uint8Array>): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}

/** A line for each property: its id and its digests, with spaces between them. In pieces. */
export function* identityLines(sequence: readonly Identity[]): Generator<string> {
  let lines = '';
  for (const { id, summaryDigest, detailDigest } of sequence) {
    lines += `${id} ${summaryDigest} ${detailDigest}\n`;
    // A call costs more than its few bytes.
    if (lines.length < 65_536) continue;
    yield lines;
    lines = '';
  }
  yield lines;
}
