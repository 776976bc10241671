/** The workflows: what they may do, and that their steps work. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { sound, yaml } from '../build/workspace.ts';
import { createClone, ROOT } from '../clone.ts';

const FOLDER = join(ROOT, '.github/workflows');

type Step = { name?: string; run?: string; uses?: string; with?: Record<string, unknown> };
type Workflow = {
  on: Record<string, { branches?: string[]; paths?: string[] } | null>;
  permissions: Record<string, string>;
  concurrency?: { group: string; 'cancel-in-progress': boolean };
  jobs: Record<string, { needs?: string; permissions?: Record<string, string>; if?: string; steps: Step[] }>;
};

const workflow = (name: string) => parse(readFileSync(join(FOLDER, name), 'utf8')) as Workflow;
const script = (steps: Step[], name: string) => steps.find((step) => step.name === name)!.run!;

describe('every workflow', () => {
  it.each(readdirSync(FOLDER))(
    '%s names its rights, its versions, and puts nothing foreign into a script',
    (name) => {
      const { on, permissions, jobs } = workflow(name);
      expect(on).not.toHaveProperty('pull_request_target');
      expect(permissions.contents).toBe('read');
      for (const { steps } of Object.values(jobs)) {
        for (const { run = '', uses } of steps) {
          // A title or the name of a branch in a script would be run.
          expect(run).not.toContain('${{');
          if (uses) expect(uses).toMatch(/@v\d+$/);
        }
      }
    },
  );

  it('publish does not cancel what is on its way', () => {
    expect(workflow('publish.yml').concurrency).toMatchObject({ 'cancel-in-progress': false });
  });

  it('review gives no right to write to what runs foreign code', () => {
    const { permissions, jobs, on } = workflow('review.yml');
    expect(Object.keys(on)).toEqual(['pull_request', 'push']);
    expect(on.push!.branches).toEqual(['main']);
    expect(on.push!.paths).toEqual(on.pull_request!.paths);
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs.review!.permissions).toBeUndefined();
    expect(jobs.comment!.permissions).toEqual({ 'pull-requests': 'write' });
    expect(jobs.comment!.steps.map(({ uses }) => uses?.split('@')[0])).toEqual([
      'actions/download-artifact',
      undefined,
    ]);
    expect(jobs.comment!.if).toContain('head.repo.full_name == github.repository');
    expect(JSON.stringify(jobs)).not.toContain('secrets.');
  });

  it('review tells code scanning, where there is any, without running what it was given', () => {
    const { review, scan } = workflow('review.yml').jobs;
    expect(scan!.needs).toBe('review');
    expect(scan!.permissions).toEqual({ actions: 'read', contents: 'read', 'security-events': 'write' });
    expect(scan!.if).toContain("!github.event.repository.private || vars.CODE_SCANNING == 'true'");
    expect(scan!.if).toContain('head.repo.full_name == github.repository');
    expect(scan!.steps.map(({ uses, run }) => [uses?.split('@')[0], run])).toEqual([
      ['actions/checkout', undefined],
      ['actions/download-artifact', undefined],
      ['github/codeql-action/upload-sarif', undefined],
    ]);
    const [checkout, download, upload] = scan!.steps;
    expect(checkout!.with).toEqual({ 'persist-credentials': false });
    const kept = review!.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'))!.with!;
    expect(download!.with!.name).toBe(kept.name);
    expect(String(kept.path).split('\n')).toContain(upload!.with!.sarif_file);
    // Before the check, which ends the job when it finds an error.
    const names = review!.steps.map(({ name }) => name);
    expect(names.indexOf('Findings')).toBeLessThan(names.indexOf('Check'));
  });
});

/** A clone after a merge, as a runner has it. */
function runner(): {
  folder: string;
  run: (script: string, env?: Record<string, string>) => ReturnType<typeof spawnSync>;
} {
  const folder = createClone();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) =>
    execFileSync('git', [
      '-C',
      folder,
      '-c',
      'user.name=t',
      '-c',
      'user.email=t@t.example',
      '-c',
      'commit.gpgsign=false',
      ...args,
    ]);
  const write = (n: number, fields = {}) =>
    writeFileSync(join(folder, `content/house-${n}.yaml`), yaml(sound(n, fields)));
  git('init', '-q', '-b', 'main');
  write(1);
  write(2);
  git('add', 'content');
  git('commit', '-qm', 'base');
  git('checkout', '-qb', 'change');
  write(1, { title: 'House `1` @everyone', country: 'IE' });
  write(3, { country: 'Ireland' });
  git('add', 'content');
  git('commit', '-qm', 'change');
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'merge', 'change');
  const run = (script: string, env = {}) =>
    spawnSync('bash', ['-eo', 'pipefail', '-c', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, GITHUB_STEP_SUMMARY: join(folder, 'summary.md'), ...env },
    });
  return { folder, run };
}

describe('the steps of review', () => {
  it('tell the changes, annotate the lines, and write one comment', () => {
    const { folder, run } = runner();
    const { jobs } = workflow('review.yml');
    const changes = run(script(jobs.review!.steps, 'What changes'));
    expect(changes.stderr).toBe('');
    expect(changes.status).toBe(0);
    const summary = readFileSync(join(folder, 'summary.md'), 'utf8');
    expect(summary).toContain('Title: `House 1` → `` House `1` @everyone ``');
    expect(summary).toContain('**Cannot be compared** `content/house-3.yaml` has errors');
    const findings = run(script(jobs.review!.steps, 'Findings'));
    expect([findings.status, findings.stderr]).toEqual([0, '']);
    const { runs } = JSON.parse(readFileSync(join(folder, 'check.sarif'), 'utf8'));
    expect(runs[0].results).toMatchObject([
      {
        ruleId: 'unknown-country',
        locations: [{ physicalLocation: { artifactLocation: { uri: 'content/house-3.yaml' } } }],
      },
    ]);
    const check = run(script(jobs.review!.steps, 'Check'));
    expect(check.status).toBe(1);
    expect(check.stdout).toContain('::error file=content/house-3.yaml,line=7');

    // In the place of `gh`: answers with what comments there are, and writes down what it is told.
    mkdirSync(join(folder, 'bin'));
    writeFileSync(
      join(folder, 'bin/gh'),
      '#!/bin/sh\nif [ "$2" = --paginate ]; then cat comments; else echo "$@" >> said; cat review.md >> said; fi\n',
    );
    chmodSync(join(folder, 'bin/gh'), 0o755);
    const comment = script(jobs.comment!.steps, 'Comment');
    const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, REPOSITORY: 'o/r', NUMBER: '7' };
    const said = () => readFileSync(join(folder, 'said'), 'utf8').split('\n')[0];
    writeFileSync(join(folder, 'comments'), '');
    expect(run(comment, env).status).toBe(0);
    expect(said()).toBe('api --method POST repos/o/r/issues/7/comments --field body=@review.md');
    rmSync(join(folder, 'said'));
    writeFileSync(join(folder, 'comments'), '42\n43\n');
    expect(run(comment, env).status).toBe(0);
    expect(said()).toBe('api --method PATCH repos/o/r/issues/comments/42 --field body=@review.md');
  });
});
