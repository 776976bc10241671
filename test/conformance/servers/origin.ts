import type { RunningServer, ServerInput } from '../server.ts';
import { startNginxWith } from './nginx.ts';

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
  const files = (port: number) => `server { listen 127.0.0.1:${port}; root ${root}; }`;
  const origin = await startNginxWith(work, 'origin', files);
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
