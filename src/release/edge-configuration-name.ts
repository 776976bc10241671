/** Names a target's configuration, which does not depend on the content. */
import type { Configuration } from '../contract/configuration.ts';
import { version } from '../package/version.ts';
import { digestOf } from './digest.ts';

/**
 * Version of the tool and a digest of the settings. If the manifest has another name, the edge configuration is
 * outdated.
 * @example
 * edgeConfigurationName(configuration) // '0.2.0-3f9a1c2b'
 */
export function edgeConfigurationName(configuration: Configuration): string {
  const { base_url, page_sizes, layout, cache_control, api_keys, origin } = configuration;
  // Only the number of keys counts: from a digest of them, anyone could check a guessed key.
  const settings = [base_url, page_sizes, layout, cache_control, api_keys.length, origin];
  return `${version}-${digestOf(JSON.stringify(settings)).slice(0, 8)}`;
}
