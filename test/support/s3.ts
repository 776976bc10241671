/** Cloudflare R2's local server, or the server at `CATALOGUE_TEST_S3` (`scripts/radosgw-test.sh`). */
import { randomUUID } from 'node:crypto';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Bucket, OpenedBucket } from '../../src/storage/bucket.ts';
import { withRetry } from '../../src/storage/retrying-bucket.ts';
import { openS3Bucket } from '../../src/storage/s3/bucket.ts';
import type { S3Options } from '../../src/storage/s3/store.ts';
import { type FaultyProxy, startProxy } from './proxy.ts';
import { temporaryFolder } from './temporary.ts';

export type S3Server = {
  endpoint: string;
  open: (prefix: string, options?: Partial<S3Options>) => OpenedBucket;
  stop: () => Promise<void>;
};

export const S3_BUCKET = 'stays';

async function useServer(endpoint: string): Promise<S3Server> {
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET })).catch((error: Error) => {
    if (!/^BucketAlready/.test(error.name)) throw error;
  });
  client.destroy();
  const run = randomUUID();
  return {
    endpoint,
    open: (prefix, options) =>
      openS3Bucket({ bucket: S3_BUCKET, prefix: `${run}/${prefix}`, endpoint, ...options }),
    stop: async () => {},
  };
}

export async function startS3(): Promise<S3Server> {
  process.env.AWS_ACCESS_KEY_ID = 'test-key';
  process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  if (process.env.CATALOGUE_TEST_S3) return useServer(process.env.CATALOGUE_TEST_S3);
  const server = new Miniflare({
    modules: true,
    script: 'export default { fetch() { return new Response(null, { status: 404 }); } }',
    r2Persist: temporaryFolder(),
    r2Buckets: {
      BUCKET: {
        id: S3_BUCKET,
        s3Credentials: { accessKeyId: 'test-key', secretAccessKey: 'test-secret' },
      },
    },
  });
  const url = await server.ready;
  // The local server sends no Date header, unlike the real store. The proxy adds it.
  const proxy = await startProxy(`${url.origin}/cdn-cgi/local/r2/s3`);
  const { endpoint } = proxy;
  return {
    endpoint,
    open: (prefix, options) => openS3Bucket({ bucket: S3_BUCKET, prefix, endpoint, ...options }),
    async stop() {
      await proxy.stop();
      await server.dispose();
    },
  };
}

/** The server runs for all tests of the file. */
export function useS3() {
  let server: S3Server;
  let proxy: FaultyProxy | undefined;
  let prefixes = 0;
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(async () => {
    await proxy?.stop();
    await server.stop();
  });
  /** Closed at the end of the test. */
  const open = (prefix = `p${prefixes++}`, options: Partial<S3Options> = {}): Bucket => {
    const { bucket, close } = server.open(prefix, options);
    onTestFinished(close);
    return bucket;
  };
  return {
    endpoint: () => server.endpoint,
    open,
    /** Retries, as commands do: some stores refuse overlapping writes with "try again". */
    openPrefix: (): Bucket => withRetry(open()),
    /** All tests of the file share the proxy. */
    openProxy: async (): Promise<FaultyProxy> => {
      proxy ??= await startProxy(server.endpoint);
      proxy.onRequest(() => undefined);
      return proxy;
    },
  };
}
