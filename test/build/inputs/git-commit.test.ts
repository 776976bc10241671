/** The commit of a build, with real repositories. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { peekCommit, readIdentity } from '../../../src/build/inputs/git-commit.ts';
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
  const root = mkdtempSync(join(tmpdir(), 'catalogue-identity-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  git(root, 'init', '-q');
  const content = join(root, 'content');
  mkdirSync(content);
  return { root, content, first: commit(root, 'first') };
}

describe('the commit, from the files of git', () => {
  it('is that of the branch, wherever in the repository the content is', () => {
    const { root, content, first } = createRepository();
    expect(peekCommit(content)).toBe(first);
    expect(peekCommit(root)).toBe(first);
    const second = commit(root, 'second');
    git(root, 'switch', '-q', '-c', 'a/branch');
    expect(peekCommit(content)).toBe(second);
    const third = commit(root, 'third');
    expect(peekCommit(content)).toBe(third);
    // A link from outside leads into it.
    const link = join(createWorkspace().root, 'link');
    symlinkSync(content, link);
    expect(peekCommit(link)).toBe(third);
  });

  it('is the one that is checked out, without a branch', () => {
    const { root, content, first } = createRepository();
    commit(root, 'second');
    git(root, 'checkout', '-q', first);
    expect(peekCommit(content)).toBe(first);
  });

  it('is null outside a repository', () => {
    expect(peekCommit(createWorkspace().content)).toBeNull();
  });

  it('is left to git where its files do not tell it', async () => {
    const { root, content, first } = createRepository();
    git(root, 'worktree', 'add', '-q', 'tree');
    expect(peekCommit(join(root, 'tree'))).toBeUndefined();
    expect((await readIdentity(join(root, 'tree'))).commit).toBe(first);
    git(root, 'pack-refs', '--all');
    expect(peekCommit(content)).toBeUndefined();
    expect((await readIdentity(content)).commit).toBe(first);
    const bare = createWorkspace();
    git(bare.root, 'init', '-q', '--bare');
    expect(peekCommit(bare.content)).toBeUndefined();
    const empty = createWorkspace();
    git(empty.root, 'init', '-q');
    expect(peekCommit(empty.content)).toBeUndefined();
    expect((await readIdentity(empty.content)).commit).toBeNull();
    writeFileSync(join(empty.root, '.git', 'HEAD'), 'nonsense');
    expect(peekCommit(empty.content)).toBeUndefined();
  });

  it('is left to git where a variable leads it elsewhere', async () => {
    const { root, first } = createRepository();
    vi.stubEnv('GIT_DIR', join(root, '.git'));
    onTestFinished(() => void vi.unstubAllEnvs());
    const { content } = createWorkspace();
    expect(peekCommit(content)).toBeUndefined();
    expect((await readIdentity(content)).commit).toBe(first);
  });
});

describe('the identity', () => {
  it('has the time of the commit', async () => {
    const { root, content, first } = createRepository();
    const time = git(root, 'log', '-1', '--format=%cI');
    expect(await readIdentity(content)).toEqual({ commit: first, time });
  });

  it('is asked for again when the commit is another one', async () => {
    const { root, content, first } = createRepository();
    const last = { commit: first, time: 'as it was' };
    expect(await readIdentity(content, last)).toBe(last);
    const second = commit(root, 'second');
    expect(await readIdentity(content, last)).toMatchObject({ commit: second });
    rmSync(join(root, '.git'), { recursive: true });
    expect(await readIdentity(content, last)).toEqual({ commit: null, time: null });
  });
});

it('makes a build write the manifest anew when nothing else changed', async () => {
  const workspace = createWorkspace();
  const buildIn = () => (workspace.json('_catalogue/manifest.json') as { build: object }).build;
  workspace.add(1);
  await workspace.build();
  expect(buildIn()).toEqual({ commit: null, time: null });
  git(workspace.root, 'init', '-q');
  for (const message of ['first', 'second']) {
    const hash = commit(workspace.root, message);
    expect((await workspace.build()).outcome).toBe('published');
    expect(buildIn()).toMatchObject({ commit: hash, time: expect.any(String) });
    expect((await workspace.build()).outcome).toBe('unchanged');
  }
});
