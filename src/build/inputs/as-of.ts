/** The instant that a release is made for: it decides which drafts and dated properties are in it. */
import type { BuildIdentity } from '../../release/manifest.ts';
import { readIdentity } from './git-commit.ts';

/** The instant of a release, and where it comes from: an option, the commit that is checked out, the clock. */
export type AsOf = {
  /** Milliseconds since 1970. */
  readonly instant: number;
  readonly from: 'option' | 'commit' | 'clock';
};

/**
 * The instant of a release: the one that is asked for; else the time of the commit, so that the same commit gives the
 * same release whenever it is built; else, outside git, now.
 */
export function asOfOr(asked: Date | undefined, { time }: BuildIdentity): AsOf {
  if (asked) return { instant: asked.getTime(), from: 'option' };
  if (time !== null) return { instant: Date.parse(time), from: 'commit' };
  return { instant: Date.now(), from: 'clock' };
}

/** The same, for the folder that the content is in. */
export async function readAsOf(content: string, asked: Date | undefined): Promise<AsOf> {
  return asOfOr(asked, asked ? { commit: null, time: null } : await readIdentity(content));
}
