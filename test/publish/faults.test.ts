import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { MANIFEST_KEY } from '../../src/contract/keys.ts';
import { type DistSource, openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { type Bucket, tagOf } from '../../src/storage/bucket.ts';
import { withRetry } from '../../src/storage/retry.ts';
import { createCatalogue, objects, photo, tree } from './catalogue.ts';
import { dated } from './made.ts';
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

/** Two releases that differ in everything that can change. */
async function makeReleases(): Promise<{ source: DistSource; objects: Map<string, string> }[]> {
  // Files that never change would only take time.
  const catalogue = createCatalogue(26, 'page_sizes: [25]\ndocs: false\nexplorer: {enabled: false}\n');
  for (const name of ['a', 'b']) catalogue.write(`${name}.jpg`, await photo(name.charCodeAt(0)));
  catalogue.add(1, { photo: [{ file: 'a.jpg' }] });
  const one = await catalogue.buildTo('one');
  catalogue.add(1, { photo: [{ file: 'b.jpg' }] });
  for (const n of [25, 26]) catalogue.remove(`house-${n}.yaml`);
  catalogue.add(0);
  const other = await catalogue.buildTo('other');
  return Promise.all(
    [one, other].map(async (out) => {
      const source = dated(await openDist(out), `2026-01-01T00:00:00Z`);
      const { bytes } = source.release;
      return { source, objects: tree(`${out}/public`).set(MANIFEST_KEY, tagOf(bytes)) };
    }),
  );
}

/** The objects of a bucket, except photos of another release, which stay until they are pruned. */
async function live(bucket: Bucket, expected: Map<string, string>): Promise<Map<string, string>> {
  const found = await objects(bucket);
  for (const key of found.keys()) if (key.startsWith('media/') && !expected.has(key)) found.delete(key);
  return found;
}

const FAULTS: [name: string, fault: Fault][] = [
  ['the connection is reset', 'reset'],
  ['the server fails with 500', { status: 500, code: 'InternalError' }],
  ['the server is too busy (503)', { status: 503, code: 'SlowDown' }],
  ['the server sees a conflict (409)', { status: 409, code: 'ConditionalRequestConflict' }],
  ['the answer is truncated', 'truncated'],
  ['a proxy sends the request twice', 'repeated'],
  ['no answer comes after the server did it', 'timeout'],
  ['nothing gets through any more', 'outage'],
  ['the answer is slow', 'slow'],
];

it('survives a storm of faults without a second run', { timeout: 600_000 }, async () => {
  const releases = await makeReleases();
  const direct = server.open('storm');
  const through = server.open('storm', { endpoint: proxy.endpoint, connections: 8, timeout: 2000 });
  onTestFinished(() => {
    direct.close();
    through.close();
  });
  const bucket = withRetry(through.bucket, { attempts: 12, delay: 2, longest: 30 });
  let state = 42;
  let faults = 0;
  proxy.onRequest((_index, { method }) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    const which = Math.floor((state / 2_147_483_648) * 24);
    const [name, fault] = FAULTS[which] && which < 6 ? FAULTS[which] : ['', undefined];
    // An answer to HEAD has no body, and cannot name the conflict; no server sees one there.
    if (method === 'HEAD' && name.includes('409')) return undefined;
    if (fault) faults++;
    return fault;
  });
  for (const { source, objects: expected } of [...releases, ...releases]) {
    // Answers are lost, so each publish waits until nothing of the one before can arrive any more.
    const { outcome } = await publishRelease(bucket, source, {
      concurrency: 8,
      lock: { life: 2000, duration: 20_000 },
    });
    expect(outcome).toBe('published');
    expect(await live(direct.bucket, expected)).toEqual(expected);
  }
  expect(faults).toBeGreaterThan(20);
});
