import { join } from 'node:path';
import { FEWER_SIZES, freePort, type ServerKind, startProgram } from '../server.ts';

/** Caddy, twice in one process: the site, and its router at a socket. */
export const caddyServer: ServerKind = {
  target: 'caddy',
  needs: [{ program: '/usr/bin/caddy', package: 'caddy' }],
  sizes: FEWER_SIZES,
  fuzz: 800,
  start: async ({ root, edge, work }) => {
    const port = await freePort();
    const env = {
      ...process.env,
      HOME: work,
      XDG_CONFIG_HOME: work,
      XDG_DATA_HOME: work,
      CATALOGUE_SITE: `http://:${port}`,
      CATALOGUE_ROOT: root,
      CATALOGUE_ROUTER: `unix/${join(work, 'router.sock')}`,
      CATALOGUE_ROUTER_FOLDER: join(edge, 'router'),
    };
    return startProgram('/usr/bin/caddy', ['run', '--config', join(edge, 'Caddyfile')], port, { env });
  },
};
