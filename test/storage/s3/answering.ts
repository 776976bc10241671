/** A store with the answers of a test, and the requests that it receives over the wire. */
import type { IncomingHttpHeaders } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Bucket } from '../../../src/storage/bucket.ts';
import { openS3Bucket } from '../../../src/storage/s3/bucket.ts';
import type { S3Options } from '../../../src/storage/s3/store.ts';
import { serveLoopback } from '../../support/loopback.ts';

/** A request. */
export type Sent = {
  readonly method: string;
  /** Encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type Reply = {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
};

/** Serves until the test is over. Returns the origin; the credentials for it go to the environment. */
export async function serveAnswers(answer: (sent: Sent) => Reply | Promise<Reply>): Promise<string> {
  process.env.AWS_ACCESS_KEY_ID = 'test-key';
  process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
  return await serveLoopback(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = incoming;
    const { searchParams: query } = new URL(url, 'http://store');
    const path = url.replace(/\?.*/, '');
    const reply = await answer({ method, path, query, headers, body: Buffer.concat(chunks) });
    outgoing.writeHead(reply.status, reply.headers).end(reply.body);
  });
}

/** The bucket `stays` of such a store. */
export async function openAnswering(
  answer: (sent: Sent) => Reply | Promise<Reply>,
  options: Partial<S3Options> = {},
): Promise<Bucket> {
  const endpoint = await serveAnswers(answer);
  const { bucket, close } = openS3Bucket({ bucket: 'stays', prefix: '', endpoint, ...options });
  onTestFinished(close);
  return bucket;
}
