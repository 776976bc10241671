/** Signatures against those of AWS's own library, and against the examples that AWS publishes. */
import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSigner as createHeaderSigner } from '../../../src/publish/purge/aws-signature.ts';
import { encodeUriComponent } from '../../../src/storage/http/address.ts';
import { type Credentials, UNSIGNED_PAYLOAD } from '../../../src/storage/http/signing-types.ts';
import { BODY_DIGEST_HEADER, createSigner, sha256 } from '../../../src/storage/s3/signature.ts';

type Data = string | ArrayBuffer | ArrayBufferView;
const bytesOf = (data: Data): string | Uint8Array => {
  if (typeof data === 'string') return data;
  return data instanceof ArrayBuffer
    ? new Uint8Array(data)
    : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
};

/** The digest that the library is handed. */
class Sha256 {
  readonly #hash;
  constructor(secret?: Data) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }
  update(data: Data): void {
    this.#hash.update(bytesOf(data));
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}

const hostname = 'stays.s3.eu-west-1.amazonaws.com';
const word = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const requests = fc.record({
  method: fc.constantFrom('GET', 'PUT', 'DELETE', 'HEAD', 'POST'),
  key: fc
    .array(word, { minLength: 1, maxLength: 3 })
    .filter((parts) => !parts.some((part) => /^\.+$/.test(part))),
  query: fc.dictionary(fc.constantFrom('prefix', 'max-keys', 'list-type', 'start-after', 'delete'), word),
  cacheControl: fc.option(fc.constantFrom('public, max-age=60', 'no-store'), { nil: undefined }),
  body: fc.string(),
  credentials: fc.record({
    accessKeyId: fc.stringMatching(/^[A-Z0-9]{4,20}$/),
    secretAccessKey: fc.string({ minLength: 1 }),
    sessionToken: fc.option(fc.base64String({ minLength: 4 }), { nil: undefined }),
  }),
  time: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }),
  lifetime: fc.integer({ min: 1, max: 604_800 }),
});

function library(service: string, credentials: Credentials): SignatureV4 {
  const { sessionToken, ...keys } = credentials;
  return new SignatureV4({
    service,
    region: 'eu-west-1',
    credentials: { ...keys, ...(sessionToken ? { sessionToken } : {}) },
    sha256: Sha256,
    uriEscapePath: false,
    applyChecksum: false,
  });
}

it('an expiring request has the signature of the AWS library', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ method, key, query, cacheControl, credentials, time, lifetime }) => {
      const path = `/${key.map(encodeUriComponent).join('/')}`;
      const headers = {
        host: hostname,
        [BODY_DIGEST_HEADER]: UNSIGNED_PAYLOAD,
        ...(cacheControl ? { 'cache-control': cacheControl } : {}),
      };
      const request = { method, protocol: 'https:', hostname, path, query, headers: { ...headers } };
      const { query: signed = {} } = await library('s3', credentials).presign(request, {
        signingDate: new Date(time),
        expiresIn: lifetime,
        // By default the library moves such headers into the query, or leaves them out.
        unhoistableHeaders: new Set([BODY_DIGEST_HEADER]),
        signableHeaders: new Set(Object.keys(headers)),
      });
      const ours = createSigner('s3', 'eu-west-1').expiring(
        { method, path, query, headers },
        credentials,
        time,
        lifetime,
      );
      expect(Object.fromEntries(new URLSearchParams(ours))).toEqual(signed);
    }),
  );
});

it('a request that is signed in its headers has the signature of the AWS library', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ method, query, body, credentials, time }) => {
      const request = { method, path: '/2020-05-31/distribution/E1/invalidation', query };
      const headers = { host: 'cloudfront.amazonaws.com', [BODY_DIGEST_HEADER]: sha256(body) };
      const signed = await library('cloudfront', credentials).sign(
        { ...request, protocol: 'https:', hostname: headers.host, headers: { ...headers }, body },
        { signingDate: new Date(time) },
      );
      expect(
        createHeaderSigner('cloudfront', 'eu-west-1').headers(
          { ...request, headers },
          credentials,
          time,
          sha256(body),
        ),
      ).toEqual(signed.headers);
    }),
  );
});

