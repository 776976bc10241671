/** Determines the instant of a release, which decides which dated properties it shows. */
import type { BuildIdentity } from '../../release/manifest.ts';
import { readIdentity } from './git-commit.ts';

/** Instant of a release, and its source: an option, the checked-out commit or the clock. */
export type AsOf = {
  /** Milliseconds since 1970. */
  readonly instant: number;
  readonly from: 'option' | 'commit' | 'clock';
};

/**
 * Returns the instant of a release: the one asked for; else the commit's time, so that the same commit always gives the
 * same release; else, outside Git, now.
 */
export function asOfOr(asked: Date | undefined, { time }: BuildIdentity): AsOf {
  if (asked) return { instant: asked.getTime(), from: 'option' };
  if (time !== null) return { instant: Date.parse(time), from: 'commit' };
  return { instant: Date.now(), from: 'clock' };
}

/** Like {@link asOfOr}, with the commit of the content folder. */
export async function readAsOf(content: string, asked: Date | undefined): Promise<AsOf> {
  return asOfOr(asked, asked ? { commit: null, time: null } : await readIdentity(content));
}
