import type { CacheControl } from '../../contract/headers.ts';
import type { OriginKind } from '../../contract/origin.ts';
import type { Problem, ProblemName } from '../../contract/problem.ts';
import type { RouteSettings } from '../../contract/route.ts';

export type ReplySettings = RouteSettings & {
  readonly cache: CacheControl;
  readonly problems: Readonly<Record<string, readonly [status: number, body: string]>>;
  /** SHA-256 of the valid API keys, in lower-case hexadecimal; empty for an open list. */
  readonly digests: readonly string[];
  /** Search engines must not list a preview. @default false */
  readonly isPreview?: boolean | undefined;
  /** Named in preflight responses. @default none */
  readonly edge?: string | undefined;
  /** For a target that reads files from an HTTP server. @default 'server' */
  readonly origin?: OriginKind | undefined;
};

export function problemReplies(problems: ReadonlyMap<ProblemName, Problem>): ReplySettings['problems'] {
  const replies: Record<string, [number, string]> = {};
  for (const [name, problem] of problems) replies[name] = [problem.status, JSON.stringify(problem)];
  return replies;
}
