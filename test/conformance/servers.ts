/** The server of every target, and of the handler of this package. */
import type { TargetName } from '../../src/contract/target-names.ts';
import { apacheServer } from './apache/server.ts';
import { workerServer } from './cloudflare-worker/server.ts';
import { cloudfrontServer } from './cloudfront-function/server.ts';
import { fetchServer } from './fetch-handler/server.ts';
import { haproxyServer } from './haproxy/server.ts';
import { lambdaServer } from './lambda-edge/server.ts';
import { nginxServer } from './nginx/server.ts';
import { nginxNjsServer } from './nginx-njs/server.ts';
import { nodeServer } from './node/server.ts';
import { packed, type ServerKind } from './server.ts';
import { varnishServer } from './varnish/server.ts';

/** By the name of the target, in the order of the documentation. */
const BY_NAME: { readonly [Name in TargetName | 'node']: ServerKind<Name> } = {
  node: nodeServer,
  'nginx-njs': nginxNjsServer,
  nginx: nginxServer,
  'cloudfront-function': cloudfrontServer,
  'cloudflare-worker': workerServer,
  'fetch-handler': fetchServer,
  'lambda-edge': lambdaServer,
  apache: apacheServer,
  varnish: varnishServer,
  haproxy: haproxyServer,
};

/** Every target on its server. */
export const SERVERS: readonly ServerKind[] = Object.values(BY_NAME);

/** Every target that cuts pages out of the packed layout, on its server. */
export const PACKED_SERVERS: readonly ServerKind[] = SERVERS.filter(({ cutsPages }) => cutsPages).map(packed);
