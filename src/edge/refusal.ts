import type { TargetInput, TargetResult } from './target.ts';

/**
 * The refusal of a platform that has no code: when the list asks for keys, whose digests it cannot compute, or when
 * the path of the base URL has characters that its configuration would read otherwise.
 *
 * @param checksKeys whether the platform can check keys.
 * @param instead the target to use for a catalogue with keys.
 */
export function refusal(
  { configuration, settings }: TargetInput,
  title: string,
  { checksKeys, instead = '' }: { checksKeys: boolean; instead?: string },
): TargetResult | undefined {
  if (!checksKeys && configuration.api_keys.length > 0) {
    return {
      refusal: {
        code: 'target-api-keys',
        message: `${title} cannot compute the SHA-256 digest of a key, so it cannot check "api_keys". Use ${instead} instead, or leave this target out of "targets".`,
      },
    };
  }
  if (!/^(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/.test(settings.base)) {
    return {
      refusal: {
        code: 'target-path',
        message: `The path of "base_url" is ${settings.base}; in a configuration of ${title} it may hold only letters, digits and "-._~" between slashes, and no part may start with a dot. Choose another base URL.`,
      },
    };
  }
  return undefined;
}
