import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EnvironmentCode } from '../errors/codes.ts';
import { EnvironmentError } from '../errors/errors.ts';

const MAX_PORTS_TRIED = 20;

/** Returns the URL, without a trailing slash. @throws EnvironmentError with a code such as `EADDRINUSE`, and advice */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  try {
    await start(server, port, host);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const advice = await adviceFor(code, port, host);
    throw advice === undefined
      ? error
      : new EnvironmentError(code as EnvironmentCode, advice, { cause: error });
  }
  const address = server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${name}:${address.port}`;
}

export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function start(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function adviceFor(code: string, port: number, host: string): Promise<string | undefined> {
  switch (code) {
    case 'EADDRINUSE': {
      const free = await freePort(port, host);
      // npm takes options for itself unless they follow "--".
      const script = process.env.npm_lifecycle_event;
      const isScript = script !== undefined && script !== 'npx';
      const command = !isScript ? 'the command again with "' : `"npm run ${script} -- `;
      const proposal = free === undefined ? '' : `--port ${free}", which is free, or with "`;
      return `Another program uses port ${port} of ${host}. Run ${command}${proposal}--port 0" for any free port.`;
    }
    case 'EACCES':
      return `This user may not use port ${port} of ${host}. Choose a port from 1024 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Name one with --listen, such as 127.0.0.1, or 0.0.0.0 for all.`;
    default:
      return undefined;
  }
}

async function freePort(after: number, host: string): Promise<number | undefined> {
  for (let port = after + 1; port <= Math.min(after + MAX_PORTS_TRIED, 65_535); port++) {
    const server = createServer();
    try {
      await start(server, port, host);
      await new Promise((resolve) => server.close(resolve));
      return port;
    } catch {
      // This port is in use as well: try the next one.
    }
  }
  return undefined;
}
