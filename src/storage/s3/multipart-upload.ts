/** Multipart uploads of large objects (AWS, "Uploading and copying objects using multipart upload"). */
import { hash } from 'node:crypto';
import { multipartETag, PARTS_IN_FLIGHT, partRanges } from '../body.ts';
import { type Bucket, BucketError, type LargeBody, type WriteResult } from '../bucket.ts';
import { forEachConcurrently } from '../for-each.ts';
import { MD5_HEADER, type StoreRequest, type StoreResponse } from '../http/connection.ts';
import { errorFromResponse, invalidStoreResponseError, ObjectNotFound } from '../http/errors.ts';
import { escapeXml, readText, readUploads } from '../http/xml.ts';
import { type RetryOptions, sendChange, sendWithRetry } from '../retrying-bucket.ts';
import { objectHeaders } from './headers.ts';
import type { S3Store } from './store.ts';

type Part = { readonly number: number; readonly tag: string };

type Upload = {
  readonly where: string;
  readonly ask: (request: StoreRequest) => Promise<StoreResponse>;
};

/** Parts have no effect until the last request creates the object. Each is limited and retried separately. */
export function createMultipartWriter(
  store: S3Store,
  retry: RetryOptions,
  inspect: Bucket['inspect'],
): NonNullable<Bucket['writeLarge']> {
  return async (key, body, headers) => {
    const at = { key: store.keyPrefix + key };
    const upload: Upload = {
      where: `${store.name}/${key}`,
      ask: (request) => sendWithRetry(retry, () => store.ask({ ...request, ...at })),
    };
    // Sends without retries: `sendChange` retries all of `complete`, since even a response with 200 may have an error.
    const once: Upload = { ...upload, ask: (request) => store.ask({ ...request, ...at }) };
    const begun = await upload.ask({
      method: 'POST',
      query: { uploads: '' },
      headers: objectHeaders(headers),
    });
    const uploadId = readText(begun.body, 'InitiateMultipartUploadResult', 'UploadId');
    if (!uploadId) throw invalidStoreResponseError(begun, upload.where);
    try {
      const { parts, sums } = await sendParts(upload, uploadId, body);
      const written = await sendChange(retry, () => complete(once, uploadId, parts)).catch(undefinedIfGone);
      if (written?.tag) return written;
      // Either Ceph (16) omitted the ETag, or the upload is gone: it was completed and the response was lost, or
      // another process aborted it.
      const present = await sendWithRetry(retry, () => inspect(key));
      if (present?.tag !== multipartETag(sums)) throw notWhatWasSent(upload);
      return { tag: present.tag, time: present.modified };
    } catch (error) {
      await store.ask({ method: 'DELETE', query: { uploadId }, ...at }).catch(() => {});
      throw error instanceof ObjectNotFound ? notWhatWasSent(upload) : error;
    }
  };
}

async function sendParts({ ask, where }: Upload, uploadId: string, body: LargeBody) {
  const parts: Part[] = [];
  const sums: Buffer[] = [];
  await forEachConcurrently(partRanges(body.size), PARTS_IN_FLIGHT, async ({ number, from, to }) => {
    const bytes = await body.read(from, to);
    const sum = hash('md5', bytes, 'buffer');
    const answer = await ask({
      method: 'PUT',
      query: { partNumber: String(number), uploadId },
      headers: { [MD5_HEADER]: sum.toString('base64') },
      body: bytes,
    });
    const { etag } = answer.headers;
    if (!etag) throw invalidStoreResponseError(answer, where);
    parts[number - 1] = { number, tag: etag };
    sums[number - 1] = sum;
  });
  return { parts, sums };
}

/** The tag is empty if the store omits it. */
async function complete(
  { ask, where }: Upload,
  uploadId: string,
  parts: readonly Part[],
): Promise<WriteResult> {
  const list = parts.map(
    ({ number, tag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  const body = Buffer.from(
    `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${list.join('')}</CompleteMultipartUpload>`,
  );
  const headers = { 'content-type': 'application/xml' };
  const answer = await ask({ method: 'POST', query: { uploadId }, headers, body });
  const named = (name: string) => readText(answer.body, 'CompleteMultipartUploadResult', name);
  const tag = named('ETag');
  // AWS may answer 200 before it knows the outcome, and name the error in the body.
  if (!named('Key') && !tag)
    throw errorFromResponse({ ...answer, status: 500 }, { where, isConditional: false, region: '' });
  return { tag, time: answer.time };
}

function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof ObjectNotFound)) throw error;
}

function notWhatWasSent({ where }: Upload): BucketError {
  const message = `${where} is not what was sent: its parts were discarded meanwhile, or something else wrote it. Run the command again.`;
  return new BucketError('bucket-failed', message, false);
}

export function createPartsDiscarder(
  { ask, keyPrefix }: S3Store,
  retry: RetryOptions,
): NonNullable<Bucket['discardParts']> {
  return async (isOurs) => {
    const tryTo = (request: StoreRequest) =>
      sendWithRetry(retry, () => ask(request)).catch(undefinedIfRefused);
    let marker: Readonly<Record<string, string>> | undefined = {};
    while (marker) {
      const query: Record<string, string> = {
        uploads: '',
        'encoding-type': 'url',
        prefix: keyPrefix,
        ...marker,
      };
      const answer = await tryTo({ method: 'GET', query });
      const page = answer && readUploads(answer.body);
      for (const { key, uploadId, begun } of page?.uploads ?? []) {
        if (!key.startsWith(keyPrefix) || !isOurs(key.slice(keyPrefix.length), begun)) continue;
        await tryTo({ method: 'DELETE', key, query: { uploadId } });
      }
      marker = page?.next;
    }
  };
}

function undefinedIfRefused(error: unknown): undefined {
  if (error instanceof ObjectNotFound || (error instanceof BucketError && !error.isTransient))
    return undefined;
  throw error;
}
