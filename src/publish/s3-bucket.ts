/** A bucket in AWS S3, or in anything that speaks its protocol. */
import { createHash } from 'node:crypto';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import {
  type Bucket,
  BucketError,
  ConditionFailed,
  isHash,
  isTagOf,
  type ListedObject,
  type ObjectHeaders,
} from './bucket.ts';
import { s3Error } from './s3-error.ts';

/** How to reach a bucket. Credentials come from the SDK's own chain. */
export type S3Options = {
  readonly bucket: string;
  /** Start of every key, without a slash at the end; empty for none. */
  readonly prefix: string;
  /** URL of a server that speaks the protocol. @default AWS */
  readonly endpoint?: string | undefined;
  /** @default from the environment; else, with an endpoint, `us-east-1`, which every other server takes */
  readonly region?: string | undefined;
  /** Requests in flight at most. @default 32 */
  readonly connections?: number | undefined;
  /** Milliseconds without an answer after which a request has failed. @default 60000 */
  readonly timeout?: number | undefined;
  /** Keys that one request lists at most. @default 1000 */
  readonly listed?: number | undefined;
};

/** A bucket that holds connections. */
export type OpenBucket = { readonly bucket: Bucket; readonly close: () => void };

/** A condition as the SDK spells it. */
type S3Condition = { readonly IfNoneMatch: '*' } | { readonly IfMatch: string };

/** Objects that one request can remove. */
const REMOVED_AT_ONCE = 1000;

