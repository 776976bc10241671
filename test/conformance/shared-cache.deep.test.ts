/** A keyed catalogue behind a cache that several people share and that ignores `Vary` (B13). */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary.ts';
import { openConnection } from './client.ts';
import { withServer } from './conformance.ts';
import { fetchServer } from './fetch-handler/server.ts';
import { GUARDED_KEY, makeFixture } from './fixture.ts';
import { nodeServer } from './node/server.ts';
import type { RunningServer, ServerKind } from './server.ts';
import { NGINX, startNginxWith } from './servers/nginx.ts';
import { skipWithout } from './suite.ts';

const KEY = 'first-key-0123456789';
const fixture = makeFixture({ base: '', sizes: [25], keys: [KEY] });

/** The cache of nginx stores every answer that allows it, for all clients that request the same path. */
function startCache(origin: number): Promise<RunningServer> {
  const work = temporaryFolder();
  for (const name of ['body', 'kept']) mkdirSync(join(work, name));
  return startNginxWith(
    work,
    'cache',
    (port) => `proxy_cache_path ${work}/kept keys_zone=kept:1m;
    server {
        listen 127.0.0.1:${port};
        location / {
            proxy_pass http://127.0.0.1:${origin};
            proxy_cache kept;
            proxy_cache_key $request_uri;
            proxy_ignore_headers Vary;
            proxy_set_header Range $http_range;
            add_header X-Cache $upstream_cache_status always;
        }
    }`,
  );
}

const OPEN = makeFixture({ base: '', sizes: [25], keys: [] });

const KINDS: ServerKind[] = [nodeServer, fetchServer];

it.for(KINDS.map((kind) => [kind.target, kind] as const))(
  'serves nothing of %s to requests without a key (B13)',
  async ([, kind], context) => {
    await skipWithout([...kind.needs, NGINX], context);
    await withServer(kind, fixture, async ({ port }) => {
      const cache = await startCache(port);
      const connection = openConnection(cache.port);
      const ask = (path: string, key?: string) =>
        connection.send('GET', path, key === undefined ? [] : [['X-API-KEY', key]]);
      try {
        const list = '/api/v1/public/properties';
        const files = [...fixture.files.keys()].filter(
          (name) => GUARDED_KEY.test(name) && !name.includes('/pages/'),
        );
        const page = '/_catalogue/pages/FR/-/25-1.json';
        const paths = [list, `${list}?filter[country]=FR`, `${list}?page[number]=99`, page];
        for (const path of [...paths, ...files.map((name) => `/${name}`)]) {
          for (let turn = 0; turn < 2; turn++) {
            // The first answer with a key would fill the cache; and a refusal must not be stored either.
            expect([path, (await ask(path, KEY)).status]).toEqual([path, 200]);
            expect([path, (await ask(path)).status]).toEqual([path, 401]);
            expect([path, (await ask(path, 'wrong')).status]).toEqual([path, 401]);
          }
        }
        // The cache works: it stores open files.
        const detail = `${list}/${fixture.summaries[0]!.id}`;
        await ask(detail);
        const kept = (await ask(detail)).headers.find(([name]) => name === 'x-cache')?.[1];
        expect(kept).toBe('HIT');
      } finally {
        connection.close();
        await cache.stop();
      }
    });
  },
);

it.for(KINDS.map((kind) => [kind.target, kind] as const))(
  'keeps no part of a file of %s as the file (E1)',
  async ([, kind], context) => {
    await skipWithout([...kind.needs, NGINX], context);
    await withServer(kind, OPEN, async ({ port }) => {
      const cache = await startCache(port);
      const connection = openConnection(cache.port);
      try {
        for (const key of ['media/00ff00ff00ff00ff00ff00ff00ff00ff.jpg', 'openapi.json', 'docs/index.html']) {
          const whole = OPEN.files.get(key)!;
          for (const range of ['bytes=0-1,3-4', 'items=0-5', 'bytes=0-0,-1']) {
            const target = `/${key}?${encodeURIComponent(range)}`;
            const first = await connection.send('GET', target, [['Range', range]]);
            expect([target, first.status, first.body.equals(whole)]).toEqual([target, 200, true]);
            const second = await connection.send('GET', target);
            expect([target, second.status, second.body.equals(whole)]).toEqual([target, 200, true]);
          }
        }
      } finally {
        connection.close();
        await cache.stop();
      }
    });
  },
);
