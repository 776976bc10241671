/** Large objects of the simulated store: the real code for multipart uploads, above simulated S3 requests. */
import { createHash } from 'node:crypto';
import { multipartETag, type ObjectBody } from '../../src/storage/body.ts';
import type { Bucket, LargeBody } from '../../src/storage/bucket.ts';
import type { StoreRequest, StoreResponse } from '../../src/storage/http/connection.ts';
import { ObjectNotFound } from '../../src/storage/http/errors.ts';
import type { RetryOptions } from '../../src/storage/retrying-bucket.ts';
import { createMultipartWriter, createPartsDiscarder } from '../../src/storage/s3/multipart-upload.ts';
import type { S3Store } from '../../src/storage/s3/store.ts';
import type { SimulatedSource } from './releases.ts';

/** Uploads that were neither completed nor aborted, by name. */
export type Uploads = Map<
  string,
  {
    readonly key: string;
    readonly parts: Map<string, Buffer>;
    /** Its object is being assembled. */
    isTaken?: boolean;
  }
>;

/** A process's connection to the store. */
export type Reach = {
  readonly uploads: Uploads;
  /** Starts an upload. Returns its name. */
  readonly begin: (key: string) => string;
  readonly inspect: Bucket['inspect'];
  /** Stores an object with this tag. */
  readonly put: (key: string, body: Buffer, tag: string) => void;
  /** Does something somewhat later, or returns false. */
  readonly postpone: (work: () => void) => boolean;
  readonly send: <T>(changes: boolean, work: () => T, key: string) => Promise<T>;
};

const encoded = new Map<string, Buffer>();

/** Equal responses share their bytes, so that each is parsed once. */
function bytesOf(text: string): Buffer {
  const bytes = encoded.get(text) ?? Buffer.from(text);
  encoded.set(text, bytes);
  return bytes;
}

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();

/** What a bucket has in addition if it supports multipart uploads. */
export function withParts(reach: Reach, retry: RetryOptions): Pick<Bucket, 'writeLarge' | 'discardParts'> {
  const store: S3Store = {
    name: 'memory',
    keyPrefix: '',
    isAws: false,
    isGoogle: false,
    ask: (request) => {
      const { key = '', query = {} } = request;
      const completes = request.method === 'POST' && 'uploadId' in query;
      return reach.send(completes, () => answer(reach, request), key);
    },
    close() {},
  };
  return {
    writeLarge: createMultipartWriter(store, retry, reach.inspect),
    discardParts: createPartsDiscarder(store, retry),
  };
}

/** Behaves as S3 does for multipart uploads (AWS, "Amazon S3 API Reference"). */
function answer(
  { uploads, begin, put, postpone }: Reach,
  { method, key = '', query = {}, body }: StoreRequest,
): StoreResponse {
  const say = (text = '', etag?: string) => ({
    ...{ status: 200, headers: { etag }, body: bytesOf(text), time: undefined },
  });
  const { uploadId = '', partNumber = '' } = query;
  const upload = uploads.get(uploadId);
  if (method === 'GET') {
    const all = [...uploads].map(
      ([id, { key: of }]) => `<Upload><Key>${of}</Key><UploadId>${id}</UploadId></Upload>`,
    );
    return say(`<ListMultipartUploadsResult>${all.join('')}</ListMultipartUploadsResult>`);
  }
  if (method === 'POST' && 'uploads' in query) {
    const id = begin(key);
    return say(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
  }
  if (!upload) throw new ObjectNotFound(key);
  if (method === 'PUT') {
    upload.parts.set(partNumber, body!);
    return say('', `"${md5(body!).toString('hex')}"`);
  }
  if (method === 'DELETE') {
    if (!upload.isTaken) uploads.delete(uploadId);
    return say();
  }
  const named = [...body!.toString('utf8').matchAll(/<PartNumber>(\d+)</g)].map(([, number]) => number!);
  const parts = named.map((number) => upload.parts.get(number)!);
  const tag = multipartETag(parts.map(md5));
  const complete = () => {
    if (uploads.delete(uploadId)) put(key, Buffer.concat(parts), tag);
  };
  // A store may respond with an error and still assemble the object; aborting is then too late.
  upload.isTaken = postpone(complete);
  if (upload.isTaken) return say('<Error><Code>InternalError</Code></Error>');
  complete();
  const result = 'CompleteMultipartUploadResult';
  return say(`<${result}><ETag>${tag.replaceAll('"', '&quot;')}</ETag></${result}>`);
}

/** The same release, but its documents are uploaded in parts. */
export function withLargeDocuments(source: SimulatedSource): SimulatedSource {
  const inParts = (bytes: Buffer): LargeBody => ({
    size: bytes.length,
    read: async (from, to) => bytes.subarray(from, to),
  });
  const body = async (object: Parameters<SimulatedSource['body']>[0]): Promise<ObjectBody> => {
    const bytes = await source.body(object);
    return object.kind === 'document' && Buffer.isBuffer(bytes) ? inParts(bytes) : bytes;
  };
  return { ...source, body };
}
