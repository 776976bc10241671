/** Which commit a build is made from. */
import { execFileSync } from 'node:child_process';
import type { BuildIdentity } from '../emit/manifest.ts';

/** The commit that is checked out where the content is, and its time; nulls outside a git repository. */
export function readIdentity(content: string): BuildIdentity {
  try {
    const text = execFileSync('git', ['log', '-1', '--format=%H %cI'], {
      cwd: content,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [commit, time] = text.trim().split(' ');
    return commit && time ? { commit, time } : { commit: null, time: null };
  } catch {
    return { commit: null, time: null };
  }
}
