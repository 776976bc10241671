/** The servers of the targets without their rewrite: each hands out files, and nothing else. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMON_HEADERS } from '../../src/contract/headers.ts';
import { CACHE_CONTROL } from '../../test/conformance/fixture.ts';
import {
  freePort,
  type RunningServer,
  type ServerInput,
  startProgram,
} from '../../test/conformance/server.ts';
import { startBeforeOrigin } from '../../test/conformance/servers/origin.ts';

/** Starts a server of plain files. */
export type StartPlain = (input: ServerInput) => Promise<RunningServer>;

/** By target. A target that is not here is compared with its own answer to the file's own path. */
export const PLAIN_SERVERS: Readonly<Record<string, StartPlain>> = {
  'nginx-njs': startNginx,
  nginx: startNginx,
  apache: startApache,
  varnish: startVarnish,
  haproxy: startHaproxy,
};

/** With the same headers and the same compression as the target, so that both send the same bytes. */
async function startNginx({ root, work }: ServerInput): Promise<RunningServer> {
  const port = await freePort();
  const headers = [...COMMON_HEADERS, ['Cache-Control', CACHE_CONTROL.api] as const];
  const path = written(
    work,
    'plain-nginx.conf',
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

async function startApache({ root, work }: ServerInput): Promise<RunningServer> {
  const port = await freePort();
  const modules = ['mpm_event', 'authz_core', 'mime'];
  const path = written(
    work,
    'plain-apache.conf',
    `${modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
ServerRoot ${work}
DefaultRuntimeDir ${work}
PidFile ${work}/plain-apache.pid
ServerName localhost
Listen 127.0.0.1:${port}
ErrorLog ${work}/plain-apache.log
${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
StartServers 1
ServerLimit 2
ThreadsPerChild 25
MaxRequestWorkers 50
MaxKeepAliveRequests 0
TypesConfig /dev/null
AddType application/json .json
DocumentRoot ${root}
<Directory ${root}>
    Require all granted
    AllowOverride None
</Directory>
`,
  );
  return startProgram('/usr/sbin/apache2', ['-f', path, '-D', 'FOREGROUND'], port);
}

function startVarnish({ root, work }: ServerInput): Promise<RunningServer> {
  return startBeforeOrigin({ root, work }, async (origin) => {
    const port = await freePort();
    const backend = `vcl 4.1;\nbackend files { .host = "127.0.0.1"; .port = "${origin}"; }\n`;
    const path = written(work, 'plain.vcl', `${backend}sub vcl_backend_response { set beresp.ttl = 60s; }\n`);
    const folder = join(work, 'plain-varnish');
    const args = [
      '-F',
      '-j',
      'none',
      '-n',
      folder,
      '-a',
      `127.0.0.1:${port}`,
      '-f',
      path,
      '-s',
      'default,64m',
    ];
    return startProgram('/usr/sbin/varnishd', args, port);
  });
}

function startHaproxy({ root, work }: ServerInput): Promise<RunningServer> {
  return startBeforeOrigin({ root, work }, async (origin) => {
    const port = await freePort();
    const path = written(
      work,
      'plain-haproxy.cfg',
      `global
    nbthread 1
defaults
    mode http
    timeout connect 5s
    timeout client 60s
    timeout server 60s
listen files
    bind 127.0.0.1:${port}
    server origin 127.0.0.1:${origin}
`,
    );
    return startProgram('/usr/sbin/haproxy', ['-db', '-f', path], port);
  });
}

function written(folder: string, name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}
