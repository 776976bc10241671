import type { TargetName } from '../contract/target-names.ts';
import { apache } from './apache/target.ts';
import { cloudflareAssets } from './cloudflare-assets/target.ts';
import { cloudflareWorker } from './cloudflare-worker/target.ts';
import { cloudfrontFunction } from './cloudfront-function/target.ts';
import { fetchHandler } from './fetch-handler/target.ts';
import { lambdaEdge } from './lambda-edge/target.ts';
import { nginx } from './nginx/target.ts';
import { nginxNjs } from './nginx-njs/target.ts';
import type { Target } from './target.ts';

export const TARGETS: Readonly<Record<TargetName, Target>> = {
  'nginx-njs': nginxNjs,
  nginx,
  'cloudfront-function': cloudfrontFunction,
  'cloudflare-worker': cloudflareWorker,
  'cloudflare-assets': cloudflareAssets,
  'fetch-handler': fetchHandler,
  'lambda-edge': lambdaEdge,
  apache,
};
