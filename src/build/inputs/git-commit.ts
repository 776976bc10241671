/** Which commit a build is made from. */
import { execFile } from 'node:child_process';
import type { BuildIdentity } from '../../release/manifest.ts';

/** The commit that is checked out where the content is, and its time; nulls outside a git repository, or without git. */
export function readIdentity(content: string): Promise<BuildIdentity> {
  return new Promise((resolve) => {
    execFile('git', ['log', '-1', '--format=%H %cI'], { cwd: content, encoding: 'utf8' }, (error, stdout) => {
      const [commit, time] = stdout.trim().split(' ');
      resolve(!error && commit && time ? { commit, time } : { commit: null, time: null });
    });
  });
}
