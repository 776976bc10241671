import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type RunningServer, type ServerInput, startProgram } from '../server.ts';

/** What an origin needs. */
export const ORIGIN_NEEDS = { program: '/usr/sbin/nginx', package: 'nginx' };

/**
 * Starts a server of plain files, and a target in front of it; both stop together.
 *
 * @param input with the port of an origin, the target stands in front of that one instead.
 * @param start starts the target, given the port of the files.
 */
export async function startBeforeOrigin(
  { root, work, origin: other }: Pick<ServerInput, 'root' | 'work' | 'origin'>,
  start: (origin: number) => Promise<RunningServer>,
): Promise<RunningServer> {
  if (other !== undefined) return start(other);
  const origin = await startOrigin(root, work);
  try {
    const server = await start(origin.port);
    return {
      port: server.port,
      stop: async () => {
        await server.stop();
        await origin.stop();
      },
    };
  } catch (error) {
    await origin.stop();
    throw error;
  }
}

async function startOrigin(root: string, work: string): Promise<RunningServer> {
  const port = await freePort();
  const configuration = join(work, 'origin.conf');
  writeFileSync(
    configuration,
    `daemon off;
worker_processes 1;
user root;
pid ${work}/origin.pid;
error_log ${work}/origin.log warn;
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
    server {
        listen 127.0.0.1:${port};
        root ${root};
    }
}
`,
  );
  return startProgram('/usr/sbin/nginx', ['-p', work, '-c', configuration], port);
}
