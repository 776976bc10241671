/** The hooks of docs/editing-commands.md, by real commits. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../compile/workspace.ts';
import { propertyText } from '../source/property-text.ts';
import { ROOT } from '../support/clone.ts';
import { findPreCommit } from './pre-commit.ts';

const HOOK = join(ROOT, 'lib/git-hook.js');
const PAGE = readFileSync(join(ROOT, 'docs/editing-commands.md'), 'utf8');

/** The block of the page behind a mark. */
function block(mark: string): string {
  return new RegExp(`<!-- ${mark} -->\\n+\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(PAGE)![1]!;
}

/** A git repository of a catalogue, with `npx catalogue` installed. */
function repository() {
  const { root } = createWorkspace();
  const PATH = `${join(root, 'bin')}:${process.env.PATH}`;
  const env = { ...process.env, PATH, PRE_COMMIT_HOME: join(root, 'pre-commit') };
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(root, 'bin/npx'), `#!/bin/sh\nshift\nexec node ${ROOT}/lib/cli.js "$@"\n`, {
    mode: 0o755,
  });
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.example', ...args], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
  git('init', '-q');
  const commit = (text: string) => {
    writeFileSync(join(root, 'content/rose.yaml'), text);
    git('add', 'content');
    const { status, stdout, stderr } = git('commit', '-q', '-m', 'change');
    return { done: status === 0, said: stdout + stderr };
  };
  const commits = () => git('rev-list', '--count', '--all').stdout.trim();
  const install = () => spawnSync('node', [HOOK], { cwd: root, env, encoding: 'utf8' }).stderr;
  return { root, git, commit, commits, env, install };
}

describe('the git hook of the package', () => {
  it('judges what is recorded, by the errors that it brings (C4)', () => {
    const { root, git, commit, commits, install } = repository();
    const write = (name: string, text: string) => writeFileSync(join(root, 'content', name), text);
    const record = (...args: string[]) => {
      const { status, stdout, stderr } = git('commit', '-q', '-m', 'change', ...args);
      return { done: status === 0, said: stdout + stderr };
    };
    const wrong = propertyText({ id: '00000000-0000-4000-8000-000000000002', country: 'Ireland' });
    expect(install()).toBe('');
    expect(commit(propertyText())).toMatchObject({ done: true });
    // Files that are not recorded, and versions that are not staged.
    write('untracked.yaml', wrong);
    write('rose.yaml', propertyText({ title: 'Rose House' }));
    git('add', 'content/rose.yaml');
    write('rose.yaml', propertyText({ country: 'Ireland' }));
    expect(record()).toMatchObject({ done: true });
    expect(record('--only', '--', 'content/rose.yaml')).toMatchObject({
      done: false,
      said: expect.stringContaining('content/rose.yaml:7:10  error unknown-country'),
    });
    git('checkout', '-q', 'HEAD', '--', 'content/rose.yaml');
    // An error of the last commit refuses no other commit, nor one that moves its line.
    git('add', 'content/untracked.yaml');
    expect(record('--no-verify')).toMatchObject({ done: true });
    write('untracked.yaml', `# A comment.\n${wrong}`);
    expect(record('--all')).toMatchObject({ done: true });
    // Nor does the form of a file.
    expect(commit(propertyText({ title: '1984' }))).toMatchObject({ done: true });
    // Two files that are sound by themselves.
    write('copy.yaml', propertyText());
    git('add', 'content/copy.yaml');
    expect(record()).toMatchObject({ done: false, said: expect.stringContaining('duplicate-id') });
    expect(commits()).toBe('5');
  });

  it('runs when something below the content changed, and keeps a hook of the owner', () => {
    const { root, git, commit, commits, env, install } = repository();
    const hook = join(root, '.git/hooks/pre-commit');
    mkdirSync(join(root, '.git/hooks'), { recursive: true });
    writeFileSync(hook, '#!/bin/sh\n', { mode: 0o755 });
    expect(install()).toContain('git hooks of its own');
    expect(readFileSync(hook, 'utf8')).toBe('#!/bin/sh\n');
    rmSync(hook);
    git('config', 'core.hooksPath', 'shared');
    expect([install(), existsSync(hook)]).toEqual([expect.stringContaining('of its own'), false]);
    git('config', '--unset', 'core.hooksPath');
    expect([install(), install()]).toEqual(['', '']);

    expect(commit(propertyText())).toMatchObject({ done: true });
    const broken = commit(propertyText({ country: 'Ireland' }));
    expect(broken.done).toBe(false);
    expect(broken.said).toContain('content/rose.yaml:7:10  error unknown-country');
    expect(commits()).toBe('1');
    git('reset', '-q', '--hard');
    writeFileSync(join(root, 'other.txt'), 'x');
    git('add', 'other.txt');
    expect(git('commit', '-q', '-m', 'other').status).toBe(0);
    expect(deletesPhoto(root, commit, git)).toMatchObject({
      done: false,
      said: expect.stringContaining('photo-missing'),
    });
    expect(spawnSync('node', [HOOK], { cwd: tmpdir(), env }).status).toBe(0);
  });
});

/** Commits a photo with its property, and then the deletion of the photo alone. */
function deletesPhoto(
  root: string,
  commit: (text: string) => { done: boolean; said: string },
  git: (...args: string[]) => { status: number | null; stdout: string; stderr: string },
) {
  copyFileSync(join(ROOT, 'starter/pictures/3-the-terrace.jpg'), join(root, 'content/a.jpg'));
  const text = `${propertyText()}photo:\n  - file: a.jpg\n    description: Terrace\n`;
  expect(commit(text)).toMatchObject({ done: true });
  git('rm', '-q', 'content/a.jpg');
  const { status, stdout, stderr } = git('commit', '-q', '-m', 'photo');
  return { done: status === 0, said: stdout + stderr };
}

describe('the hooks of the pre-commit framework', () => {
  it.skipIf(!findPreCommit() && process.env.CI !== 'true')('accept sound files, and refuse others', () => {
    const { root, git, commit, commits, env } = repository();
    writeFileSync(join(root, '.pre-commit-config.yaml'), block('pre-commit'));
    git('add', '.pre-commit-config.yaml');
    execFileSync(findPreCommit()!, ['install'], { cwd: root, env });
    expect(commit(propertyText())).toMatchObject({ done: true });
    const broken = commit(propertyText({ country: 'Ireland' }));
    expect(broken.done).toBe(false);
    expect(broken.said).toContain('error unknown-country');
    expect(commits()).toBe('1');
    // A file that only lacks formatting is formatted, for its author to review and add.
    const unformatted = commit(propertyText({ title: '1984' }));
    expect(unformatted.done).toBe(false);
    expect(unformatted.said).toContain('files were modified by this hook');
    const formatted = readFileSync(join(root, 'content/rose.yaml'), 'utf8');
    expect(formatted).toContain('title: "1984"');
    expect(commit(formatted)).toMatchObject({ done: true });
    expect(deletesPhoto(root, commit, git)).toMatchObject({
      done: false,
      said: expect.stringContaining('photo-missing'),
    });
  });
});
