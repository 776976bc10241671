/** Two people with clones of one repository, and the requests of the first one's page, without builds. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readFieldValues } from '../../../src/dev/content/read-field-values.ts';
import { mergeUpstream } from '../../../src/dev/git/merge-upstream.ts';
import type { ConflictSide, MergeResponse } from '../../../src/editor/git-remote.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { contextOf } from '../context-of.ts';
import { configureGit, run } from './repository.ts';

export type Person = ReturnType<typeof personIn>;

/** @param root folder of a clone, with the content in a folder of its own. */
function personIn(root: string) {
  const content = join(root, 'content');
  return {
    root,
    content,
    context: contextOf(content),
    git: (...args: string[]) => run(root, ...args),
    write(path: string, text: string | Buffer) {
      mkdirSync(dirname(join(content, path)), { recursive: true });
      writeFileSync(join(content, path), text);
    },
    read: (path: string) => readFileSync(join(content, path), 'utf8'),
    remove: (path: string) => rmSync(join(content, path)),
    record(message = 'Change') {
      run(root, 'add', '.');
      run(root, 'commit', '--quiet', '--allow-empty', `--message=${message}`);
    },
    /** All files of the content, by their paths. */
    files: (): Readonly<Record<string, string>> =>
      Object.fromEntries(
        readdirSync(content, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
          .map((file) => [file.slice(content.length + 1), readFileSync(file, 'latin1')]),
      ),
    values: (path: string) => readFieldValues(readFileSync(join(content, path), 'utf8')),
  };
}

/** A bare repository and two clones of it. */
export function twoColleagues(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  run(folder, 'init', '--quiet', '--bare', '--initial-branch=main', 'shared.git');
  const clone = (name: string) => {
    run(folder, 'clone', '--quiet', 'shared.git', name);
    configureGit(join(folder, name), name);
    return personIn(join(folder, name));
  };
  const ben = clone('ben');
  run(ben.root, 'switch', '--quiet', '--orphan', 'main');
  for (const [path, text] of Object.entries(files)) ben.write(path, text);
  ben.record('Begin');
  run(ben.root, 'push', '--quiet', '--set-upstream', 'origin', 'main');
  return { ben, ada: clone('ada'), shared: join(folder, 'shared.git') };
}

/** Everything that a failed or killed merge leaves as it was. */
export function stateOf({ git, files }: Person) {
  return {
    head: git('rev-parse', 'HEAD'),
    branch: git('symbolic-ref', 'HEAD'),
    index: git('ls-files', '--stage'),
    status: git('status', '--porcelain', '--untracked-files=all'),
    files: files(),
  };
}

/** Receives, and answers what is asked until the changes are here. */
export async function receiveAll(
  { context }: Person,
  choose: (key: string) => ConflictSide,
): Promise<ReadonlyMap<string, ConflictSide>> {
  const choices = new Map<string, ConflictSide>();
  let answer: MergeResponse = { mark: '', conflicts: [] };
  do {
    answer = await mergeUpstream(context, { mark: answer.mark, choices: Object.fromEntries(choices) });
    for (const { key } of answer.conflicts) {
      if (choices.has(key)) throw new Error(`${key} is asked twice.`);
      choices.set(key, choose(key));
    }
  } while (answer.conflicts.length > 0);
  return choices;
}
