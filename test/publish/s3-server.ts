/**
 * A real server that speaks the protocol of S3: the local one of Cloudflare R2, or the one at `CATALOGUE_TEST_S3`
 * (`scripts/radosgw-test.sh`), whose key is `test-key` and secret `test-secret`.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { Miniflare } from 'miniflare';
import { type OpenBucket, openS3 } from '../../src/storage/s3/bucket.ts';
import type { S3Options } from '../../src/storage/s3/store.ts';
import { startProxy } from './proxy.ts';

export type S3Server = {
  endpoint: string;
  /** Opens a bucket below a prefix. */
  open: (prefix: string, options?: Partial<S3Options>) => OpenBucket;
  stop: () => Promise<void>;
};

export const S3_BUCKET = 'stays';

/** Makes the bucket on a server that runs already. */
async function useServer(endpoint: string): Promise<S3Server> {
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET })).catch((error: Error) => {
    if (!/^BucketAlready/.test(error.name)) throw error;
  });
  client.destroy();
  // Each file of tests has keys of its own.
  const run = randomUUID();
  return {
    endpoint,
    open: (prefix, options) =>
      openS3({ bucket: S3_BUCKET, prefix: `${run}/${prefix}`, endpoint, ...options }),
    stop: async () => {},
  };
}

/** Starts a server with one empty bucket. The credentials go to the environment, where the SDK looks. */
export async function startS3(): Promise<S3Server> {
  process.env.AWS_ACCESS_KEY_ID = 'test-key';
  process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  if (process.env.CATALOGUE_TEST_S3) return useServer(process.env.CATALOGUE_TEST_S3);
  // The server waits for the disk after every write.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'catalogue-s3-'));
  const server = new Miniflare({
    modules: true,
    script: 'export default { fetch() { return new Response(null, { status: 404 }); } }',
    r2Persist: folder,
    r2Buckets: {
      BUCKET: {
        id: S3_BUCKET,
        s3Credentials: { accessKeyId: 'test-key', secretAccessKey: 'test-secret' },
      },
    },
  });
  const url = await server.ready;
  // Unlike the stores that it stands for, it answers without a Date, which the proxy adds.
  const proxy = await startProxy(`${url.origin}/cdn-cgi/local/r2/s3`);
  const { endpoint } = proxy;
  return {
    endpoint,
    open: (prefix, options) => openS3({ bucket: S3_BUCKET, prefix, endpoint, ...options }),
    async stop() {
      await proxy.stop();
      await server.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
