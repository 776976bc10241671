/** The name of what the configuration of a serving target depends on, apart from the content. */
import type { Configuration } from '../contract/configuration.ts';
import { version } from '../version.ts';
import { digestOf } from './digest.ts';

/**
 * The version of the tool, and a digest of the settings. An edge configuration that answers with another name than the
 * manifest was not deployed again.
 *
 * @example
 * edgeName(configuration) // '0.2.0-3f9a1c2b'
 */
export function edgeName(configuration: Configuration): string {
  const { base_url, page_sizes, layout, cache_control, api_keys, origin } = configuration;
  // Of keys only how many there are: a digest of digests would let anyone check a guess.
  const settings = [base_url, page_sizes, layout, cache_control, api_keys.length, origin];
  return `${version}-${digestOf(JSON.stringify(settings)).slice(0, 8)}`;
}
