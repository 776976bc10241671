import type { CacheControl } from '../../contract/headers.ts';
import type { OriginKind } from '../../contract/origin.ts';
import type { Problem, ProblemName } from '../../contract/problem.ts';
import { problemText } from '../../contract/problem.ts';
import type { RouteSettings } from '../../contract/route.ts';
import type { TargetInput } from '../target.ts';

/** What a JavaScript platform must know to answer: small, and the same for every request. */
export type ReplySettings = RouteSettings & {
  readonly cache: CacheControl;
  /** Status and body of every problem document, by name. */
  readonly problems: Readonly<Record<string, readonly [status: number, body: string]>>;
  /** SHA-256 digests of the keys of which the list asks one, in lower-case hexadecimal; none: it is open. */
  readonly digests: readonly string[];
  /** What holds the files, for a target that asks an HTTP server. @default 'server' */
  readonly origin?: OriginKind | undefined;
};

/** Status and body of every problem document. */
export function problemReplies(problems: ReadonlyMap<ProblemName, Problem>): ReplySettings['problems'] {
  const replies: Record<string, [number, string]> = {};
  for (const [name, problem] of problems) replies[name] = [problem.status, problemText(problem)];
  return replies;
}

/** What a JavaScript target is told that finds each page in a file. */
export function replySettings({ configuration, settings, problems }: TargetInput): ReplySettings {
  const { api, media, problem } = configuration.cache_control;
  return {
    base: settings.base,
    sizes: settings.sizes,
    cache: { api, media, problem },
    problems: problemReplies(problems),
    digests: configuration.api_keys,
  };
}

/** What a JavaScript target is told that can do both: it cuts pages out of chunks wherever there are any. */
export function eitherSettings(input: TargetInput): ReplySettings {
  const { layout, cache_control } = input.configuration;
  return layout === 'pages'
    ? replySettings(input)
    : { ...replySettings(input), layout, cache: cache_control };
}
