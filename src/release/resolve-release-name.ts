import { UsageError } from '../errors/errors.ts';
import { DIGEST_DIGITS } from './digest.ts';

/** Minimum digits of a prefix in commands. */
const SHORTEST_PREFIX = 6;

/**
 * @param wanted a name, or a prefix of at least {@link SHORTEST_PREFIX} digits; capital letters are accepted too
 * @param place name of the bucket, for messages
 * @throws UsageError `invalid-release-name`, `unknown-release`, `ambiguous-release`
 */
export function resolveRelease(wanted: string, names: readonly string[], place: string): string {
  const prefix = wanted.toLowerCase();
  if (!/^[0-9a-f]+$/.test(prefix) || prefix.length < SHORTEST_PREFIX || prefix.length > DIGEST_DIGITS) {
    throw new UsageError(
      'invalid-release-name',
      `"${wanted}" is not the name of a release. Give its first ${SHORTEST_PREFIX} digits or more, 0 to 9 and a to f, as "catalogue releases" lists them.`,
    );
  }
  const found = names.filter((name) => name.startsWith(prefix));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) {
    throw new UsageError(
      'unknown-release',
      `${place} keeps no release ${wanted}. "catalogue releases" lists those that it keeps.`,
    );
  }
  throw new UsageError(
    'ambiguous-release',
    `${place} keeps ${found.length} releases whose names start with ${wanted}: ${found.join(', ')}. Give more digits.`,
  );
}
