import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type ServerInput, type ServerKind, startProgram } from '../server.ts';

const MODULES = '/usr/lib/nginx/modules';

/** nginx with njs. */
export const nginxNjsServer: ServerKind = {
  target: 'nginx-njs',
  needs: [
    { program: '/usr/sbin/nginx', package: 'nginx' },
    { program: `${MODULES}/ngx_http_js_module.so`, package: 'libnginx-mod-http-js' },
  ],
  start: (input) => startNginx(input, ['ngx_http_js_module.so']),
};

/** Starts nginx on a free port, with the generated file included as the target's README says. */
export async function startNginx({ root, edge, work }: ServerInput, modules: string[]) {
  const port = await freePort();
  const configuration = join(work, 'nginx.conf');
  writeFileSync(
    configuration,
    `${modules.map((module) => `load_module ${MODULES}/${module};`).join('\n')}
daemon off;
worker_processes 1;
user root;
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
    ${modules.some((module) => module.includes('js')) ? `js_path ${edge}/;` : ''}
    server {
        listen 127.0.0.1:${port};
        root ${root};
        include ${edge}/catalogue.conf;
    }
}
`,
  );
  return startProgram('/usr/sbin/nginx', ['-p', work, '-c', configuration], port);
}
