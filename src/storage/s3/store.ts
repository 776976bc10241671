/** A store that speaks the protocol of S3: where it is, who asks, and what its refusals mean. */
import { BucketError } from '../bucket.ts';
import type { RetryOptions } from '../retry.ts';
import { findCredentials, findRegion } from './account.ts';
import { addressOf } from './address.ts';
import { type Answer, openConnection, type Request } from './connection.ts';
import { type Asked, failureOf, refusalOf } from './errors.ts';
import { createSigner } from './signature.ts';

/** How to reach a bucket. */
export type S3Options = {
  readonly bucket: string;
  /** Start of every key, without a slash at the end; empty for none. */
  readonly prefix: string;
  /** URL of a server that speaks the protocol. @default `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, else AWS */
  readonly endpoint?: string | undefined;
  /** @default from the environment or the profile; else, with an endpoint, `us-east-1`, which every other server takes */
  readonly region?: string | undefined;
  /** Requests in flight at most. @default 32 */
  readonly connections?: number | undefined;
  /** Milliseconds without an answer after which a request has failed. @default 60000 */
  readonly timeout?: number | undefined;
  /** Keys that one request lists at most. @default 1000 */
  readonly listed?: number | undefined;
  /** How to try the parts of a large object again. */
  readonly retry?: RetryOptions | undefined;
};

/** One bucket of a store. */
export type Store = {
  /** As the user named it, such as `s3://stays/live`. */
  readonly name: string;
  /** Start of every key: the prefix and a slash, or nothing. */
  readonly start: string;
  readonly isAws: boolean;
  /**
   * Sends a request, and returns the answer when it is a success.
   *
   * @throws ConditionFailed, NotFound, RequestExpired, or BucketError with the cause and what to do.
   */
  readonly ask: (request: Request, isConditional?: boolean) => Promise<Answer>;
  readonly close: () => void;
};

/** Opens a store. The first request connects, since the region may have to be read from a file. */
export function openStore(options: S3Options): Store {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const endpoint = options.endpoint ?? (AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL || undefined);
  const { bucket, prefix } = options;
  const start = prefix === '' ? '' : `${prefix}/`;
  const name = `s3://${bucket}${prefix && `/${prefix}`}`;
  let opened: ReturnType<typeof connect> | undefined;
  const open = () => {
    opened ??= connect({ ...options, endpoint }).catch((error: unknown) => {
      throw failureOf(error, { where: name, isConditional: false, region: '' });
    });
    return opened;
  };
  return {
    name,
    start,
    isAws: endpoint === undefined,
    async ask(request, isConditional = false) {
      const { connection, region } = await open();
      const asked = (): Asked => {
        const where = request.key === undefined ? name : `${name}/${request.key.slice(start.length)}`;
        return { where, isConditional, region };
      };
      let answer: Answer;
      try {
        answer = await connection.send(request);
      } catch (error) {
        request.limit?.signal.throwIfAborted();
        throw failureOf(error, asked());
      }
      if (answer.status > 299) throw refusalOf(answer, asked());
      return answer;
    },
    close: () => void opened?.then(({ connection }) => connection.close()).catch(() => {}),
  };
}

async function connect({ bucket, endpoint, region, connections = 32, timeout = 60_000 }: S3Options) {
  const found = region ?? (await findRegion()) ?? (endpoint ? 'us-east-1' : undefined);
  if (!found) {
    throw new BucketError(
      'bucket-region',
      `There is no region for s3://${bucket}. Name it with --region or AWS_REGION.`,
      false,
    );
  }
  const connection = await openConnection({
    address: addressOf(bucket, found, endpoint),
    signer: createSigner('s3', found),
    credentials: findCredentials(),
    connections,
    timeout,
  });
  return { connection, region: found };
}
