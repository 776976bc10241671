import { execFile } from 'node:child_process';
import type { BuildIdentity } from '../../release/root-contents.ts';

/** Both values are null without Git, a repository or a commit. */
export function readBuildIdentity(content: string): Promise<BuildIdentity> {
  return new Promise((resolve) => {
    // `-C` instead of `cwd`, since `execFile` throws if its `cwd` is not a folder.
    execFile(
      'git',
      ['-C', content, 'log', '-1', '--no-show-signature', '--format=%H %cI'],
      { encoding: 'utf8' },
      (error, stdout) => {
        const [, commit, time] = /^([0-9a-f]{40,64}) (\S+)$/m.exec(stdout) ?? [];
        resolve(!error && commit && time ? { commit, time } : { commit: null, time: null });
      },
    );
  });
}
