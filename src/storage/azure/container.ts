/**
 * Sends the requests of Azure's library over connections that bound each of them to its limit. Each has a shared access
 * signature of its own, made as the last step and valid until the limit at most: Azure refuses a later arrival with 403
 * `AuthenticationFailed`.
 */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type {
  BlockBlobClient,
  ContainerClient,
  HttpHeaders,
  HttpOperationResponse,
  IHttpClient,
  WebResource,
} from '@azure/storage-blob';
import { rememberLast } from '../../values/remember.ts';
import { ConditionFailed, type Limit } from '../bucket.ts';
import { addressOf, type BucketAddress } from '../s3/address.ts';
import { type Answer, openConnection, type Request } from '../s3/connection.ts';
import { failureOf, refusalOf, type SentRequest } from '../s3/errors.ts';
import { BODY_MD5 } from '../s3/headers.ts';
import { encodeUri, type Signer } from '../s3/signature.ts';
import type { S3Options } from '../s3/store.ts';
import { type Account, findAccount, type Library, loadLibrary } from './account.ts';

export type Container = {
  readonly name: string;
  readonly start: string;
  /** Throws as `Store.ask` does. */
  readonly client: ContainerClient;
  readonly blob: (key: string) => BlockBlobClient;
  /** The same container; no request takes effect after the limit. */
  readonly limited: (limit: Limit) => Container;
  readonly close: () => void;
};

export async function openContainer(options: S3Options): Promise<Container> {
  const { bucket, prefix, connections = 32, timeout = 60_000 } = options;
  const start = prefix === '' ? '' : `${prefix}/`;
  const name = `az://${bucket}${prefix && `/${prefix}`}`;
  const library = await loadLibrary();
  const { url, key } = findAccount(library, name, options.endpoint);
  const address = addressOf(bucket, '', url);
  const connection = await openConnection({
    address,
    signer: { expiring: createSignature(library, key, bucket) },
    // The library keeps the secret.
    credentials: async () => ({ accessKeyId: key.accountName, secretAccessKey: '' }),
    connections,
    timeout,
  });
  const make = (limit: Limit | undefined): ContainerClient => {
    const httpClient: IHttpClient = {
      async sendRequest(resource) {
        const request = { ...requestOf(resource, address), limit };
        const asked = sentRequestOf(request, name, start);
        const answer = await connection.send(request).catch((error: unknown) => {
          limit?.signal.throwIfAborted();
          throw failureOf(error, asked);
        });
        if (answer.status > 299) throw refusedBy(answer, asked);
        return responseOf(resource, answer);
      },
    };
    // A repeated request needs a new signature, so the retry decorator repeats it, not the library.
    const settings = { httpClient, retryOptions: { maxTries: 1 } };
    const pipeline = library.newPipeline(new library.AnonymousCredential(), settings);
    return new library.ContainerClient(address.origin + address.pathOf(), pipeline);
  };
  const open = (limit?: Limit): Container => {
    const client = make(limit);
    const blob = (key: string) => client.getBlockBlobClient(start + key);
    return { name, start, client, blob, limited: open, close: connection.close };
  };
  return open();
}

function createSignature(
  { generateBlobSASQueryParameters, ContainerSASPermissions }: Library,
  key: Account['key'],
  containerName: string,
): Signer['expiring'] {
  const permissions = ContainerSASPermissions.parse('rcwdl');
  // Requests of one second share it.
  const signatureUntil = rememberLast((second) => {
    const expiresOn = new Date(1000 * Number(second));
    return generateBlobSASQueryParameters({ containerName, permissions, expiresOn }, key).toString();
  });
  return ({ query }, _credentials, time, lifetime) => {
    const own = Object.entries(query).map(([name, value]) => `${encodeUri(name)}=${encodeUri(value)}&`);
    return own.join('') + signatureUntil(String(Math.floor(time / 1000) + lifetime));
  };
}

function requestOf({ method, url, headers, body }: WebResource, { pathOf }: BucketAddress): Request {
  const { pathname, searchParams } = new URL(url);
  const path = pathname.slice(pathOf().length + 1);
  // The connection adds the length.
  const named = Object.entries(headers.rawHeaders()).map(([name, value]) => [name.toLowerCase(), value]);
  const sent = Object.fromEntries(named.filter(([name]) => name !== 'content-length'));
  const bytes = body === undefined || body === null ? undefined : Buffer.from(body);
  return {
    method: method as Request['method'],
    key: path === '' ? undefined : decodeURIComponent(path),
    query: Object.fromEntries(searchParams),
    headers: bytes ? { ...sent, [BODY_MD5]: hash('md5', bytes, 'base64') } : sent,
    body: bytes,
  };
}

function sentRequestOf({ key, headers = {} }: Request, name: string, start: string): SentRequest {
  return {
    where: key === undefined ? name : `${name}/${key.slice(start.length)}`,
    isConditional: 'if-match' in headers || 'if-none-match' in headers,
    region: '',
  };
}

function refusedBy(answer: Answer, asked: SentRequest): Error {
  const { 'x-ms-error-code': code = '' } = answer.headers;
  // With `If-None-Match: *`, this is the refusal.
  if (code === 'BlobAlreadyExists') return new ConditionFailed(asked.where);
  // The answer to a HEAD request has no body.
  const body = answer.body.length > 0 ? answer.body : Buffer.from(`<Error><Code>${code}</Code></Error>`);
  return refusalOf({ ...answer, body }, asked);
}

function responseOf(request: WebResource, { status, headers, body }: Answer): HttpOperationResponse {
  const isStream = request.streamResponseStatusCodes?.has(status) ?? false;
  const content = isStream ? { readableStreamBody: Readable.from([body]) } : { bodyAsText: body.toString() };
  // The one method of headers that the library calls.
  const read: Pick<HttpHeaders, 'toJson'> = { toJson: () => headers as Record<string, string> };
  return { request, status, headers: read as HttpHeaders, ...content };
}