/** Opens a bucket. Nothing is asked of the server yet. */
export function openS3(options: S3Options): OpenBucket {
  const client = createClient(options);
  const { bucket: Bucket, prefix, endpoint, listed = 1000 } = options;
  const start = prefix === '' ? '' : `${prefix}/`;
  const name = `s3://${Bucket}${prefix && `/${prefix}`}`;
  const fail = (error: unknown, key: string, isConditional = false) =>
    s3Error(error, `${name}/${key}`, isConditional);

  let isPlain = false;
  const put = async (
    key: string,
    body: Buffer,
    headers: ObjectHeaders,
    condition: S3Condition | undefined,
  ) => {
    const command = new PutObjectCommand({
      Bucket,
      Key: start + key,
      Body: body,
      ContentType: headers.contentType,
      CacheControl: headers.cacheControl,
      ...(headers.contentEncoding ? { ContentEncoding: headers.contentEncoding } : {}),
      // The signature covers the SHA-256 of the body, which every server checks. AWS also keeps it with the object;
      // other servers may not know this header.
      ...(endpoint ? {} : { ChecksumSHA256: createHash('sha256').update(body).digest('base64') }),
      ...condition,
    });
    try {
      const { ETag = '', ServerSideEncryption } = await client.send(command);
      const isHashed = ServerSideEncryption === undefined || ServerSideEncryption === 'AES256';
      if (isHashed && isHash(ETag) && !isTagOf(ETag, body)) {
        throw new BucketError('bucket-failed', `${name}/${key} arrived damaged.`, true);
      }
      return { tag: ETag };
    } catch (error) {
      throw fail(error, key, condition !== undefined);
    }
  };

  const bucket: Bucket = {
    name,
    async read(key) {
      try {
        const {
          Body,
          ETag = '',
          LastModified: modified,
        } = await client.send(new GetObjectCommand({ Bucket, Key: start + key }));
        return { body: Buffer.from((await Body?.transformToByteArray()) ?? []), tag: ETag, modified };
      } catch (error) {
        return absent(fail(error, key));
      }
    },
    async inspect(key) {
      try {
        const head = await client.send(new HeadObjectCommand({ Bucket, Key: start + key }));
        const { ETag: tag = '', ContentLength: size = 0, LastModified: modified = new Date(0) } = head;
        const headers: Partial<ObjectHeaders> = {
          ...(head.ContentType ? { contentType: head.ContentType } : {}),
          ...(head.CacheControl ? { cacheControl: head.CacheControl } : {}),
          ...(head.ContentEncoding ? { contentEncoding: head.ContentEncoding } : {}),
        };
        return { tag, size, modified, headers };
      } catch (error) {
        return absent(fail(error, key));
      }
    },
    async write(key, body, headers, condition) {
      if (!condition || 'absent' in condition)
        return put(key, body, headers, condition && { IfNoneMatch: '*' });
      const plain = condition.tag.replace(/"/g, '');
      // What was sent, not what another write has found out since.
      const sent = isPlain ? plain : condition.tag;
      try {
        return await put(key, body, headers, { IfMatch: sent });
      } catch (error) {
        if (!(error instanceof ConditionFailed) || sent === plain) throw error;
        // Ceph compares with the tag without its quotes, which others refuse.
        if ((await bucket.inspect(key))?.tag !== condition.tag) throw error;
        const written = await put(key, body, headers, { IfMatch: plain });
        isPlain = true;
        return written;
      }
    },
    async *list(keyPrefix, after) {
      let token: string | undefined;
      do {
        const page = await client
          .send(
            new ListObjectsV2Command({
              Bucket,
              Prefix: start + keyPrefix,
              MaxKeys: listed,
              ...(token ? { ContinuationToken: token } : after ? { StartAfter: start + after } : {}),
            }),
          )
          .catch((error: unknown) => {
            throw fail(error, keyPrefix);
          });
        for (const { Key = '', ETag = '', Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
          yield {
            key: Key.slice(start.length),
            tag: ETag,
            size: Size,
            modified: LastModified,
          } satisfies ListedObject;
        }
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (token);
    },
    async remove(keys) {
      for (let from = 0; from < keys.length; from += REMOVED_AT_ONCE) {
        await removeSome(keys.slice(from, from + REMOVED_AT_ONCE));
      }
    },
  };

  const removeSome = async (keys: readonly string[]) => {
    const Objects = keys.map((key) => ({ Key: start + key }));
    try {
      const { Errors = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
      );
      const [first] = Errors.filter(({ Code }) => Code !== 'NoSuchKey');
      if (first) {
        const isTransient = /^(?:InternalError|SlowDown|ServiceUnavailable)$/.test(first.Code ?? '');
        const text = `${name} did not remove ${first.Key}: ${first.Code} ${first.Message ?? ''}`.trim();
        throw new BucketError(
          first.Code === 'AccessDenied' ? 'bucket-denied' : 'bucket-failed',
          text,
          isTransient,
        );
      }
    } catch (error) {
      const failure = fail(error, '');
      // Google's interoperability, for one, removes one at a time.
      if (!(failure instanceof BucketError) || failure.code !== 'condition-unsupported') throw failure;
      for (const { Key } of Objects) {
        await client.send(new DeleteObjectCommand({ Bucket, Key })).catch((cause: unknown) => {
          absent(fail(cause, Key));
        });
      }
    }
  };

  return { bucket, close: () => client.destroy() };
}

/** No object, when that is what the failure says; a bucket that does not exist is another matter. */
function absent(failure: Error): undefined {
  if (failure.name === 'NotFound') return undefined;
  throw failure;
}

function createClient({ endpoint, region, connections = 32, timeout = 60_000 }: S3Options): S3Client {
  const ownRegion =
    region ??
    (endpoint && !process.env.AWS_REGION && !process.env.AWS_DEFAULT_REGION ? 'us-east-1' : undefined);
  const client = new S3Client({
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(ownRegion ? { region: ownRegion } : {}),
    // Retries are the retry decorator's: there is one place that knows what may be sent again.
    maxAttempts: 1,
    // Servers other than AWS do not know checksums in trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: Math.min(timeout, 10_000),
      requestTimeout: timeout,
      throwOnRequestTimeout: true,
      socketTimeout: timeout,
      httpAgent: { keepAlive: true, maxSockets: connections },
      httpsAgent: { keepAlive: true, maxSockets: connections },
    },
  });
  client.middlewareStack.add(
    (next, context) => (call) => {
      const request = call.request as { headers: Record<string, string>; body?: string | Uint8Array };
      // Some servers want this for the removal of many objects, and know no other checksum.
      if (context.commandName === 'DeleteObjectsCommand' && request.body !== undefined) {
        request.headers['content-md5'] = createHash('md5').update(request.body).digest('base64');
      }
      return next(call);
    },
    { step: 'build', priority: 'low', name: 'contentDigest' },
  );
  return client;
}
