import type { CacheControl } from '../../contract/headers.ts';
import type { OriginKind } from '../../contract/origin.ts';
import type { Problem, ProblemName } from '../../contract/problem.ts';
import type { RouteSettings } from '../../contract/route.ts';

/** What a JavaScript platform must know to answer: small, and the same for every request. */
export type ReplySettings = RouteSettings & {
  readonly cache: CacheControl;
  /** Status and body of every problem document, by name. */
  readonly problems: Readonly<Record<string, readonly [status: number, body: string]>>;
  /** SHA-256 digests of the keys, in lower-case hexadecimal. The list needs one of these keys; empty: the list is open. */
  readonly digests: readonly string[];
  /** Name of this configuration, with which preflights are answered. @default none */
  readonly edge?: string | undefined;
  /** What holds the files, for a target that asks an HTTP server. @default 'server' */
  readonly origin?: OriginKind | undefined;
};

/** Status and body of every problem document. */
export function problemReplies(problems: ReadonlyMap<ProblemName, Problem>): ReplySettings['problems'] {
  const replies: Record<string, [number, string]> = {};
  for (const [name, problem] of problems) replies[name] = [problem.status, JSON.stringify(problem)];
  return replies;
}
