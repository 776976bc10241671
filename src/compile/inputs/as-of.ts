import type { BuildIdentity } from '../../release/root-contents.ts';
import { readBuildIdentity } from './git-commit.ts';

/** Instant that decides which dated properties a release shows. `from`: where the instant comes from. */
export type AsOf = {
  /** Milliseconds since 1970. */
  readonly instant: number;
  readonly from: 'option' | 'commit' | 'clock';
};

/** Returns `asked`, else the commit's time (so a commit always gives the same release), else the present time. */
export function resolveAsOf(asked: Date | undefined, { time }: BuildIdentity): AsOf {
  if (asked) return { instant: asked.getTime(), from: 'option' };
  if (time !== null) return { instant: Date.parse(time), from: 'commit' };
  return { instant: Date.now(), from: 'clock' };
}

export async function readAsOf(content: string, asked: Date | undefined): Promise<AsOf> {
  return resolveAsOf(asked, asked ? { commit: null, time: null } : await readBuildIdentity(content));
}
