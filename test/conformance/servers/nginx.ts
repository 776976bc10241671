import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type RunningServer, type ServerInput, type ServerKind, startProgram } from '../server.ts';

const MODULES = '/usr/lib/nginx/modules';

const PROGRAM = { program: '/usr/sbin/nginx', package: 'nginx' };

/** nginx with njs. */
export const nginxNjsServer: ServerKind = {
  target: 'nginx-njs',
  needs: [PROGRAM, { program: `${MODULES}/ngx_http_js_module.so`, package: 'libnginx-mod-http-js' }],
  start: (input) => startNginx('nginx-njs', input, ['ngx_http_js_module.so']),
};

/** nginx with set-misc. */
export const nginxServer: ServerKind = {
  target: 'nginx',
  needs: [
    PROGRAM,
    { program: `${MODULES}/ndk_http_module.so`, package: 'libnginx-mod-http-ndk' },
    { program: `${MODULES}/ngx_http_set_misc_module.so`, package: 'libnginx-mod-http-set-misc' },
  ],
  start: (input) => startNginx('nginx', input, ['ndk_http_module.so', 'ngx_http_set_misc_module.so']),
};

/** Starts nginx on a free port, with the generated site, whose folders and port are those of the test. */
async function startNginx(
  name: string,
  { root, edge, work }: ServerInput,
  modules: readonly string[],
): Promise<RunningServer> {
  const port = await freePort();
  const configuration = join(work, 'nginx.conf');
  const site = readFileSync(join(edge, 'site.conf'), 'utf8')
    .replaceAll(`/srv/catalogue/${name}`, edge)
    .replaceAll('/srv/catalogue/public', root)
    .replace(/listen \d+;/, `listen 127.0.0.1:${port};`);
  writeFileSync(
    configuration,
    `${modules.map((module) => `load_module ${MODULES}/${module};`).join('\n')}
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
    ${site}
}
`,
  );
  return startProgram('/usr/sbin/nginx', ['-p', work, '-c', configuration], port);
}
