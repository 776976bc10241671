/** Names the configuration of a serving target, independently of the content. */
import type { Configuration } from '../contract/configuration.ts';
import { version } from '../package/version.ts';
import { digestOf } from './digest.ts';

/**
 * Combines the tool's version with a digest of the settings. An edge configuration whose name differs from the
 * manifest's is out of date.
 *
 * @example
 * edgeName(configuration) // '0.2.0-3f9a1c2b'
 */
export function edgeName(configuration: Configuration): string {
  const { base_url, page_sizes, layout, cache_control, api_keys, origin } = configuration;
  // Of the keys, only their number: a digest of their digests would let anyone check a guess.
  const settings = [base_url, page_sizes, layout, cache_control, api_keys.length, origin];
  return `${version}-${digestOf(JSON.stringify(settings)).slice(0, 8)}`;
}
