/** Puts the content of a workspace under version control, with real git. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workspace } from '../../compile/workspace.ts';

export const run = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Settings of a repository that no setting of this machine reaches. */
export function configureGit(root: string, name = 'Ada'): void {
  for (const [key, value] of [
    ['user.name', name],
    ['user.email', `${name.toLowerCase()}@example.com`],
    ['commit.gpgsign', 'false'],
    ['core.hooksPath', '.git/hooks'],
  ])
    run(root, 'config', key!, value!);
  mkdirSync(join(root, '.git/hooks'), { recursive: true });
}

/** @param top folder of the repository. @default the workspace's, with the content in a folder of its own */
export function repository({ root, content }: Workspace, top = root): void {
  writeFileSync(join(top, '.gitignore'), 'dist\n');
  run(top, 'init', '--quiet', '--initial-branch=main');
  configureGit(top);
  run(top, 'add', '.gitignore', content);
  run(top, 'commit', '--quiet', '--message=Start');
}
