import { encode } from './signature.ts';

export type BucketAddress = {
  readonly origin: string;
  readonly host: string;
  /** Returns the encoded path of an object, or of the bucket itself. */
  readonly pathOf: (key?: string) => string;
};

/**
 * Computes the address of a bucket: `<endpoint>/<bucket>/<key>`, or on AWS
 * `https://<bucket>.s3.<region>.amazonaws.com/<key>`.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 */
export function addressOf(bucket: string, region: string, endpoint?: string): BucketAddress {
  const domain = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  // AWS's certificate covers one label before its domain.
  const isOwnHost = endpoint === undefined && !bucket.includes('.');
  const { origin, host, pathname } = new URL(endpoint ?? `https://${isOwnHost ? `${bucket}.` : ''}${domain}`);
  const start = pathname.replace(/\/+$/, '') + (isOwnHost ? '' : `/${bucket}`);
  return {
    origin,
    host,
    pathOf: (key) => (key === undefined ? start || '/' : `${start}/${encodeKey(key)}`),
  };
}

/** Encodes a key; most keys need no encoding (RFC 3986, 2.3). */
function encodeKey(key: string): string {
  return /^[\w.~/-]*$/.test(key) ? key : key.split('/').map(encode).join('/');
}

/** Masks user names and passwords of the URLs in a text (RFC 3986, 3.2.1), for messages. */
export function withoutPasswords(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s"'()]*@|[^\s"'()]*:[^\s"'()]*@/gi, '$1***@');
}
