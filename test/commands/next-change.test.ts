/** `catalogue next-change`, and `--as-of` of the other commands. */
import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { createWorkspace } from '../compile/workspace.ts';
import { runCli } from '../support/run-cli.ts';

/** A content folder in a repository with one commit. */
function committed(time = '2020-03-01T00:00:00Z') {
  const workspace = createWorkspace();
  workspace.add(1, { live_from: '2020-04-01' });
  workspace.add(2, { live_until: '2999-12-31' });
  workspace.add(3, { draft: 'true' });
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', workspace.root, '-c', 'user.name=t', '-c', 'user.email=t@t.example', ...args],
      {
        env: { ...process.env, GIT_COMMITTER_DATE: time },
      },
    );
  git('init', '-q');
  git('add', '.');
  git('-c', 'commit.gpgsign=false', 'commit', '-qm', 'one');
  return { ...workspace, run: (...args: string[]) => runCli(workspace, args) };
}

it('next-change prints the time of the next change after the commit, and whether it has passed', () => {
  const { run } = committed();
  expect(run('next-change')).toMatchObject({
    status: 0,
    stdout: '2020-04-01T00:00:00Z\n',
    stderr: '  content/house-1.yaml is published\n',
  });
  expect(run('next-change', '--due').status).toBe(0);
  const later = run('next-change', '--due', '--as-of', 'now', '--format', 'json');
  expect(later.status).toBe(1);
  expect(JSON.parse(later.stdout)).toMatchObject({
    next: '3000-01-01T00:00:00Z',
    isDue: false,
    changes: [{ file: 'content/house-2.yaml', change: 'hidden' }],
  });
  expect(run('next-change', '--as-of', '3000-01-01').stderr).toBe(
    'After 3000-01-01T00:00:00Z no date changes what is published.\n',
  );
});

it('next-change --due lets a commit be published once more, which removes what its publish kept for readers', () => {
  const ago = (hours: number) => new Date(Date.now() - hours * 3600 * 1000).toISOString();
  expect(committed(ago(1)).run('next-change', '--due').status).toBe(0);
  expect(committed(ago(3)).run('next-change', '--due').status).toBe(1);
});

it('build reports what it leaves out, and for which time', () => {
  const { run } = committed();
  const { stderr } = run('build');
  expect(stderr).toContain(
    'Not published: 1 draft.\nNot published as of 2020-03-01T00:00:00Z, the time of the commit: 1 not live yet.\n',
  );
  const shown = run('build', '--as-of', '2020-04-01T02:00:00+02:00').stderr;
  expect(shown).toContain('Not published: 1 draft.\n');
  expect(shown).not.toContain('as of');
  const refused = run('build', '--as-of', '1.4.2020');
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('Expected a date such as 2027-04-01, a time with its offset, or now.');
});
