/** Signature Version 4 of AWS, which every S3-compatible store accepts, and Google's form of it. */
import { createHmac, hash } from 'node:crypto';
import { memoizeLast } from '../../values/memoize.ts';
import { signV4a, V4A_ALGORITHM } from './signature-v4a.ts';

export type Credentials = {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials only. */
  readonly sessionToken?: string | undefined;
};

type Unsigned = {
  readonly method: string;
  /** Percent-encoded, with the leading slash. */
  readonly path: string;
  /** Unencoded. */
  readonly query: Readonly<Record<string, string>>;
  /** By lower-case name, including `host`. All are signed. */
  readonly headers: Readonly<Record<string, string>>;
};

export type Signer = {
  /** Header for the body's SHA-256 in hex, or for {@link UNSIGNED_PAYLOAD}; undefined if requests have none. */
  readonly bodyDigest?: string;
  /**
   * Returns a query string without `?`. The service checks the expiry by its own clock, so a late request has no
   * effect. The signature covers the headers, but not the body, since R2 does not support that. A signed
   * `content-md5` header covers the body. `time`: milliseconds since 1970 on the service's clock. `lifetime`: whole
   * seconds, at most a week.
   */
  readonly expiring: (request: Unsigned, credentials: Credentials, time: number, lifetime: number) => string;
  /** Returns the headers to send instead of `request.headers`. The service accepts them within 15 minutes of `time`. */
  readonly headers: (
    request: Unsigned,
    credentials: Credentials,
    time: number,
    bodyDigest: string,
  ) => Record<string, string>;
};

export const BODY_DIGEST_HEADER = 'x-amz-content-sha256';
export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD';

/** Names that differ between AWS and Google. */
export type SigningScheme = {
  /** Its first part, such as `AWS4`, also precedes the secret from which the signing key is derived. */
  readonly algorithm: string;
  readonly parameterPrefix: string;
  /** Last part of the credential scope. */
  readonly terminator: string;
  readonly bodyDigest: string;
};

const AWS: SigningScheme = {
  algorithm: 'AWS4-HMAC-SHA256',
  parameterPrefix: 'X-Amz-',
  terminator: 'aws4_request',
  bodyDigest: BODY_DIGEST_HEADER,
};

/** Stands for all regions. A signer for it uses version 4A, and cannot make expiring requests. */
export const EVERY_REGION = '*';

export function createSigner(service: string, region: string, scheme: SigningScheme = AWS): Signer {
  const { terminator, bodyDigest: digestHeader } = scheme;
  const isGlobal = region === EVERY_REGION;
  const algorithm = isGlobal ? V4A_ALGORITHM : scheme.algorithm;
  const [keyStart] = scheme.algorithm.split('-');
  // Cached, since deriving the signing key of a day and a secret takes four digests.
  const keyOf = memoizeLast((text) =>
    [text.slice(0, 8), region, service, terminator].reduce<Buffer>(
      hmac,
      Buffer.from(`${keyStart}${text.slice(8)}`),
    ),
  );
  const namesOf = createNames();
  const stampIn = memoizeLast(stampOf);
  const stampAt = (time: number) => stampIn(String(Math.floor(time / 1000)));
  const scopeOf = (stamp: string) =>
    `${stamp.slice(0, 8)}/${isGlobal ? '' : `${region}/`}${service}/${terminator}`;
  const queryOf = createQueries(scheme, scopeOf);
  const sign = (canonical: string, credentials: Credentials, stamp: string) => {
    const text = `${algorithm}\n${stamp}\n${scopeOf(stamp)}\n${sha256(canonical)}`;
    if (isGlobal) return signV4a(text, credentials);
    return createHmac('sha256', keyOf(stamp.slice(0, 8) + credentials.secretAccessKey))
      .update(text)
      .digest('hex');
  };
  return {
    bodyDigest: digestHeader,
    expiring(request, credentials, time, lifetime) {
      const stamp = stampAt(time);
      const names = namesOf(request.headers);
      const query = queryOf(request.query, { credentials, stamp, lifetime, names });
      const canonical = canonicalRequest(request, names, query, UNSIGNED_PAYLOAD);
      return `${query}&${scheme.parameterPrefix}Signature=${sign(canonical, credentials, stamp)}`;
    },
    headers(request, credentials, time, bodyDigest) {
      const { accessKeyId, sessionToken } = credentials;
      const stamp = stampAt(time);
      const headers: Record<string, string> = {
        ...request.headers,
        'x-amz-date': stamp,
        ...(isGlobal ? { 'x-amz-region-set': EVERY_REGION } : {}),
        ...(sessionToken ? { 'x-amz-security-token': sessionToken } : {}),
      };
      const names = namesOf(headers);
      const query = canonicalQuery(request.query);
      const canonical = canonicalRequest({ ...request, headers }, names, query, bodyDigest);
      const signature = sign(canonical, credentials, stamp);
      const credential = `${accessKeyId}/${scopeOf(stamp)}`;
      headers.authorization = `${algorithm} Credential=${credential}, SignedHeaders=${names.text}, Signature=${signature}`;
      return headers;
    },
  };
}

