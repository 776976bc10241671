import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { committedFiles } from '../../../src/dev/git/git-objects.ts';
import { wholeFileChoices } from '../../../src/dev/git/whole-file-choice.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { configureGit, run } from './repository.ts';

it('reads many files of a commit at once, whatever their names, and none that it lacks', async () => {
  const folder = temporaryFolder();
  const content = join(folder, 'content');
  mkdirSync(join(content, 'sub'), { recursive: true });
  run(folder, 'init', '--quiet', '--initial-branch=main');
  configureGit(folder);
  const texts: Readonly<Record<string, string>> = {
    'a b.yaml': 'one\n\ntwo',
    'sub/é [1]*.yaml': '',
    'line\nbreak.yaml': 'odd',
    'c.yaml': '0123456789abcdef0123456789abcdef01234567 blob 3\n',
  };
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(content, path), text);
  run(folder, 'add', '.');
  run(folder, 'commit', '--quiet', '--message=Begin');
  writeFileSync(join(content, 'c.yaml'), 'changed');
  const paths = [...Object.keys(texts), 'missing.yaml', 'sub'];
  const found = await committedFiles(content, 'HEAD', paths);
  expect(Object.fromEntries(paths.map((path) => [path, found.get(path)?.toString()]))).toEqual({
    ...texts,
    'missing.yaml': undefined,
    sub: undefined,
  });
});

it('starts no process for conflicts that are merged by field, however many there are', async () => {
  const stages = new Map([1, 2, 3].map((stage) => [stage, { mode: '100644', id: 'a'.repeat(40) }]));
  const files = Array.from({ length: 5000 }, (_, number) => [`${number}.yaml`, stages] as const);
  // Git would fail, since there is no such folder.
  expect(await wholeFileChoices('/nowhere', new Map(files))).toEqual([]);
});
