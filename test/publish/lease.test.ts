/** One publisher at a time. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DistSource, openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { type Bucket, BucketError } from '../../src/storage/bucket.ts';
import { isAtRest, readLease } from '../../src/storage/lease-record.ts';
import { withRetry } from '../../src/storage/retry.ts';
import { openTemporary } from '../support/bucket.ts';
import { useS3 } from '../support/s3.ts';
import { createCatalogue, objects, tree } from './catalogue.ts';

const s3 = useS3();

/** The requested number of releases of the same properties. */
async function makeReleases(count: number): Promise<{ source: DistSource; objects: Map<string, string> }[]> {
  const catalogue = createCatalogue(4);
  const releases: { source: DistSource; objects: Map<string, string> }[] = [];
  for (let n = 0; n < count; n++) {
    catalogue.add(1, { title: `Number ${n}` });
    const out = await catalogue.buildTo(`dist-${n}`);
    releases.push({ source: await openDist(out), objects: tree(join(out, 'public')) });
  }
  return releases;
}

describe.each([
  ['a folder', openTemporary],
  ['S3', s3.openPrefix],
])('publishers of %s', (_name, open) => {
  it('ten at once: one publishes, the others name it', { timeout: 600_000 }, async () => {
    const bucket = open();
    const releases = await makeReleases(2);
    await publishRelease(bucket, releases[0]!.source);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        publishRelease(bucket, releases[1]!.source, { lock: { owner: `publisher ${n}` } }).then(
          ({ outcome }) => ({ code: outcome, message: '' }),
          ({ code, message }: { code: string; message: string }) => ({ code, message }),
        ),
      ),
    );
    expect(outcomes.filter(({ code }) => code === 'published')).toHaveLength(1);
    const others = outcomes.filter(({ code }) => code !== 'published');
    for (const { code, message } of others) {
      // A later publisher has nothing to do.
      if (code === 'unchanged') continue;
      expect(code).toBe('bucket-locked');
      expect(message).toMatch(/^(?:publisher \d|another publisher) is publishing to .*--force-unlock/);
    }
    const locked = others.filter(({ code }) => code === 'bucket-locked');
    for (const { message } of locked.slice(0, -1)) expect(message).toMatch(/ since 20/);
    expect(await objects(bucket)).toEqual(releases[1]!.objects);
    expect(isAtRest((await readLease(bucket))!.record)).toBe(true);
  });

  it('a publisher finds nothing to do when another one has published the same before', async () => {
    const bucket = open();
    const releases = await makeReleases(2);
    await publishRelease(bucket, releases[0]!.source);
    let isFirst = true;
    const late: Bucket = {
      ...bucket,
      async write(key, ...rest) {
        if (isFirst) {
          isFirst = false;
          await publishRelease(bucket, releases[1]!.source);
        }
        return bucket.write(key, ...rest);
      },
    };
    const { release } = releases[1]!.source;
    expect(await publishRelease(late, releases[1]!.source)).toMatchObject({
      outcome: 'unchanged',
      release: release.name,
      previous: release.name,
      removed: 0,
      bytes: 0,
    });
    expect(await objects(bucket)).toEqual(releases[1]!.objects);
    expect(isAtRest((await readLease(bucket))!.record)).toBe(true);
  });
});

it('a store without conditional writes is refused, and can be published to without a lock', async () => {
  const releases = await makeReleases(2);
  const proxy = await s3.openProxy();
  const retried = withRetry(s3.open(undefined, { endpoint: proxy.endpoint }), { attempts: 3, delay: 1 });
  const bucket: Bucket = { ...retried, write: (key, body, headers) => retried.write(key, body, headers) };
  await expect(publishRelease(bucket, releases[0]!.source)).rejects.toMatchObject({
    code: 'no-conditional-writes',
    message: expect.stringContaining('a second write with If-None-Match: * was written'),
  });
  expect(await objects(bucket)).toEqual(new Map());
  for (const { source, objects: expected } of releases) {
    await publishRelease(bucket, source, { lock: { isExclusive: false } });
    expect(await objects(bucket)).toEqual(expected);
  }
  // The remains of an interruption are known all the same.
  proxy.onRequest((number) => (number === 9 ? 'outage' : undefined));
  const broken = publishRelease(bucket, releases[0]!.source, { lock: { isExclusive: false } });
  await expect(broken).rejects.toBeInstanceOf(BucketError);
  proxy.onRequest(() => undefined);
  await publishRelease(bucket, releases[1]!.source, { lock: { isExclusive: false } });
  expect(await objects(bucket)).toEqual(releases[1]!.objects);
});
