/** Release names, as in `index.json`, the `Catalogue-Release` header, the change feed, archives and all commands. */
import { createHash } from 'node:crypto';
import type { Configuration } from '../contract/configuration.ts';
import { UsageError } from '../errors/errors.ts';
import { version } from '../package/version.ts';
import type { Columns } from './columns.ts';
import { DIGEST_LENGTH } from './digest.ts';

/** Minimum digits of a prefix in commands. */
const SHORTEST_PREFIX = 6;

/** Settings that change no published byte. A setting missing here counts as one that does. */
const UNPUBLISHED: readonly (keyof Configuration)[] = [
  'targets',
  'origin',
  'cache',
  'max_files',
  'vocabulary',
];

/**
 * Derives the name of a release from everything that decides published bytes: sequence, settings, and version of the
 * tool. It does not depend on machine, time or commit.
 *
 * @param columns ids and digests of the sequence; a summary's digest covers country and city.
 * @param tool version of the tool.
 */
export function releaseName(
  { ids, summaryDigests, detailDigests }: Columns,
  configuration: Configuration,
  tool: string = version,
): string {
  const settings: Record<string, unknown> = {
    ...configuration,
    // The release publishes whether the list requires a key, not which keys are valid.
    api_keys: configuration.api_keys.length > 0,
  };
  for (const key of UNPUBLISHED) delete settings[key];
  const hash = createHash('sha256').update(`${JSON.stringify([tool, settings])}\n`);
  for (const column of [ids, summaryDigests, detailDigests]) hash.update(column);
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}

/**
 * @param wanted a name, or a prefix of at least {@link SHORTEST_PREFIX} digits, in any case
 * @param names all releases
 * @param place where they are, for messages
 * @throws UsageError `invalid-release-name`, `unknown-release`, `ambiguous-release`
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
