/**
 * The name of a release. `index.json`, the `Catalogue-Release` header, the change feed, archives and every command show
 * the same one.
 */
import { createHash } from 'node:crypto';
import type { Configuration } from '../contract/configuration.ts';
import { UsageError } from '../errors.ts';
import { version } from '../version.ts';
import { DIGEST_LENGTH } from './digest.ts';

/** What a name looks like: 32 lower-case hexadecimal digits. */
export const RELEASE_NAME = /^[0-9a-f]{32}$/;

/** Digits that a command needs at least to find a release. */
const SHORTEST_PREFIX = 6;

/** Settings that change no published byte. A new setting counts as one that does until it is named here. */
const UNPUBLISHED: readonly (keyof Configuration)[] = [
  'targets',
  'origin',
  'cache',
  'max_files',
  'vocabulary',
];

/**
 * The name of a release. It follows from everything that decides published bytes: the sequence, the settings, and the
 * version of the tool. So it is the same wherever and whenever the release is built, and from whatever commit.
 *
 * @param lines what `sequenceLines` made of its sequence.
 * @param tool version of the tool.
 */
export function releaseName(
  lines: Iterable<Uint8Array>,
  configuration: Configuration,
  tool: string = version,
): string {
  const settings: Record<string, unknown> = {
    ...configuration,
    // Which keys open the list is not published, only whether it needs one.
    api_keys: configuration.api_keys.length > 0,
  };
  for (const key of UNPUBLISHED) delete settings[key];
  const hash = createHash('sha256').update(`${JSON.stringify([tool, settings])}\n`);
  for (const piece of lines) hash.update(piece);
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}

/**
 * Finds the one release that a person means.
 *
 * @param wanted its name, or the first digits of it, at least {@link SHORTEST_PREFIX}; in upper case too.
 * @param names of the releases that are there.
 * @param place where they are, for messages.
 * @throws UsageError `invalid-release-name`, `unknown-release` or `ambiguous-release`.
 */
export function resolveRelease(wanted: string, names: readonly string[], place: string): string {
  const prefix = wanted.toLowerCase();
  if (!/^[0-9a-f]+$/.test(prefix) || prefix.length < SHORTEST_PREFIX || prefix.length > DIGEST_LENGTH) {
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
