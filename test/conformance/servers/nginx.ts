/** nginx, with one of its targets or without. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMON_HEADERS } from '../../../src/contract/headers.ts';
import { CACHE_CONTROL } from '../fixture.ts';
import { freePort, type RunningServer, type ServerInput, startProgram } from '../server.ts';

/** Folder of modules, on Debian. */
export const MODULES = '/usr/lib/nginx/modules';

/** The input of both targets. */
export const NGINX = { program: '/usr/sbin/nginx', package: 'nginx' };

/** Starts nginx on a free port, with the generated site, whose folders and port are those of the test. */
export async function startNginx(
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

/** nginx without the rewrite, with the headers and compression of the target, so that both send the same bytes. */
export async function startPlainNginx({ root, work }: ServerInput): Promise<RunningServer> {
  const port = await freePort();
  const headers = [...COMMON_HEADERS, ['Cache-Control', CACHE_CONTROL.api] as const];
  const path = join(work, 'plain-nginx.conf');
  writeFileSync(
    path,
    `daemon off;
worker_processes 1;
user root;
pid ${work}/plain.pid;
error_log ${work}/plain.log warn;
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
    types { application/json json; }
    gzip on;
    gzip_types application/json;
    gzip_vary on;
    server {
        listen 127.0.0.1:${port};
        root ${root};
        ${headers.map(([name, value]) => `add_header ${name} "${value}" always;`).join('\n        ')}
    }
}
`,
  );
  return startProgram('/usr/sbin/nginx', ['-p', work, '-c', path], port);
}
