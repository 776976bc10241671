import { expect, it } from 'vitest';
import { withRetry } from '../../src/storage/retrying-bucket.ts';
import type { Fault } from '../support/proxy.ts';
import { useS3 } from '../support/s3.ts';
import { createCatalogue, expectObjects, photo, tree } from './catalogue.ts';

const s3 = useS3();

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
  const proxy = await s3.openProxy();
  const direct = s3.open('storm');
  const through = s3.open('storm', { endpoint: proxy.endpoint, connections: 8, timeout: 2000 });
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
  const bucket = withRetry(through, { attempts: 12, delay: 2, longest: 30 });
  expect((await catalogue.publish(bucket, { concurrency: 8 })).outcome).toBe('published');
  await expectObjects(direct, tree(catalogue.public));
  expect(faults).toBeGreaterThan(20);
});
