/** Which commit a build is made from. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BuildIdentity } from '../emit/manifest.ts';

/** The commit that is checked out where the content is, and its time; nulls outside a git repository. */
export async function readIdentity(content: string): Promise<BuildIdentity> {
  try {
    const args = ['log', '-1', '--format=%H %cI'];
    const { stdout } = await promisify(execFile)('git', args, { cwd: content, encoding: 'utf8' });
    const [commit, time] = stdout.trim().split(' ');
    return commit && time ? { commit, time } : { commit: null, time: null };
  } catch {
    return { commit: null, time: null };
  }
}
