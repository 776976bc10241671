import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { createHandler } from '../../../src/preview/handler.ts';
import { listening, type ServerKind } from '../server.ts';

/** The handler of this package in Node's own server. */
export const nodeServer: ServerKind = {
  target: 'node',
  needs: [],
  start: async ({ root, fixture }) => {
    const apiKeys = fixture.keys.map((key) => createHash('sha256').update(key).digest('hex'));
    return listening(createServer(createHandler({ root, apiKeys })));
  },
};
