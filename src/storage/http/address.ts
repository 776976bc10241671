export type BucketAddress = {
  readonly origin: string;
  readonly host: string;
  /** Encoded. Without a key, the path of the bucket. */
  readonly pathOf: (key?: string) => string;
};

/** `<endpoint>/<bucket>/<key>`, or on AWS `https://<bucket>.s3.<region>.amazonaws.com/<key>`. */
export function bucketAddress(bucket: string, region: string, endpoint?: string): BucketAddress {
  const domain = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  // A bucket name with a dot goes into the path: AWS's certificate covers only one label before its domain.
  const isOwnHost = endpoint === undefined && !bucket.includes('.');
  const { origin, host, pathname } = new URL(endpoint ?? `https://${isOwnHost ? `${bucket}.` : ''}${domain}`);
  const start = pathname.replace(/\/+$/, '') + (isOwnHost ? '' : `/${bucket}`);
  return {
    origin,
    host,
    pathOf: (key) => (key === undefined ? start || '/' : `${start}/${encodeKey(key)}`),
  };
}

/** Most keys need no encoding (RFC 3986, 2.3). */
function encodeKey(key: string): string {
  return /^[\w.~/-]*$/.test(key) ? key : key.split('/').map(encodeUriComponent).join('/');
}

/** Also escapes `!'()*`: AWS requires that all but the unreserved characters (RFC 3986, 2.3) are escaped. */
export function encodeUriComponent(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
