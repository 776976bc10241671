/** The name of a release. */
import { createHash } from 'node:crypto';
import type { Comparable } from './comparison.ts';
import { DIGEST_LENGTH } from './digest.ts';

/**
 * The name of a release: a digest of its content alone, so that it is the same wherever and whenever that was built.
 *
 * @returns 32 lower-case hexadecimal digits.
 */
export function releaseId(
  sequence: readonly Pick<Comparable, 'id' | 'summaryDigest' | 'detailDigest'>[],
): string {
  const hash = createHash('sha256');
  let lines = '';
  for (const { id, summaryDigest, detailDigest } of sequence) {
    lines += `${id} ${summaryDigest} ${detailDigest}\n`;
    // A call costs more than its few bytes.
    if (lines.length < 65_536) continue;
    hash.update(lines);
    lines = '';
  }
  return hash.update(lines).digest('hex').slice(0, DIGEST_LENGTH);
}
