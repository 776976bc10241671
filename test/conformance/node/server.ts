import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createHandler, type ReadFile } from '../../../src/serve/handler.ts';
import { listening, type ServerKind } from '../server.ts';

/** The handler of this package in Node's own server. */
export const nodeServer: ServerKind<'node'> = {
  target: 'node',
  benchmark: 'own paths',
  cutsPages: true,
  needs: [],
  origin: {},
  start: async ({ root, fixture, origin }) => {
    const apiKeys = fixture.keys.map((key) => createHash('sha256').update(key).digest('hex'));
    return listening(
      createServer(createHandler({ root, apiKeys, ...(origin ? { read: readFrom(origin) } : {}) })),
    );
  },
};

/** In place of the folder: a disk that fails when the origin does. */
function readFrom(origin: number): ReadFile {
  return async (key) => {
    const path = key.split('/').map(encodeURIComponent).join('/');
    const response = await fetch(`http://127.0.0.1:${origin}/${path}`, { redirect: 'manual' });
    if (response.status === 200) return Buffer.from(await response.arrayBuffer());
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw Object.assign(new Error(`EIO: ${key}, ${response.status}`), { code: 'EIO' });
  };
}