type Signing = {
  readonly credentials: Credentials;
  readonly stamp: string;
  readonly lifetime: number;
  readonly names: HeaderNames;
};

/** Caches the query string that requests of one second share, which halves the cost of a signature. */
function createQueries({ algorithm, parameterPrefix }: SigningScheme, scopeOf: (stamp: string) => string) {
  let last: { signing: Signing; query: string } | undefined;
  const make = (own: Unsigned['query'], { credentials, stamp, lifetime, names }: Signing) =>
    canonicalQuery({
      ...own,
      [`${parameterPrefix}Algorithm`]: algorithm,
      [`${parameterPrefix}Credential`]: `${credentials.accessKeyId}/${scopeOf(stamp)}`,
      [`${parameterPrefix}Date`]: stamp,
      [`${parameterPrefix}Expires`]: String(lifetime),
      [`${parameterPrefix}SignedHeaders`]: names.text,
      ...(credentials.sessionToken ? { [`${parameterPrefix}Security-Token`]: credentials.sessionToken } : {}),
    });
  return (own: Unsigned['query'], signing: Signing): string => {
    if (Object.keys(own).length > 0) return make(own, signing);
    const isSame =
      last?.signing.stamp === signing.stamp &&
      last.signing.lifetime === signing.lifetime &&
      last.signing.names === signing.names &&
      last.signing.credentials === signing.credentials;
    if (!last || !isSame) last = { signing, query: make(own, signing) };
    return last.query;
  };
}

/** By AWS's rules ("Create a canonical request"). */
function canonicalRequest(
  { method, path, headers }: Unsigned,
  names: HeaderNames,
  query: string,
  bodyDigest: string,
): string {
  let lines = '';
  for (const name of names.sorted) lines += `${name}:${headers[name]!.trim().replace(/ +/g, ' ')}\n`;
  return `${method}\n${path}\n${query}\n${lines}\n${names.text}\n${bodyDigest}`;
}

type HeaderNames = { readonly sorted: readonly string[]; readonly text: string };

/** Keeps the last names, since most requests have the same ones: sorting took a tenth of the time of a signature. */
function createNames(): (headers: Unsigned['headers']) => HeaderNames {
  let last: { given: readonly string[]; names: HeaderNames } | undefined;
  return (headers) => {
    const given = Object.keys(headers);
    if (last?.given.length !== given.length || !given.every((name, index) => name === last!.given[index])) {
      const sorted = [...given].sort();
      last = { given, names: { sorted, text: sorted.join(';') } };
    }
    return last.names;
  };
}

export function sha256(data: string | Buffer): string {
  return hash('sha256', data);
}

/** Also escapes `!'()*`: AWS requires that all but the unreserved characters (RFC 3986, 2.3) are escaped. */
export function encodeUriComponent(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function canonicalQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodeUriComponent(name)}=${encodeUriComponent(value)}`)
    .sort()
    .join('&');
}

function stampOf(second: string): string {
  const text = new Date(1000 * Number(second)).toISOString().slice(0, 19);
  return `${text.replace(/[-:]/g, '')}Z`;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
