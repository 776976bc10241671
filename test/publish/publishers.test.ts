/** One publisher at a time. */
import { beforeAll, expect, it } from 'vitest';
import { publishRelease } from '../../src/publish/publish.ts';
import { type Bucket, BucketError } from '../../src/storage/bucket.ts';
import { withRetry } from '../../src/storage/retrying-bucket.ts';
import { openTemporary } from '../support/bucket.ts';
import { type Google, serveGoogle } from '../support/google.ts';
import { useS3 } from '../support/s3.ts';
import { expectObjects } from './catalogue.ts';
import { describePublishers, makeReleases } from './publishers.ts';

const s3 = useS3();
let google: Google;
beforeAll(async () => {
  google = await serveGoogle();
});

describePublishers('a folder', openTemporary);
describePublishers('S3', s3.openPrefix);
describePublishers('Google Cloud Storage', () => google.open());

it('a store without conditional writes is refused, and can be published to without a lock', async () => {
  const releases = await makeReleases(2);
  const proxy = await s3.openProxy();
  const retried = withRetry(s3.open(undefined, { endpoint: proxy.endpoint }), { attempts: 3, delay: 1 });
  const bucket: Bucket = { ...retried, write: (key, body, headers) => retried.write(key, body, headers) };
  await expect(publishRelease(bucket, releases[0]!.source)).rejects.toMatchObject({
    code: 'no-conditional-writes',
    message: expect.stringContaining('a second write with If-None-Match: * was written'),
  });
  await expectObjects(bucket, new Map());
  for (const { source, objects: expected } of releases) {
    await publishRelease(bucket, source, { lock: { isExclusive: false } });
    await expectObjects(bucket, expected);
  }
  // The remains of an interruption are known all the same.
  proxy.onRequest((number) => (number === 9 ? 'outage' : undefined));
  const broken = publishRelease(bucket, releases[0]!.source, { lock: { isExclusive: false } });
  await expect(broken).rejects.toBeInstanceOf(BucketError);
  proxy.onRequest(() => undefined);
  await publishRelease(bucket, releases[1]!.source, { lock: { isExclusive: false } });
  await expectObjects(bucket, releases[1]!.objects);
});
