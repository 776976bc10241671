import type { CacheControlSettings } from '../../contract/headers.ts';
import type { OriginKind } from '../../contract/origin-status.ts';
import type { Problem, ProblemName } from '../../contract/problem.ts';
import type { RouteSettings } from '../../contract/route.ts';

export type ReplySettings = RouteSettings & {
  readonly cache: CacheControlSettings;
  readonly problems: Readonly<Record<string, readonly [status: number, body: string]>>;
  /** SHA-256 of valid API keys, in lower-case hexadecimal digits. Empty if no key is required. */
  readonly digests: readonly string[];
  /** Adds a header that keeps search engines away. @default false */
  readonly isPreview?: boolean | undefined;
  /** Sent with preflight responses, to show which configuration is deployed. @default not sent */
  readonly edge?: string | undefined;
  /** Kind of origin, for targets that read files over HTTP. @default 'server' */
  readonly origin?: OriginKind | undefined;
};

export function problemReplies(problems: ReadonlyMap<ProblemName, Problem>): ReplySettings['problems'] {
  const replies: Record<string, [number, string]> = {};
  for (const [name, problem] of problems) replies[name] = [problem.status, JSON.stringify(problem)];
  return replies;
}
