/** Makes the commit of a merge as `git merge` does: with its hooks, and signed if the repository wants that. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GitFailure, git, gitOrEmpty } from './git.ts';
import { gitRefusal, outputInOneLine } from './git-refusals.ts';
import type { MergeSides } from './merge-sides.ts';
import { mergeJournalFolder } from './merge-transaction.ts';

/**
 * Returns the id of the commit. No branch has it yet.
 * @throws RefusedRequest `git-failed` if a hook refuses; GitFailure
 */
export async function makeMergeCommit(
  { top, yours, theirs }: MergeSides,
  tree: string,
  subject: string,
  index: string,
): Promise<string> {
  const environment = { GIT_INDEX_FILE: index };
  await runHook(top, 'pre-merge-commit', [], environment);
  const file = join(await mergeJournalFolder(top), 'message');
  writeFileSync(file, `${subject}\n`);
  await runHook(top, 'prepare-commit-msg', [file, 'merge'], environment);
  await runHook(top, 'commit-msg', [file], environment);
  const isSigned = (await gitOrEmpty(top, 'config', '--type=bool', 'commit.gpgSign')) === 'true';
  const message = existsSync(file) ? readFileSync(file, 'utf8') : `${subject}\n`;
  const args = ['commit-tree', ...(isSigned ? ['-S'] : []), '-p', yours, '-p', theirs, '-F', '-', tree];
  return (await git(top, args, { input: message })).trim();
}

/** @throws RefusedRequest `git-failed` */
export async function runHook(
  top: string,
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    await git(top, ['hook', 'run', '--ignore-missing', name, '--', ...args], { environment });
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    throw gitRefusal(
      `The checks of this catalogue refuse the merge. Nothing was changed. They say: ${outputInOneLine(error.output)}`,
    );
  }
}
