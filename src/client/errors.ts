/** What a call may throw. */
import type { Problem, ProblemCode } from './types.ts';

/** A request that did not bring what was asked for. The others are of this class. */
export class CatalogueError extends Error {
  override readonly name: string = 'CatalogueError';
  /** What was asked. */
  declare readonly url: string;
  /** HTTP status of the answer; undefined when none came. */
  declare readonly status: number | undefined;

  constructor(message: string, url: string, status: number | undefined, options?: { cause?: unknown }) {
    super(message, options as ErrorOptions);
    this.url = url;
    this.status = status;
  }
}

/** No answer came, or it broke off. `cause` is what `fetch` threw. */
export class ConnectionError extends CatalogueError {
  override readonly name = 'ConnectionError';

  constructor(url: string, status: number | undefined, cause: unknown) {
    super(`${url} ${status ? 'broke off' : 'did not answer'}: ${cause}`, url, status, { cause });
  }
}

/** An answer that is not what the API gives: HTML of something in between, a broken body, a status out of place. */
export class AnswerError extends CatalogueError {
  override readonly name: string = 'AnswerError';
  declare readonly status: number;
  /** The beginning of the body; empty when the answer has no body. */
  declare readonly excerpt: string;

  constructor(message: string, url: string, status: number, body: string) {
    super(message, url, status);
    this.excerpt = body.slice(0, EXCERPT);
  }
}

/** An answer with an error status. */
export class ProblemError extends AnswerError {
  override readonly name = 'ProblemError';
  /**
   * The problem document (RFC 9457), with defaults for the members that it leaves out; undefined when the answer has
   * none, since something in between gave it.
   */
  declare readonly problem: Problem | undefined;
  /** Permanent code of the cause: the fragment of the problem's `type`; undefined when the problem is not the API's. */
  declare readonly code: ProblemCode | undefined;
  /** Milliseconds after which the server wants to be asked again; undefined when it does not say. */
  declare readonly retryAfter: number | undefined;

  constructor(url: string, status: number, body: string, retryAfter: number | undefined) {
    const problem = problemOf(body, status);
    super(problem?.detail ?? `${url} answered ${status}.`, url, status, body);
    this.problem = problem;
    this.code = /\bproblems\.html#([a-z-]+)$/.exec(problem?.type ?? '')?.[1] as ProblemCode | undefined;
    this.retryAfter = retryAfter;
  }
}

/** The release of the download went before its end: what came and what is left would be of two releases. */
export class ReleaseChangedError extends CatalogueError {
  override readonly name = 'ReleaseChangedError';

  constructor(url: string, status: number) {
    super(`${url} has gone with its release. Begin again.`, url, status);
  }
}

/** Characters of a body that an error keeps. */
const EXCERPT = 200;

/**
 * The problem that a body is, whatever its media type; a member that is missing or of another type gets its default
 * (RFC 9457, 3.1).
 */
function problemOf(body: string, status: number): Problem | undefined {
  const value = objectOf(body);
  const textOf = (member: string) => (typeof value?.[member] === 'string' ? value[member] : '');
  const [type, title, detail] = ['type', 'title', 'detail'].map(textOf) as [string, string, string];
  if (!type && !title && !detail) return undefined;
  const name = title || `Status ${status}`;
  return { ...value, type: type || 'about:blank', title: name, status, detail: detail || name };
}

/** The error for an answer of success that is something else than was asked for. */
export function unexpected(url: string, status: number, what: string, body: string): AnswerError {
  return new AnswerError(
    `${url} answered ${status}, but not what the API gives: ${what}.`,
    url,
    status,
    body,
  );
}

/** The object that a text of JSON is; undefined for any other text. */
export function objectOf(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text!);
    return typeof value === 'object' && value ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
