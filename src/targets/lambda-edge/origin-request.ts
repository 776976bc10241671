/** A Lambda@Edge function for origin requests: reads totals and chunks from the bucket. */
import { createHash } from 'node:crypto';
import { GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { API_KEY_HEADER, RELEASE_HEADER } from '../../contract/headers.ts';
import { classifyOriginStatus, ORIGIN_TIME_LIMIT } from '../../contract/origin-status.ts';
import { createFindServedRelease, type ServedRelease } from '../../tree/serve/served-release.ts';
import { isPermittedDigest } from '../runtime/api-key.ts';
import { SETTINGS } from '../runtime/bundled-settings.ts';
import { logError } from '../runtime/log-error.ts';
import { entityReply, type FileStore, fileKey, noPreviewReply, type Reply, reply } from '../runtime/reply.ts';

type OriginRequest = {
  method: string;
  uri: string;
  /** Raw query without `?`. */
  querystring: string;
  headers: Record<string, { key?: string; value: string }[]>;
  /** `region` is empty with an origin access control; then the domain name contains the region. */
  origin: { s3: { domainName: string; region: string } };
};

type OriginResponse = {
  status: string;
  headers: Record<string, { key: string; value: string }[]>;
  body?: string;
  bodyEncoding?: 'base64';
};

/**
 * Key of an object that CloudFront fetches, or bytes to send: a page or detail cut out of larger objects, or a file of
 * a preview.
 */
type Body = { readonly key: string } | Uint8Array;

type Handler = (event: {
  Records: { cf: { request: OriginRequest } }[];
}) => Promise<OriginRequest | OriginResponse>;

const find = createFindServedRelease(SETTINGS);

const buckets = new Map<string, S3Reader>();

export const handler: Handler = (event) => answer(event.Records[0]!.cf.request);

async function answer(request: OriginRequest): Promise<OriginRequest | OriginResponse> {
  const { s3 } = request.origin;
  const open = () => {
    const bucket = buckets.get(s3.domainName) ?? openBucket(s3);
    buckets.set(s3.domainName, bucket);
    return bucket;
  };
  const { method, uri: path, querystring: query } = request;
  const served = await find(path, async (key) => open().bytes(key), logError);
  if (typeof served === 'string') return response(noPreviewReply(served, SETTINGS), method);
  const authorized = isAuthorized(request);
  const release = headerOf(request, RELEASE_HEADER);
  const result = await reply(
    { method, path, query, ifNoneMatch: undefined, authorized, release },
    served.settings,
    storeOf(served, request, open),
  );
  const { body } = result;
  if (body === null || typeof body === 'string' || body instanceof Uint8Array)
    return response({ ...result, body }, method);
  request.uri = `/${body.key.split('/').map(encodeURIComponent).join('/')}`;
  request.querystring = '';
  return request;
}

function storeOf(
  { settings, cut, storedKey }: ServedRelease,
  request: OriginRequest,
  open: () => S3Reader,
): FileStore<Body> {
  // Only checks that the object exists: CloudFront fetches and revalidates it.
  const read = async (key: string) => {
    const stored = storedKey(key);
    return stored !== undefined && (await open().has(stored))
      ? { tag: '', body: { key: stored } }
      : undefined;
  };
  const bytes = async (key: string) => {
    const stored = storedKey(key);
    return stored === undefined ? undefined : open().bytes(stored);
  };
  // Pages have no object that CloudFront could revalidate, so this function compares the ETag.
  const ifNoneMatch = headerOf(request, 'If-None-Match');
  return {
    read,
    text: async (key) => {
      const stored = storedKey(key);
      return stored === undefined ? undefined : open().text(stored);
    },
    report: logError,
    cut: cut && ((found, asked) => cut(found, { ...asked, ifNoneMatch }, { read: bytes, report: logError })),
    file: async (path) => {
      const key = fileKey(path, settings.base);
      // CloudFront would send a preview's file without the headers of a preview, so this function sends it. Ranges
      // are left to CloudFront.
      const isSent = settings.isPreview && headerOf(request, 'Range') === undefined;
      const body = key !== undefined && isSent ? await bytes(key) : undefined;
      if (key !== undefined && body && body.length <= MAX_BODY_BYTES)
        return entityReply({ tag: tagOf(body), body }, key, { ifNoneMatch }, settings.cache);
      const entity = key === undefined ? undefined : await read(key);
      return entity && { status: 200, headers: [], body: entity.body };
    },
  };
}

/** Maximum bytes of a preview's file that this function sends. CloudFront's limit of 1 MB applies to its Base64. */
const MAX_BODY_BYTES = 700_000;

function tagOf(body: Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

function response({ status, headers, body }: Reply<Uint8Array>, method: string): OriginResponse {
  const all: OriginResponse['headers'] = {};
  for (const [key, value] of headers) all[key.toLowerCase()] = [{ key, value }];
  const answer: OriginResponse = { status: String(status), headers: all };
  if (!body || method === 'HEAD') return answer;
  if (typeof body === 'string') return { ...answer, body };
  const isText = all['content-type']?.[0]?.value.startsWith('application/json');
  return isText
    ? { ...answer, body: new TextDecoder().decode(body) }
    : { ...answer, body: Buffer.from(body).toString('base64'), bodyEncoding: 'base64' };
}

function headerOf({ headers }: OriginRequest, name: string): string | undefined {
  return headers[name.toLowerCase()]?.[0]?.value;
}

function isAuthorized(request: OriginRequest): boolean {
  if (CATALOGUE_GUARDED) {
    // A request with two key headers has no valid key.
    const isSingle = request.headers[API_KEY_HEADER.toLowerCase()]?.length === 1;
    const key = (isSingle && headerOf(request, API_KEY_HEADER)) || '';
    return isPermittedDigest(createHash('sha256').update(key, 'latin1').digest('hex'), SETTINGS.digests);
  }
  return true;
}

type S3Reader = {
  readonly has: (key: string) => Promise<boolean>;
  readonly text: (key: string) => Promise<string | undefined>;
  readonly bytes: (key: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
};

/** Matches `<name>.s3.<region>.amazonaws.com` and its variants. The name may contain dots. */
const BUCKET_HOST = /^(.+)\.s3(?:\.dualstack)?(?:[.-]([a-z]{2}-[a-z-]+-[0-9]))?\.amazonaws\.com(?:\.cn)?$/;

const FIRST_REGION = 'us-east-1';

function openBucket({ domainName, region }: OriginRequest['origin']['s3']): S3Reader {
  const [, name, named] = BUCKET_HOST.exec(domainName) ?? [];
  if (name === undefined) throw new Error(`${domainName} is not the host name of an S3 bucket.`);
  const client = new S3Client({ region: region || named || FIRST_REGION });
  // Without a timeout, the client waits as long as S3 hangs.
  const limit = () => ({ abortSignal: AbortSignal.timeout(ORIGIN_TIME_LIMIT) });
  const object = (key: string) =>
    absentAsUndefined(client.send(new GetObjectCommand({ Bucket: name, Key: key }), limit()));
  return {
    has: async (key) => {
      const command = new HeadObjectCommand({ Bucket: name, Key: key });
      return (await absentAsUndefined(client.send(command, limit()))) !== undefined;
    },
    text: async (key) => (await object(key))?.Body?.transformToString(),
    bytes: async (key) => {
      const bytes = await (await object(key))?.Body?.transformToByteArray();
      return bytes && new Uint8Array(bytes);
    },
  };
}

/** S3 answers 403 for a missing object if the reader is not permitted to list the bucket. */
async function absentAsUndefined<T>(sent: Promise<T>): Promise<T | undefined> {
  try {
    return await sent;
  } catch (error) {
    const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
    if (status !== undefined && classifyOriginStatus(status, 'bucket') === 'absent') return undefined;
    throw error;
  }
}
