import { apache } from './apache/target.ts';
import { cloudflareWorker } from './cloudflare-worker/target.ts';
import { cloudfrontFunction } from './cloudfront-function/target.ts';
import { fetchHandler } from './fetch-handler/target.ts';
import { haproxy } from './haproxy/target.ts';
import { lambdaEdge } from './lambda-edge/target.ts';
import { nginxNjs } from './nginx/njs.ts';
import { nginx } from './nginx/set-misc.ts';
import type { Target } from './target.ts';
import { varnish } from './varnish/target.ts';

/** Every serving platform that a configuration is generated for, in the order of the documentation. */
export const TARGETS: readonly Target[] = [
  nginxNjs,
  nginx,
  cloudfrontFunction,
  cloudflareWorker,
  fetchHandler,
  lambdaEdge,
  apache,
  varnish,
  haproxy,
];

/** The target of this name. */
export function findTarget(name: string): Target | undefined {
  return TARGETS.find((target) => target.name === name);
}
