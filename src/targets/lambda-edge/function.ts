/** The router in Lambda@Edge, for origin requests: it reads what it must know from the bucket. */
import { createHash } from 'node:crypto';
import { GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { API_KEY_HEADER, RELEASE_HEADER } from '../../contract/headers.ts';
import { ORIGIN_TIME_LIMIT, presenceOf } from '../../contract/origin.ts';
import { createPackedList } from '../../packed/serve/list.ts';
import { isPermitted } from '../runtime/api-key.ts';
import { type FileStore, fileKey, type Reply, reply } from '../runtime/reply.ts';
import { SETTINGS } from '../runtime/settings.ts';

type OriginRequest = {
  method: string;
  uri: string;
  /** As it was sent, without `?`. */
  querystring: string;
  headers: Record<string, { key?: string; value: string }[]>;
  /** `region` is empty with an origin access control; the host name has it too. */
  origin: { s3: { domainName: string; region: string } };
};

type OriginResponse = {
  status: string;
  headers: Record<string, { key: string; value: string }[]>;
  body?: string;
};

/** Stands for the object of a key, which CloudFront itself is to fetch; or a page that was cut out of chunks. */
type Body = { readonly key: string } | Uint8Array;

/** Answers the event of an origin request: with the request for an object, or with the answer itself. */
type Handler = (event: {
  Records: { cf: { request: OriginRequest } }[];
}) => Promise<OriginRequest | OriginResponse>;

/** What cuts pages out of chunks, where that is how lists are stored. */
const list = CATALOGUE_PACKED ? createPackedList(SETTINGS) : undefined;

/** The buckets of origins by host name, each opened by its first request. */
const buckets = new Map<string, S3Reader>();

/** Answers the event of an origin request. */
export const handler: Handler = (event) => answer(event.Records[0]!.cf.request);

async function answer(request: OriginRequest): Promise<OriginRequest | OriginResponse> {
  const { s3 } = request.origin;
  const open = () => {
    const bucket = buckets.get(s3.domainName) ?? openBucket(s3);
    buckets.set(s3.domainName, bucket);
    return bucket;
  };
  // CloudFront revalidates and gives the entity tag; here it matters only that there is an object.
  const read = async (key: string) => ((await open().has(key)) ? { tag: '', body: { key } } : undefined);
  const store: FileStore<Body> = {
    read,
    text: async (key) => open().text(key),
    report: (error) => console.error(String(error)),
    // CloudFront has nothing to revalidate a page with but this function.
    page:
      list &&
      ((found, asked) =>
        list(
          found,
          { ...asked, ifNoneMatch: headerOf(request, 'If-None-Match') },
          {
            read: async (key) => open().bytes(key),
          },
        )),
    file: async (path) => {
      const key = fileKey(path, SETTINGS.base);
      const entity = key === undefined ? undefined : await read(key);
      return entity && { status: 200, headers: [], body: entity.body };
    },
  };
  const result = await reply(
    {
      method: request.method,
      path: request.uri,
      query: request.querystring,
      ifNoneMatch: undefined,
      authorized: isAuthorized(request),
      release: CATALOGUE_PACKED ? headerOf(request, RELEASE_HEADER) : undefined,
    },
    SETTINGS,
    store,
  );
  if (result.body === null || typeof result.body === 'string')
    return response(result, result.body, request.method);
  if (result.body instanceof Uint8Array)
    return response(result, new TextDecoder().decode(result.body), request.method);
  request.uri = `/${result.body.key.split('/').map(encodeURIComponent).join('/')}`;
  request.querystring = '';
  return request;
}

function response({ status, headers }: Reply<Body>, body: string | null, method: string): OriginResponse {
  const all: OriginResponse['headers'] = {};
  for (const [key, value] of headers) all[key.toLowerCase()] = [{ key, value }];
  return { status: String(status), headers: all, ...(body && method !== 'HEAD' ? { body } : {}) };
}

function headerOf({ headers }: OriginRequest, name: string): string | undefined {
  return headers[name.toLowerCase()]?.[0]?.value;
}

function isAuthorized(request: OriginRequest): boolean {
  if (CATALOGUE_GUARDED) {
    // Two headers are no key, whatever they say.
    const isSingle = request.headers[API_KEY_HEADER.toLowerCase()]?.length === 1;
    const key = (isSingle && headerOf(request, API_KEY_HEADER)) || '';
    return isPermitted(createHash('sha256').update(key, 'latin1').digest('hex'), SETTINGS.digests);
  }
  return true;
}

type S3Reader = {
  readonly has: (key: string) => Promise<boolean>;
  readonly text: (key: string) => Promise<string | undefined>;
  readonly bytes: (key: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
};

/** The host name of a bucket, whose name may hold dots: `<name>.s3.<region>.amazonaws.com`, and its other forms. */
const BUCKET_HOST = /^(.+)\.s3(?:\.dualstack)?(?:[.-]([a-z]{2}-[a-z-]+-[0-9]))?\.amazonaws\.com(?:\.cn)?$/;

/** The region of a bucket whose host name has none. */
const FIRST_REGION = 'us-east-1';

function openBucket({ domainName, region }: OriginRequest['origin']['s3']): S3Reader {
  const [, name, named] = BUCKET_HOST.exec(domainName) ?? [];
  if (name === undefined) throw new Error(`${domainName} is not the host name of an S3 bucket.`);
  const client = new S3Client({ region: region || named || FIRST_REGION });
  // A client without a limit would wait for as long as S3 hangs.
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

/** S3 is known to say 403 for keys that it does not have to those who may not list the bucket. */
async function absentAsUndefined<T>(sent: Promise<T>): Promise<T | undefined> {
  try {
    return await sent;
  } catch (error) {
    const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
    if (status !== undefined && presenceOf(status, 'bucket') === 'absent') return undefined;
    throw error;
  }
}
