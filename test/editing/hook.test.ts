/** The hooks of docs/editing.md, by real commits. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createWorkspace } from '../build/workspace.ts';
import { propertyText } from '../source/property-text.ts';
import { findPreCommit } from './pre-commit.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/editing.md'), 'utf8');

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
  return { root, git, commit, commits, env };
}

describe('the git hook', () => {
  it('accepts sound files, and refuses others', () => {
    const { root, git, commit, commits } = repository();
    const hook = join(root, '.git/hooks/pre-commit');
    mkdirSync(join(root, '.git/hooks'), { recursive: true });
    writeFileSync(hook, block('hook'));
    chmodSync(hook, 0o755);
    expect(commit(propertyText())).toMatchObject({ done: true });
    const broken = commit(propertyText({ country: 'Ireland' }));
    expect(broken.done).toBe(false);
    expect(broken.said).toContain('content/rose.yaml:7:10  error unknown-country');
    const unformatted = commit(propertyText({ title: '1984' }));
    expect(unformatted.done).toBe(false);
    expect(unformatted.said).toContain('Not formatted');
    expect(commits()).toBe('1');
    git('checkout', '-q', 'HEAD', '--', 'content');
    writeFileSync(join(root, 'other.txt'), 'x');
    git('add', 'other.txt');
    expect(git('commit', '-q', '-m', 'other').status).toBe(0);
  });
});

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
  });

  it('of this repository are those of the page', () => {
    const shipped = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')) as Record<
      string,
      unknown
    >[];
    const { hooks } = (parse(block('pre-commit')) as { repos: { hooks: Record<string, unknown>[] }[] })
      .repos[0]!;
    for (const { id, entry, files, types } of hooks) {
      expect(shipped).toContainEqual(
        expect.objectContaining({
          id,
          files,
          types,
          entry: String(entry).replace('npx ', ''),
          language: 'node',
        }),
      );
    }
  });
});