it('a signer derives another key for another day and another secret', () => {
  const signer = createSigner('s3', 'eu-west-1');
  const request = { method: 'GET', path: '/a', query: {}, headers: { host: hostname } };
  const sign = (secretAccessKey: string, day: number, signing = signer) =>
    signing.expiring(request, { accessKeyId: 'KEY', secretAccessKey }, Date.UTC(2026, 0, day), 60);
  for (const [secret, day] of [
    ['one', 1],
    ['one', 2],
    ['two', 2],
    ['one', 1],
  ] as const) {
    expect(sign(secret, day)).toBe(sign(secret, day, createSigner('s3', 'eu-west-1')));
  }
});

/** The account and the bucket of the examples of AWS ("Authenticating Requests (AWS Signature Version 4)", Amazon S3). */
const EXAMPLE = {
  signer: { ...createSigner('s3', 'us-east-1'), ...createHeaderSigner('s3', 'us-east-1') },
  credentials: {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  },
  host: 'examplebucket.s3.amazonaws.com',
  time: Date.UTC(2013, 4, 24),
};

it.each<[string, string, string, Record<string, string>, Record<string, string>, string, string]>([
  [
    ...(['an object', 'GET', '/test.txt', {}, { range: 'bytes=0-9' }, ''] as const),
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    ...(['a new object', 'PUT', '/test%24file.text', {}] as const),
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    'Welcome to Amazon S3.',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    ...(['the lifecycle', 'GET', '/', { lifecycle: '' }, {}, ''] as const),
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    ...(['a listing', 'GET', '/', { prefix: 'J', 'max-keys': '2' }, {}, ''] as const),
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])(
  'the example of %s has the signature that AWS documents',
  (_name, method, path, query, more, body, signature) => {
    const { signer, credentials, host, time } = EXAMPLE;
    const headers = { host, ...more, [BODY_DIGEST_HEADER]: sha256(body) };
    const signed = signer.headers({ method, path, query, headers }, credentials, time, sha256(body));
    const names = [...Object.keys(headers), 'x-amz-date'].sort().join(';');
    expect(signed).toEqual({
      ...{ ...headers, 'x-amz-date': '20130524T000000Z' },
      authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    });
  },
);

it('the example of an expiring address has the signature that AWS documents', () => {
  const { signer, credentials, host, time } = EXAMPLE;
  const request = { method: 'GET', path: '/test.txt', query: {}, headers: { host } };
  expect(signer.expiring(request, credentials, time, 86_400)).toBe(
    'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  );
});

it('the cached results of a signer are never used for a different request', () => {
  const kept = createSigner('s3', 'eu-west-1');
  const credentials = { accessKeyId: 'KEY', secretAccessKey: 'secret' };
  const temporary = { ...credentials, sessionToken: 'token' };
  const first = { headers: { host: hostname, a: '1' }, query: {}, time: 0, lifetime: 60, credentials };
  const requests = [
    first,
    ...[
      { ...first, lifetime: 61 },
      { ...first, time: 999 },
      { ...first, time: 1000 },
    ],
    { ...first, credentials: temporary },
    ...[
      { ...first, query: { list: '' } },
      { ...first, query: { list: '2' } },
    ],
    ...[
      { host: hostname },
      { host: hostname, b: '1' },
      { b: '1', host: hostname },
      { c: '1', a: '2', b: '3' },
    ].map((headers) => ({ ...first, headers })),
  ];
  for (const one of requests) {
    for (const { headers, query, time, lifetime, credentials: keys } of [one, first]) {
      const request = { method: 'GET', path: '/a', query, headers };
      const expected = createSigner('s3', 'eu-west-1').expiring(request, keys, time, lifetime);
      expect(kept.expiring(request, keys, time, lifetime)).toBe(expected);
    }
  }
});

it('spaces within a header count once, and spaces around it do not count', () => {
  const sign = (value: string) => {
    const request = { method: 'GET', path: '/a', query: {}, headers: { host: hostname, a: value } };
    return createSigner('s3', 'eu-west-1').expiring(request, EXAMPLE.credentials, 0, 60);
  };
  expect(sign('  a   b c ')).toBe(sign('a b c'));
  expect(sign('a b c')).not.toBe(sign('abc'));
});
