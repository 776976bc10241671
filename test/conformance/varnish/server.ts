import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type RunningServer, type ServerInput, type ServerKind, startProgram } from '../server.ts';
import { NGINX } from '../servers/nginx.ts';
import { startBeforeOrigin } from '../servers/origin.ts';

/** Varnish in front of a server of plain files. */
export const varnishServer: ServerKind<'varnish'> = {
  target: 'varnish',
  computesNoPages: true,
  needs: [{ program: '/usr/sbin/varnishd', package: 'varnish' }, NGINX],
  origin: { isBucketBySetting: true, passesUnknownHeaders: true },
  start: (input) =>
    startBeforeOrigin(input, async (origin) => {
      const { edge, work } = input;
      const port = await freePort();
      const shell = await freePort();
      const main = join(work, 'main.vcl');
      // The generated VCL, whose ports and folder are those of the test.
      const vcl = readFileSync(join(edge, 'default.vcl'), 'utf8')
        .replace('8081', String(origin))
        .replace('6083', String(shell))
        .replace('/etc/varnish/', `${edge}/`);
      writeFileSync(main, vcl);
      const listeners = ['-a', `127.0.0.1:${port}`, '-a', `shell=127.0.0.1:${shell}`];
      const args = [
        '-F',
        '-j',
        'none',
        '-n',
        join(work, 'varnish'),
        ...listeners,
        '-f',
        main,
        '-s',
        'default,64m',
      ];
      return startProgram('/usr/sbin/varnishd', args, port);
    }),
  benchmark: startPlain,
};

/** The same server without the rewrite. */
function startPlain({ root, work }: ServerInput): Promise<RunningServer> {
  return startBeforeOrigin({ root, work }, async (origin) => {
    const port = await freePort();
    const backend = `vcl 4.1;\nbackend files { .host = "127.0.0.1"; .port = "${origin}"; }\n`;
    const path = join(work, 'plain.vcl');
    writeFileSync(path, `${backend}sub vcl_backend_response { set beresp.ttl = 60s; }\n`);
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
