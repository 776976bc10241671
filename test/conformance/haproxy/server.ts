import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type RunningServer, type ServerInput, type ServerKind, startProgram } from '../server.ts';
import { NGINX } from '../servers/nginx.ts';
import { startBeforeOrigin } from '../servers/origin.ts';

/** HAProxy in front of a server of plain files. */
export const haproxyServer: ServerKind<'haproxy'> = {
  target: 'haproxy',
  needs: [{ program: '/usr/sbin/haproxy', package: 'haproxy' }, NGINX],
  origin: { knowsTotals: true, isBucketBySetting: true },
  start: (input) =>
    startBeforeOrigin(input, async (origin) => {
      const { edge } = input;
      const port = await freePort();
      const env = {
        ...process.env,
        CATALOGUE_BIND: `127.0.0.1:${port}`,
        CATALOGUE_ORIGIN: `127.0.0.1:${origin}`,
      };
      return startProgram('/usr/sbin/haproxy', ['-db', '-f', join(edge, 'haproxy.cfg')], port, { env });
    }),
  benchmark: startPlain,
};

/** The same server without the rewrite. */
function startPlain({ root, work }: ServerInput): Promise<RunningServer> {
  return startBeforeOrigin({ root, work }, async (origin) => {
    const port = await freePort();
    const path = join(work, 'plain-haproxy.cfg');
    writeFileSync(
      path,
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
