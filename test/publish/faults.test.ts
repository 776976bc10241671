import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { withRetry } from '../../src/storage/retry.ts';
import { createCatalogue, objects, photo, tree } from './catalogue.ts';
import { type Fault, type FaultyProxy, startProxy } from './proxy.ts';
import { type S3Server, startS3 } from './s3-server.ts';

let server: S3Server;
let proxy: FaultyProxy;
beforeAll(async () => {
  server = await startS3();
  proxy = await startProxy(server.endpoint);
});
afterAll(async () => {
  await proxy.stop();
  await server.stop();
});

const FAULTS: [name: string, fault: Fault][] = [
  ['the connection is reset', 'reset'],
  ['the server fails with 500', { status: 500, code: 'InternalError' }],
  ['the server is too busy (503)', { status: 503, code: 'SlowDown' }],
  ['the server sees a conflict (409)', { status: 409, code: 'ConditionalRequestConflict' }],
  ['the answer is truncated', 'truncated'],
  ['a proxy sends the request twice', 'repeated'],
];

it('a publish survives a storm of faults', { timeout: 600_000 }, async () => {
  const catalogue = createCatalogue(26, 'page_sizes: [1, 25]\ndocs: false\nexplorer: {enabled: false}\n');
  catalogue.write('a.jpg', await photo(40));
  catalogue.add(1, { photo: [{ file: 'a.jpg' }] });
  const direct = server.open('storm');
  const through = server.open('storm', { endpoint: proxy.endpoint, connections: 8, timeout: 2000 });
  onTestFinished(() => {
    direct.close();
    through.close();
  });
  let state = 42;
  let faults = 0;
  proxy.onRequest((_index, { method }) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const which = Math.floor((state / 2_147_483_648) * 24);
    const [name, fault] = FAULTS[which] ?? ['', undefined];
    // An answer to HEAD has no body, and cannot name the conflict; no server sees one there.
    if (method === 'HEAD' && name.includes('409')) return undefined;
    if (fault) faults++;
    return fault;
  });
  const bucket = withRetry(through.bucket, { attempts: 12, delay: 2, longest: 30 });
  expect((await catalogue.publish(bucket, { concurrency: 8 })).outcome).toBe('published');
  expect(await objects(direct.bucket)).toEqual(tree(catalogue.public));
  expect(faults).toBeGreaterThan(20);
});
