/** Names of the serving platforms that a configuration can be generated for, in the order of the documentation. */
export const TARGET_NAMES = [
  'nginx-njs',
  'nginx',
  'cloudfront-function',
  'cloudflare-worker',
  'fetch-handler',
  'lambda-edge',
  'apache',
  'varnish',
  'haproxy',
] as const;

/** Name of a serving platform. */
export type TargetName = (typeof TARGET_NAMES)[number];
