import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type ServerKind, startProgram } from '../server.ts';

const MODULES = '/usr/lib/nginx/modules';

/** nginx with set-misc. */
export const nginxServer: ServerKind = {
  target: 'nginx',
  needs: [
    { program: '/usr/sbin/nginx', package: 'nginx' },
    { program: `${MODULES}/ndk_http_module.so`, package: 'libnginx-mod-http-ndk' },
    { program: `${MODULES}/ngx_http_set_misc_module.so`, package: 'libnginx-mod-http-set-misc' },
  ],
  start: async ({ root, edge, work }) => {
    const port = await freePort();
    const configuration = join(work, 'nginx.conf');
    writeFileSync(
      configuration,
      `load_module ${MODULES}/ndk_http_module.so;
load_module ${MODULES}/ngx_http_set_misc_module.so;
daemon off;
worker_processes 1;
user root;
pcre_jit on;
pid ${work}/nginx.pid;
error_log ${work}/error.log warn;
events { worker_connections 256; }
http {
    access_log off;
    sendfile on;
    keepalive_requests 1000000;
    client_body_temp_path ${work}/body;
    proxy_temp_path ${work}/proxy;
    fastcgi_temp_path ${work}/fastcgi;
    uwsgi_temp_path ${work}/uwsgi;
    scgi_temp_path ${work}/scgi;
    include ${edge}/http.conf;
    server {
        listen 127.0.0.1:${port};
        root ${root};
        include ${edge}/server.conf;
    }
}
`,
    );
    return startProgram('/usr/sbin/nginx', ['-p', work, '-c', configuration], port);
  },
};
