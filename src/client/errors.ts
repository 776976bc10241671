import type { Problem, ProblemCode } from './types.ts';

/** Base class of all errors that a failed request throws. */
export class CatalogueError extends Error {
  override readonly name: string = 'CatalogueError';
  declare readonly url: string;
  /** HTTP status of the response; undefined if none arrived, and in a `SignatureError`. */
  declare readonly status: number | undefined;

  constructor(message: string, url: string, status: number | undefined, options?: { cause?: unknown }) {
    super(message, options as ErrorOptions);
    this.url = url;
    this.status = status;
  }
}

/** No response arrived, or the response was cut off. `cause` is the error of `fetch` or of reading the body. */
export class ConnectionError extends CatalogueError {
  override readonly name = 'ConnectionError';

  constructor(url: string, status: number | undefined, cause: unknown) {
    super(
      `${url} ${status ? 'broke off' : 'did not answer'}: ${cause instanceof Error ? cause.message : cause}`,
      url,
      status,
      { cause },
    );
  }
}

/**
 * A response arrived, but not the requested one: HTML of a proxy, a damaged body or an unexpected status.
 * `ProblemError` is a subclass.
 */
export class AnswerError extends CatalogueError {
  override readonly name: string = 'AnswerError';
  declare readonly status: number;
  /** Start of the body; empty if the response has none. */
  declare readonly excerpt: string;

  constructor(message: string, url: string, status: number, body: string) {
    super(message, url, status);
    this.excerpt = body.slice(0, EXCERPT);
  }
}

/**
 * The status of the response is neither 200 to 299 nor 304. If the response has a problem document, `message` is its
 * `detail`.
 */
export class ProblemError extends AnswerError {
  override readonly name = 'ProblemError';
  /** Problem document (RFC 9457); missing members have defaults. Undefined if the response has none. */
  declare readonly problem: Problem | undefined;
  /** Permanent code of the cause: the fragment of `problem.type`. Undefined if this API did not send the problem. */
  declare readonly code: ProblemCode | undefined;
  /** Milliseconds until the server accepts a retry; undefined if it does not say. */
  declare readonly retryAfter: number | undefined;

  constructor(url: string, status: number, body: string, retryAfter: number | undefined) {
    const problem = problemOf(body, status);
    super(problem?.detail ?? `${url} answered ${status}.`, url, status, body);
    this.problem = problem;
    this.code = /\bproblems\.html#([a-z-]+)$/.exec(problem?.type ?? '')?.[1] as ProblemCode | undefined;
    this.retryAfter = retryAfter;
  }
}

/**
 * Thrown if another release goes live, or the release being read is removed, before everything is read. Begin again,
 * because the rest would come from another release.
 */
export class ReleaseChangedError extends CatalogueError {
  override readonly name = 'ReleaseChangedError';

  constructor(url: string, status: number) {
    super(`${url} is not of the release that was begun with. Begin again.`, url, status);
  }
}

/** `docs/errors.md` explains all codes except the last two, which `docs/client.md` explains. */
export type SignatureCode =
  | 'root-damaged'
  | 'statement-missing'
  | 'wrong-key'
  | 'wrong-catalogue'
  | 'root-differs'
  | 'release-rolled-back'
  | 'statement-expired'
  | 'statement-early'
  | 'invalid-key'
  | 'key-unsupported'
  | 'object-differs';

const KEY_ADVICE: Readonly<Record<string, string>> = {
  'invalid-key':
    'The option key is missing, or not a public key: one is what "catalogue keys" prints, 60 characters that start with MCowBQYDK2VwAyEA.',
  'key-unsupported':
    'This platform cannot check signatures: its WebCrypto has no Ed25519, or refuses the key.',
};

/**
 * Thrown if none of the given keys signed the response for this catalogue, if the signed release is too old or not
 * valid at this time, or if `key` is missing, invalid or unsupported. `code` says which.
 */
export class SignatureError extends CatalogueError {
  override readonly name = 'SignatureError';
  declare readonly code: SignatureCode;

  constructor(code: SignatureCode, url: string, options?: { cause?: unknown }) {
    super(KEY_ADVICE[code] ?? `${url} is not what the key signed: ${code}.`, url, undefined, options);
    this.code = code;
  }
}

const EXCERPT = 200;

/** Undefined if the body is not a problem. Missing and invalid members get defaults (RFC 9457, 3.1). */
function problemOf(body: string, status: number): Problem | undefined {
  const value = parseJsonObject(body);
  const textOf = (member: string) => (typeof value?.[member] === 'string' ? value[member] : '');
  const [type, title, detail] = ['type', 'title', 'detail'].map(textOf) as [string, string, string];
  if (!type && !title && !detail) return undefined;
  const name = title || `Status ${status}`;
  return { ...value, type: type || 'about:blank', title: name, status, detail: detail || name };
}

export function unexpectedAnswerError(url: string, status: number, what: string, body: string): AnswerError {
  return new AnswerError(
    `${url} answered ${status}, but not what the API gives: ${what}.`,
    url,
    status,
    body,
  );
}

export function parseJsonObject(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text!);
    return typeof value === 'object' && value ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Thrown if a search would read more than `most` properties, before it reads any of them. */
export class SearchSizeError extends Error {
  readonly properties: number;
  /** Approximate number of compressed bytes that the search would read. */
  readonly bytes: number;

  constructor(properties: number) {
    const megabytes = Math.ceil((properties * BYTES) / 1e6);
    super(
      `A search of ${properties} properties reads about ${megabytes} MB. Name a country or a city, or pass a larger \`most\`.`,
    );
    this.name = 'SearchSizeError';
    this.properties = properties;
    this.bytes = properties * BYTES;
  }
}

const BYTES = 70;
