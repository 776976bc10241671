/** The router in Lambda@Edge, for origin requests: it reads what it must know from the bucket. */
import { createHash } from 'node:crypto';
import { GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { API_KEY_HEADER } from '../../contract/headers.ts';
import { isPermitted } from '../key.ts';
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

/** Stands for the object of a key: CloudFront itself is to fetch it. */
type Body = { readonly key: string };

/** Answers the event of an origin request: with the request for an object, or with the answer itself. */
export async function handler(event: {
  Records: { cf: { request: OriginRequest } }[];
}): Promise<OriginRequest | OriginResponse> {
  const request = event.Records[0]!.cf.request;
  const bucket = openBucket(request.origin.s3);
  // CloudFront revalidates and gives the entity tag; here it matters only that there is an object.
  const read = async (key: string) => ((await bucket.has(key)) ? { tag: '', body: { key } } : undefined);
  const store: Store<Body> = {
    read,
    text: bucket.text,
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
    },
    SETTINGS,
    store,
  );
  if (result.body === null || typeof result.body === 'string')
    return response(result, result.body, request.method);
  request.uri = `/${result.body.key.split('/').map(encodeURIComponent).join('/')}`;
  request.querystring = '';
  return request;
}

function response({ status, headers }: Reply<Body>, body: string | null, method: string): OriginResponse {
  const all: OriginResponse['headers'] = {};
  for (const [key, value] of headers) all[key.toLowerCase()] = [{ key, value }];
  return { status: String(status), headers: all, ...(body && method !== 'HEAD' ? { body } : {}) };
}

function isAuthorized(request: OriginRequest): boolean {
  if (CATALOGUE_GUARDED) {
    const key = request.headers[API_KEY_HEADER.toLowerCase()]?.[0]?.value ?? '';
    return isPermitted(createHash('sha256').update(key, 'latin1').digest('hex'), SETTINGS.digests);
  }
  return true;
}

function openBucket({ domainName, region }: OriginRequest['origin']['s3']) {
  const client = new S3Client({ region });
  const name = domainName.slice(0, domainName.lastIndexOf('.s3.'));
  return {
    has: async (key: string): Promise<boolean> => {
      const found = await absentAsUndefined(client.send(new HeadObjectCommand({ Bucket: name, Key: key })));
      return found !== undefined;
    },
    text: async (key: string): Promise<string | undefined> => {
      const found = await absentAsUndefined(client.send(new GetObjectCommand({ Bucket: name, Key: key })));
      return found?.Body?.transformToString();
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
