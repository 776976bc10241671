/** Names the configuration that a build writes for targets such as nginx. The name does not depend on the content. */
import type { Configuration } from '../contract/configuration.ts';
import { version } from '../package/version.ts';
import { digestOf } from './digest.ts';

/**
 * Returns the version of the tool and a digest of the settings. A deployed configuration is outdated if its name
 * differs from the one in the release.
 * @example
 * edgeConfigurationName(configuration) // '0.2.0-3f9a1c2b'
 */
export function edgeConfigurationName(configuration: Configuration): string {
  const { base_url, page_sizes, layout, cache_control, api_keys, origin } = configuration;
  // Contains only the number of keys: with a digest of the keys, anyone could check a guessed key.
  const settings = [base_url, page_sizes, layout, cache_control, api_keys.length, origin];
  return `${version}-${digestOf(JSON.stringify(settings)).slice(0, 8)}`;
}
