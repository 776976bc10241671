/** The router in Lambda@Edge, for origin requests: it reads what it must know from the bucket. */
import { createHash } from 'node:crypto';
import { GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { API_KEY_HEADER, RELEASE_HEADER } from '../../contract/headers.ts';
import { isPermitted } from '../key.ts';
import { createPackedList, type PackedList } from '../packed/list.ts';
import { fileKey, type Reply, reply, type Store } from '../reply.ts';
import { SETTINGS } from './settings.ts';

type OriginRequest = {
  method: string;
  uri: string;
  /** As it was sent, without `?`. */
  querystring: string;
  headers: Record<string, { key?: string; value: string }[]>;
  /** The bucket's host name is `<name>.s3.<region>.amazonaws.com`; its name may hold dots. */
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

/** Makes the function's handler. */
export function createHandler(): Handler {
  const list = CATALOGUE_PACKED ? createPackedList(SETTINGS) : undefined;
  const buckets = new Map<string, Bucket>();
  return (event) => {
    const request = event.Records[0]!.cf.request;
    const { s3 } = request.origin;
    const bucket = buckets.get(s3.domainName) ?? openBucket(s3);
    buckets.set(s3.domainName, bucket);
    return answer(request, bucket, list);
  };
}

async function answer(
  request: OriginRequest,
  bucket: Bucket,
  list: PackedList | undefined,
): Promise<OriginRequest | OriginResponse> {
  // CloudFront revalidates and gives the entity tag; here it matters only that there is an object.
  const read = async (key: string) => ((await bucket.has(key)) ? { tag: '', body: { key } } : undefined);
  const store: Store<Body> = {
    read,
    text: bucket.text,
    // CloudFront has nothing to revalidate a page with but this function.
    page:
      list &&
      ((found, asked) =>
        list(found, { ...asked, ifNoneMatch: headerOf(request, 'If-None-Match') }, { read: bucket.bytes })),
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
    const key = headerOf(request, API_KEY_HEADER) ?? '';
    return isPermitted(createHash('sha256').update(key, 'latin1').digest('hex'), SETTINGS.digests);
  }
  return true;
}

type Bucket = {
  readonly has: (key: string) => Promise<boolean>;
  readonly text: (key: string) => Promise<string | undefined>;
  readonly bytes: (key: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
};

function openBucket({ domainName, region }: OriginRequest['origin']['s3']): Bucket {
  const client = new S3Client({ region });
  const name = domainName.slice(0, domainName.lastIndexOf('.s3.'));
  const object = (key: string) =>
    absentAsUndefined(client.send(new GetObjectCommand({ Bucket: name, Key: key })));
  return {
    has: async (key) => {
      const found = await absentAsUndefined(client.send(new HeadObjectCommand({ Bucket: name, Key: key })));
      return found !== undefined;
    },
    text: async (key) => (await object(key))?.Body?.transformToString(),
    bytes: async (key) => {
      const bytes = await (await object(key))?.Body?.transformToByteArray();
      return bytes && new Uint8Array(bytes);
    },
  };
}

/** Without the right to list a bucket, S3 answers 403 for keys that it does not have. */
async function absentAsUndefined<T>(sent: Promise<T>): Promise<T | undefined> {
  try {
    return await sent;
  } catch (error) {
    const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
    if (status === 404 || status === 403) return undefined;
    throw error;
  }
}
