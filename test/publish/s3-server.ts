/** A real server that speaks the protocol of S3: the local one of Cloudflare R2. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';
import { type OpenBucket, openS3, type S3Options } from '../../src/publish/s3-bucket.ts';

export type S3Server = {
  endpoint: string;
  /** Opens a bucket below a prefix. */
  open: (prefix: string, options?: Partial<S3Options>) => OpenBucket;
  stop: () => Promise<void>;
};

export const S3_BUCKET = 'stays';

/** Starts a server with one empty bucket. The credentials go to the environment, where the SDK looks. */
export async function startS3(): Promise<S3Server> {
  process.env.AWS_ACCESS_KEY_ID = 'test-key';
  process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
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
  const endpoint = `${url.origin}/cdn-cgi/local/r2/s3`;
  return {
    endpoint,
    open: (prefix, options) => openS3({ bucket: S3_BUCKET, prefix, endpoint, ...options }),
    async stop() {
      await server.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
