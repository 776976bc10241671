/** nginx, with one of its targets or without. */
import { readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { COMMON_HEADERS } from '../../../src/contract/headers.ts';
import { CACHE_CONTROL } from '../fixture.ts';
import { freePort, type RunningServer, type ServerInput, startProgram } from '../server.ts';

/** Folder of modules, on Debian. */
export const MODULES = '/usr/lib/nginx/modules';

/** Whether this machine has the address `::1`. */
export const HAS_IPV6 = networkInterfaces().lo?.some(({ address }) => address === '::1') ?? false;

/** What all of its uses need. */
export const NGINX = { program: '/usr/sbin/nginx', package: 'nginx' };

/** Starts nginx on a free port with the text of its `http` block, which gets that port. */
export async function startNginxWith(
  work: string,
  name: string,
  http: (port: number) => string,
  modules: readonly string[] = [],
): Promise<RunningServer> {
  const port = await freePort();
  const configuration = join(work, `${name}.conf`);
  writeFileSync(
    configuration,
    `${modules.map((module) => `load_module ${MODULES}/${module};`).join('\n')}
daemon off;
worker_processes 1;
user root;
pcre_jit on;
pid ${work}/${name}.pid;
error_log ${work}/${name}.log warn;
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
    ${http(port)}
}
`,
  );
  return startProgram(NGINX.program, ['-p', work, '-c', configuration], port);
}

/** Starts the generated site, whose folders and port are those of the test. */
export function startNginx(
  name: string,
  { root, edge, work }: ServerInput,
  modules: readonly string[],
): Promise<RunningServer> {
  const site = readFileSync(join(edge, 'site.conf'), 'utf8')
    .replaceAll(`/srv/catalogue/${name}`, edge)
    .replaceAll('/srv/catalogue/public', root);
  return startNginxWith(
    work,
    'nginx',
    (port) =>
      site
        .replace(/listen \d+;/, `listen 127.0.0.1:${port};`)
        .replace(/listen \[::\]:\d+;/, HAS_IPV6 ? `listen [::1]:${port};` : ''),
    modules,
  );
}

/** nginx without the rewrite, with the headers and compression of the target, so that both send the same bytes. */
export function startPlainNginx({ root, work }: ServerInput): Promise<RunningServer> {
  const headers = [...COMMON_HEADERS, ['Cache-Control', CACHE_CONTROL.api] as const];
  return startNginxWith(
    work,
    'plain',
    (port) => `types { application/json json; }
    gzip on;
    gzip_types application/json;
    gzip_vary on;
    server {
        listen 127.0.0.1:${port};
        root ${root};
        ${headers.map(([name, value]) => `add_header ${name} "${value}" always;`).join('\n        ')}
    }`,
  );
}
