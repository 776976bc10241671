/** The commit of a build, with real repositories. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readBuildIdentity } from '../../../src/compile/inputs/git-commit.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { createWorkspace } from '../workspace.ts';

const AUTHOR = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', folder, ...AUTHOR, ...args], { encoding: 'utf8' }).trim();
}

function commit(folder: string, message: string): string {
  git(folder, 'commit', '-q', '--allow-empty', '-m', message);
  return git(folder, 'rev-parse', 'HEAD');
}

/** A repository with one commit, and a content folder in it. */
function createRepository() {
  const root = temporaryFolder();
  git(root, 'init', '-q');
  const content = join(root, 'content');
  mkdirSync(content);
  return { root, content, first: commit(root, 'first') };
}

const commitIn = async (folder: string) => (await readBuildIdentity(folder)).commit;

describe('the commit of a build', () => {
  it('is that of the branch, with its time, wherever in the repository the content lies', async () => {
    const { root, content, first } = createRepository();
    expect(await commitIn(content)).toBe(first);
    expect(await commitIn(root)).toBe(first);
    git(root, 'switch', '-q', '-c', 'a/branch');
    const second = commit(root, 'second');
    expect(await readBuildIdentity(content)).toEqual({
      commit: second,
      time: git(root, 'log', '-1', '--format=%cI'),
    });
    // A link from outside leads into it.
    const link = join(createWorkspace().root, 'link');
    symlinkSync(content, link);
    expect(await commitIn(link)).toBe(second);
    rmSync(join(root, '.git'), { recursive: true });
    expect(await readBuildIdentity(content)).toEqual({ commit: null, time: null });
  });

  it('is the checked-out one without a branch, in a worktree, and among packed refs', async () => {
    const { root, content, first } = createRepository();
    git(root, 'worktree', 'add', '-q', 'tree');
    commit(root, 'second');
    git(root, 'checkout', '-q', first);
    expect(await commitIn(content)).toBe(first);
    git(root, 'pack-refs', '--all');
    expect(await commitIn(join(root, 'tree'))).toBe(first);
  });

  it('is null outside a repository, and in a repository without commits', async () => {
    expect(await commitIn(createWorkspace().content)).toBeNull();
    const empty = createWorkspace();
    git(empty.root, 'init', '-q');
    expect(await commitIn(empty.content)).toBeNull();
    writeFileSync(join(empty.root, '.git', 'HEAD'), 'nonsense');
    expect(await commitIn(empty.content)).toBeNull();
  });

  it('is read without the lines about its signature that settings ask for', async () => {
    const { root, content } = createRepository();
    const signer = join(root, 'signer');
    const said = 'echo "gpg: Signature made today" >&2\necho "[GNUPG:] SIG_CREATED " >&2';
    const signature = 'echo "-----BEGIN PGP SIGNATURE-----"';
    writeFileSync(signer, `#!/bin/sh\ncat > /dev/null\n${said}\n${signature}\n`, { mode: 0o755 });
    git(root, 'config', 'gpg.program', signer);
    git(root, 'config', 'log.showSignature', 'true');
    git(root, 'commit', '-q', '--allow-empty', '-S', '-m', 'signed');
    expect(git(root, 'log', '-1', '--format=%H')).toMatch(/^gpg: /);
    expect(await commitIn(content)).toBe(git(root, 'rev-parse', 'HEAD'));
  });

  it('is the one that an environment variable of git selects', async () => {
    const { root, first } = createRepository();
    vi.stubEnv('GIT_DIR', join(root, '.git'));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await commitIn(createWorkspace().content)).toBe(first);
  });
});

it('makes a build write current.json again when nothing else changed', async () => {
  const workspace = createWorkspace();
  const buildIn = () => workspace.json('_catalogue/current.json');
  workspace.add(1);
  await workspace.build();
  expect(buildIn()).toMatchObject({ commit: null, time: null });
  git(workspace.root, 'init', '-q');
  for (const message of ['first', 'second']) {
    const hash = commit(workspace.root, message);
    expect((await workspace.build()).outcome).toBe('published');
    expect(buildIn()).toMatchObject({ commit: hash, time: expect.any(String) });
    expect((await workspace.build()).outcome).toBe('unchanged');
  }
});
