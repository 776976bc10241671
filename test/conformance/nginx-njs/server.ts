import type { ServerKind } from '../server.ts';
import { MODULES, NGINX, startNginx, startPlainNginx } from '../servers/nginx.ts';

/** nginx with njs. */
export const nginxNjsServer: ServerKind<'nginx-njs'> = {
  target: 'nginx-njs',
  needs: [NGINX, { program: `${MODULES}/ngx_http_js_module.so`, package: 'libnginx-mod-http-js' }],
  start: (input) => startNginx('nginx-njs', input, ['ngx_http_js_module.so']),
  benchmark: startPlainNginx,
};
