import { packed } from '../packed.ts';
import type { ServerKind } from '../server.ts';
import { apacheServer } from './apache.ts';
import { cloudfrontServer } from './cloudfront.ts';
import { haproxyServer } from './haproxy.ts';
import { lambdaServer } from './lambda.ts';
import { nginxNjsServer, nginxServer } from './nginx.ts';
import { nodeServer } from './node.ts';
import { varnishServer } from './varnish.ts';
import { fetchServer, workerServer } from './workerd.ts';

/** Every target on its server, in the order of the documentation. */
export const SERVERS: readonly ServerKind[] = [
  nodeServer,
  nginxNjsServer,
  nginxServer,
  cloudfrontServer,
  workerServer,
  fetchServer,
  lambdaServer,
  apacheServer,
  varnishServer,
  haproxyServer,
];

/** Every target that cuts pages out of the packed layout, on its server. */
export const PACKED_SERVERS: readonly ServerKind[] = [
  nodeServer,
  workerServer,
  fetchServer,
  lambdaServer,
].map(packed);
