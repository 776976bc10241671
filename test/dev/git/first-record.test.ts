/** A repository without any commit, and files beside the content that no record has. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { pushBranch, remoteResponse } from '../../../src/dev/git/remote.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { contextOf } from '../context-of.ts';
import { configureGit, run } from './repository.ts';

it('has nothing to send, and the files beside the content are named', async () => {
  const root = temporaryFolder();
  const content = join(root, 'content');
  for (const path of ['content/a.yaml', '.github/workflows/publish.yml', 'package.json', '.gitignore']) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), 'dist\n');
  }
  run(root, 'init', '--quiet', '--initial-branch=main');
  run(root, 'init', '--quiet', '--bare', 'dist/shared.git');
  run(root, 'remote', 'add', 'origin', join(root, 'dist/shared.git'));
  configureGit(root);
  const context = contextOf(content);
  const unrecorded = ['.github/', '.gitignore', 'package.json'];
  expect(await remoteResponse(context)).toMatchObject({ unsent: 0, hasRecords: false, unrecorded });
  await expect(pushBranch(context)).rejects.toThrow('Nothing is recorded yet, so there is nothing to send.');
  run(root, 'add', 'content');
  run(root, 'commit', '--quiet', '--message=Begin');
  expect(await remoteResponse(context)).toMatchObject({ unsent: 1, hasRecords: true, unrecorded });
  expect(await pushBranch(context)).toMatchObject({ unsent: 0 });
  run(root, 'add', '.');
  expect(await remoteResponse(context)).toMatchObject({ unrecorded: [] });
});

it('says nothing of other files where the content is the whole repository', async () => {
  const content = join(temporaryFolder(), 'content');
  mkdirSync(content);
  run(content, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(content, 'a.yaml'), '');
  expect((await remoteResponse(contextOf(content))).unrecorded).toEqual([]);
});
