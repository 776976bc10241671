/** In the order of the documentation. */
export const TARGET_NAMES = [
  'nginx-njs',
  'nginx',
  'cloudfront-function',
  'cloudflare-worker',
  'cloudflare-assets',
  'fetch-handler',
  'lambda-edge',
  'apache',
] as const;

export type TargetName = (typeof TARGET_NAMES)[number];
