import type { ServerKind } from '../server.ts';
import { MODULES, NGINX, startNginx, startPlainNginx } from '../servers/nginx.ts';

/** nginx with set-misc. */
export const nginxServer: ServerKind<'nginx'> = {
  target: 'nginx',
  computesNoPages: true,
  needs: [
    NGINX,
    { program: `${MODULES}/ndk_http_module.so`, package: 'libnginx-mod-http-ndk' },
    { program: `${MODULES}/ngx_http_set_misc_module.so`, package: 'libnginx-mod-http-set-misc' },
  ],
  start: (input) => startNginx('nginx', input, ['ndk_http_module.so', 'ngx_http_set_misc_module.so']),
  benchmark: startPlainNginx,
};
