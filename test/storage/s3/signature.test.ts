/** Signatures against those of AWS's own library. */
import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  BODY_DIGEST,
  type Credentials,
  createSigner,
  encode,
  sha256,
  UNSIGNED,
} from '../../../src/storage/s3/signature.ts';

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

it('an expiring request has the signature that the library of AWS gives it', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ method, key, query, cacheControl, credentials, time, lifetime }) => {
      const path = `/${key.map(encode).join('/')}`;
      const headers = {
        host: hostname,
        [BODY_DIGEST]: UNSIGNED,
        ...(cacheControl ? { 'cache-control': cacheControl } : {}),
      };
      const request = { method, protocol: 'https:', hostname, path, query, headers: { ...headers } };
      const { query: signed = {} } = await library('s3', credentials).presign(request, {
        signingDate: new Date(time),
        expiresIn: lifetime,
        // The library moves such headers into the query, or leaves them out, when it is not asked not to.
        unhoistableHeaders: new Set([BODY_DIGEST]),
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

it('a request that is signed in its headers has the signature that the library of AWS gives it', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ method, query, body, credentials, time }) => {
      const request = { method, path: '/2020-05-31/distribution/E1/invalidation', query };
      const headers = { host: 'cloudfront.amazonaws.com', [BODY_DIGEST]: sha256(body) };
      const signed = await library('cloudfront', credentials).sign(
        { ...request, protocol: 'https:', hostname: headers.host, headers: { ...headers }, body },
        { signingDate: new Date(time) },
      );
      expect(
        createSigner('cloudfront', 'eu-west-1').headers(
          { ...request, headers },
          credentials,
          time,
          sha256(body),
        ),
      ).toEqual(signed.headers);
    }),
  );
});

it('a signer makes another key for another day and another secret', () => {
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
