import type { Layout } from '../../contract/object-keys.ts';
import type { TargetInput, TargetResult } from '../target.ts';

/** `Cache-Control` values (RFC 9111, 5.2) without quotes and `$`: safe in every configuration language. */
const PLAIN = /^[A-Za-z0-9 ,;=._-]*$/;

/** Undefined if the target can be generated. `checksKeys`: the platform can hash API keys. */
export function targetRefusal(
  { configuration }: TargetInput,
  title: string,
  { checksKeys }: { checksKeys: boolean },
): TargetResult | undefined {
  const layout = layoutRefusal(configuration.layout, title);
  if (layout) return layout;
  if (!checksKeys && configuration.api_keys.length > 0) {
    return {
      refusal: {
        code: 'target-api-keys',
        message: `${title} cannot compute the SHA-256 digest of a key, so it cannot check "api_keys". Use the target nginx-njs instead, or leave this one out of "targets".`,
      },
    };
  }
  for (const [kind, value] of Object.entries(configuration.cache_control)) {
    if (PLAIN.test(value)) continue;
    return {
      refusal: {
        code: 'target-cache-control',
        message: `"cache_control.${kind}" is ${value}; in a configuration of ${title} it may hold only letters, digits, spaces and ",;=._-". Change it, or leave this target out of "targets".`,
      },
    };
  }
  return undefined;
}

export function layoutRefusal(layout: Layout, title: string): TargetResult | undefined {
  if (layout !== 'packed') return undefined;
  return {
    refusal: {
      code: 'target-layout',
      message: `${title} cannot cut pages out of the chunks of "layout: packed". Use the target cloudflare-worker, fetch-handler or lambda-edge, or "layout: pages"; or leave this one out of "targets".`,
    },
  };
}
