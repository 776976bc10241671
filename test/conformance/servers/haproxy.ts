import { join } from 'node:path';
import { freePort, type ServerKind, startProgram } from '../server.ts';
import { ORIGIN_NEEDS, startBeforeOrigin } from './origin.ts';

/** HAProxy in front of a server of plain files. */
export const haproxyServer: ServerKind = {
  target: 'haproxy',
  needs: [{ program: '/usr/sbin/haproxy', package: 'haproxy' }, ORIGIN_NEEDS],
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
};
