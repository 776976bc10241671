/**
 * Sends the requests of Azure's library through our own connections, which enforce limits (`LockLimit`). Each
 * request gets a shared access signature just before it is sent. The signature expires at the limit at the latest. If
 * the request arrives after that, Azure responds with 403 `AuthenticationFailed`.
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
import { memoizeLast } from '../../values/memoize.ts';
import { ConditionFailed, type LockLimit } from '../bucket.ts';
import { type BucketAddress, bucketAddress, encodeUriComponent } from '../http/address.ts';
import {
  MD5_HEADER,
  openStoreConnection,
  type StoreOptions,
  type StoreRequest,
  type StoreResponse,
} from '../http/connection.ts';
import { errorFromFailure, errorFromResponse, type RequestContext } from '../http/errors.ts';
import type { Signer } from '../http/signing-types.ts';
import { type AzureAccount, type AzureLibrary, azureAccountWithKey, loadAzureLibrary } from './account.ts';

export type AzureStore = {
  readonly name: string;
  readonly keyPrefix: string;
  /** Its requests throw what `S3Store.ask` throws. */
  readonly client: ContainerClient;
  readonly blob: (key: string) => BlockBlobClient;
  /** Returns the same container, but its requests never take effect after the limit. */
  readonly limited: (limit: LockLimit) => AzureStore;
  readonly close: () => void;
};

export async function openAzureContainer(options: StoreOptions): Promise<AzureStore> {
  const { bucket, prefix, connections, timeout } = options;
  const keyPrefix = prefix === '' ? '' : `${prefix}/`;
  const name = `az://${bucket}${prefix && `/${prefix}`}`;
  const library = await loadAzureLibrary();
  const { url, key } = azureAccountWithKey(library, name, options.endpoint);
  const address = bucketAddress(bucket, '', url);
  const connection = await openStoreConnection({
    address,
    signer: { expiring: createSignature(library, key, bucket) },
    // Azure's library signs with `key`, so the connection needs no secret.
    credentials: async () => ({ accessKeyId: key.accountName, secretAccessKey: '' }),
    connections,
    timeout,
  });
  const make = (limit: LockLimit | undefined): ContainerClient => {
    const httpClient: IHttpClient = {
      async sendRequest(resource) {
        const request = { ...requestOf(resource, address), limit };
        const asked = sentRequestOf(request, name, keyPrefix);
        const answer = await connection.send(request).catch((error: unknown) => {
          limit?.signal.throwIfAborted();
          throw errorFromFailure(error, asked);
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
  const open = (limit?: LockLimit): AzureStore => {
    const client = make(limit);
    const blob = (key: string) => client.getBlockBlobClient(keyPrefix + key);
    return { name, keyPrefix, client, blob, limited: open, close: connection.close };
  };
  return open();
}

function createSignature(
  { generateBlobSASQueryParameters, ContainerSASPermissions }: AzureLibrary,
  key: AzureAccount['key'],
  containerName: string,
): Signer['expiring'] {
  const permissions = ContainerSASPermissions.parse('rcwdl');
  // All requests that expire in the same second share a signature.
  const signatureUntil = memoizeLast((second) => {
    const expiresOn = new Date(1000 * Number(second));
    return generateBlobSASQueryParameters({ containerName, permissions, expiresOn }, key).toString();
  });
  return ({ query }, _credentials, time, lifetime) => {
    const own = Object.entries(query).map(
      ([name, value]) => `${encodeUriComponent(name)}=${encodeUriComponent(value)}&`,
    );
    return own.join('') + signatureUntil(String(Math.floor(time / 1000) + lifetime));
  };
}

function requestOf({ method, url, headers, body }: WebResource, { pathOf }: BucketAddress): StoreRequest {
  const { pathname, searchParams } = new URL(url);
  const path = pathname.slice(pathOf().length + 1);
  // `content-length` is left out: the connection adds it.
  const named = Object.entries(headers.rawHeaders()).map(([name, value]) => [name.toLowerCase(), value]);
  const sent = Object.fromEntries(named.filter(([name]) => name !== 'content-length'));
  const bytes = body === undefined || body === null ? undefined : Buffer.from(body);
  return {
    method: method as StoreRequest['method'],
    key: path === '' ? undefined : decodeURIComponent(path),
    query: Object.fromEntries(searchParams),
    headers: bytes ? { ...sent, [MD5_HEADER]: hash('md5', bytes, 'base64') } : sent,
    body: bytes,
  };
}

function sentRequestOf({ key, headers = {} }: StoreRequest, name: string, keyPrefix: string): RequestContext {
  return {
    where: key === undefined ? name : `${name}/${key.slice(keyPrefix.length)}`,
    isConditional: 'if-match' in headers || 'if-none-match' in headers,
    region: '',
    isBucket: key === undefined,
  };
}

function refusedBy(answer: StoreResponse, asked: RequestContext): Error {
  const { 'x-ms-error-code': code = '' } = answer.headers;
  // Azure's response to a failed `If-None-Match: *`.
  if (code === 'BlobAlreadyExists') return new ConditionFailed(asked.where);
  // The answer to a HEAD request has no body.
  const body = answer.body.length > 0 ? answer.body : Buffer.from(`<Error><Code>${code}</Code></Error>`);
  return errorFromResponse({ ...answer, body }, asked);
}

function responseOf(request: WebResource, { status, headers, body }: StoreResponse): HttpOperationResponse {
  const isStream = request.streamResponseStatusCodes?.has(status) ?? false;
  const content = isStream ? { readableStreamBody: Readable.from([body]) } : { bodyAsText: body.toString() };
  // The library calls no other method of the headers.
  const read: Pick<HttpHeaders, 'toJson'> = { toJson: () => headers as Record<string, string> };
  return { request, status, headers: read as HttpHeaders, ...content };
}
