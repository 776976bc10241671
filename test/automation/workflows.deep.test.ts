/** The workflows of this repository and those that `catalogue init` writes: their rights, and that they work. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { describe, expect, it } from 'vitest';
import { sound, yaml } from '../compile/workspace.ts';
import { createClone, ROOT } from '../support/clone.ts';
import { servePublished } from '../support/served-catalogue.ts';
import { evaluate, holds, type Job, type Ran, readYaml, runJob, type Step, type Workflow } from './runner.ts';

const FOLDERS = ['.github/workflows', 'starter/_github/workflows'];
const FILES = FOLDERS.flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(folder, name)));
const workflow = (name: string) => readYaml<Workflow>(join(ROOT, '.github/workflows', name));
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('every workflow', () => {
  it.each(FILES)('%s is valid by the schema of GitHub', (path) => {
    const content = text(path);
    const { context } = parseWorkflow({ name: path, content }, new NoOperationTraceWriter());
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
  });

  it.each(FILES)('%s names its rights, pins its actions, and puts no foreign value into a script', (path) => {
    const { on, permissions, jobs } = readYaml<Workflow>(join(ROOT, path));
    expect(on).not.toHaveProperty('pull_request_target');
    expect(permissions.contents).toBe('read');
    for (const step of Object.values(jobs).flatMap(({ steps = [] }) => steps)) {
      // A title or the name of a branch in a script would be executed.
      expect(step.run ?? '').not.toContain('${{');
      if (step.uses && step.uses !== './') expect(step.uses).toMatch(/@[0-9a-f]{40}$/);
    }
  });

  it('pins one commit of each action, here and in new repositories, with its version beside it', () => {
    const lines = [...FILES, 'action.yml'].flatMap((path) => [
      ...text(path).matchAll(/uses: ([\w./-]+)@([0-9a-f]{40})(.*)$/gm),
    ]);
    const pins = new Map<string, Set<string>>();
    for (const [, name = '', commit = '', version = ''] of lines) {
      expect(version).toMatch(/^ # v\d+\.\d+\.\d+$/);
      const action = name.split('/').slice(0, 2).join('/');
      pins.set(action, (pins.get(action) ?? new Set()).add(commit + version));
    }
    expect([...pins].filter(([, commits]) => commits.size > 1)).toEqual([]);
    expect(pins.size).toBeGreaterThan(5);
  });

  it('publish lets a run that has started finish', () => {
    for (const folder of FOLDERS) {
      const { concurrency } = readYaml<Workflow>(join(ROOT, folder, 'publish.yml'));
      expect(concurrency).toMatchObject({ 'cancel-in-progress': false });
    }
  });

  it.each([
    ['.github/workflows/review.yml', 'review'],
    ['starter/_github/workflows/check.yml', 'check'],
  ])('%s gives no right to write to jobs that run foreign code', (path, name) => {
    const { permissions, jobs } = readYaml<Workflow>(join(ROOT, path));
    expect(permissions).toEqual({ contents: 'read' });
    expect(jobs[name]!.permissions).toBeUndefined();
    const { comment } = jobs as Record<string, Job>;
    expect(comment!.permissions).toEqual({ 'pull-requests': 'write' });
    expect(comment!.if).toContain('head.repo.full_name == github.repository');
    // The job may run only the action of the base.
    for (const { uses, with: given } of comment!.steps)
      if (uses?.startsWith('actions/checkout')) expect(given!.ref).toContain('pull_request.base.sha');
    expect(JSON.stringify(jobs)).not.toContain('secrets.');
  });

  it('review reports to code scanning where it exists, without running the content under review', () => {
    const { on, jobs } = workflow('review.yml');
    expect(Object.keys(on)).toEqual(['pull_request', 'push']);
    expect(on.push!.paths).toEqual(on.pull_request!.paths);
    const { review, scan } = jobs;
    expect(scan!.permissions).toEqual({ actions: 'read', contents: 'read', 'security-events': 'write' });
    expect(scan!.if).toContain("!github.event.repository.private || vars.CODE_SCANNING == 'true'");
    expect(scan!.steps.map(({ uses, run }) => [uses?.split('@')[0], run])).toEqual([
      ['actions/checkout', undefined],
      ['actions/download-artifact', undefined],
      ['github/codeql-action/upload-sarif', undefined],
    ]);
    const [, download, upload] = scan!.steps;
    const kept = review!.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'))!.with!;
    expect(download!.with!.name).toBe(kept.name);
    expect(String(kept.path).split('\n')).toContain(upload!.with!.sarif_file);
    // Before the check, which ends the job when it finds an error.
    const names = review!.steps.map(({ name }: Step) => name);
    expect(names.indexOf('Findings')).toBeLessThan(names.indexOf('Check'));
  });

  it('a release needs the tests, publishes without a token, and has the right to write only what it must', () => {
    const { on, jobs } = workflow('release.yml');
    expect(on.push!.tags).toEqual(['v*']);
    expect([jobs.package!.needs, jobs.image!.needs]).toEqual(['test', 'package']);
    expect(jobs.package!.permissions).toEqual({ contents: 'write', 'id-token': 'write' });
    const publish = jobs.package!.steps.find(({ name }) => name === 'Publish')!;
    expect(publish.run).toContain('npm publish');
    expect(publish.run).toContain('--provenance');
    expect(JSON.stringify(jobs.package)).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN|secrets\./);
  });
});

it('addresses of the repository in plain files agree with package.json', () => {
  const { repository, version } = JSON.parse(text('package.json')) as {
    repository: { url: string };
    version: string;
  };
  const name = repository.url.replace(/^git\+https:\/\/github\.com\/|\.git$/g, '');
  for (const path of ['templates/catalogue.yml', 'docs/examples/media-job.yaml'])
    expect([path, text(path)]).toEqual([path, expect.stringContaining(`ghcr.io/${name}:${version}\n`)]);
});

describe('the workflow runner of these tests', () => {
  it('evaluates expressions as GitHub does', () => {
    const contexts = { env: { A: 'x' }, vars: {}, inputs: { 'node-version': '22' } };
    const value = (expression: string) => evaluate(expression, contexts, ROOT);
    expect(value("vars.B || env.A && 'y'")).toBe('y');
    expect(value("inputs.node-version != '' && vars.B == ''")).toBe('true');
    expect(value("hashFiles('package-lock.json') != '' && 'npm' || ''")).toBe('npm');
    expect(value("hashFiles('none/package-lock.json') != '' && 'npm' || ''")).toBe('');
    expect(holds('env.A == "x"'.replaceAll('"', "'"), contexts, ROOT, true)).toBe(false);
    expect(holds('always()', contexts, ROOT, true)).toBe(true);
  });
});

/** A clone after a merge, as a runner has it. */
function merged(): string {
  const folder = createClone();
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...identity, ...args]);
  const write = (n: number, fields = {}) =>
    writeFileSync(join(folder, `content/house-${n}.yaml`), yaml(sound(n, fields)));
  git('init', '-q', '-b', 'main');
  write(1);
  write(2);
  git('add', 'content');
  git('commit', '-qm', 'base');
  git('checkout', '-qb', 'change');
  const photo = [{ url: 'https://photos.example/a.jpg' }];
  write(1, { title: 'House `1` @everyone', country: 'IE', photo });
  write(3, { country: 'Ireland' });
  git('add', 'content');
  git('commit', '-qm', 'change');
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'merge', 'change');
  return folder;
}

it('review shows the changes, annotates the lines, and writes one comment', async () => {
  const folder = merged();
  mkdirSync(join(folder, 'bin'));
  // Stands in for `gh`: answers with the existing comments, and records its arguments.
  const gh =
    '#!/bin/sh\nif [ "$2" = --paginate ]; then cat comments; else echo "$@" >> said; cat review.md >> said; fi\n';
  writeFileSync(join(folder, 'bin/gh'), gh);
  chmodSync(join(folder, 'bin/gh'), 0o755);
  const sha = 'a'.repeat(40);
  const repo = { full_name: 'o/r' };
  const event = { repository: {}, pull_request: { number: 7, head: { sha, repo }, base: { sha } } };
  const contexts = {
    github: {
      event_name: 'pull_request',
      event,
      sha,
      ref: 'refs/pull/7/merge',
      repository: 'o/r',
      token: 't',
    },
    vars: {},
  };
  // The tool is compiled already; test/start/package.deep.test.ts tests its setup and installation.
  const env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    CATALOGUE_CLI: join(ROOT, 'lib/cli.js'),
  };
  const runner = { folder, action: ROOT, contexts, env };
  const { review, comment } = workflow('review.yml').jobs;
  const ran = await runJob(review!, runner);
  const step = (steps: readonly Ran[], name: string) => steps.find((one) => one.name === name)!;
  expect(step(ran, 'What changes')).toMatchObject({ status: 0, stderr: '', outputs: { 'exit-code': '1' } });
  const summary = readFileSync(join(folder, '.runner/GITHUB_STEP_SUMMARY'), 'utf8');
  expect(summary).toContain('Title: `House 1` → `` House `1` @everyone ``');
  expect(summary).toContain('<img src="https://photos.example/a.jpg"');
  expect(summary).toContain('**Cannot be compared** `content/house-3.yaml` has errors');
  expect(step(ran, 'Findings')).toMatchObject({ status: 0, outputs: { 'exit-code': '1' } });
  const { runs } = JSON.parse(readFileSync(join(folder, 'check.sarif'), 'utf8'));
  expect(runs[0].results).toMatchObject([
    {
      ruleId: 'unknown-country',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'content/house-3.yaml' } } }],
    },
  ]);
  expect(step(ran, 'Check').status).toBe(1);
  expect(step(ran, 'Check').stdout).toContain('::error file=content/house-3.yaml,line=');

  expect(holds(comment!.if, contexts, folder, true)).toBe(true);
  rmSync(join(folder, 'review.md'));
  const said = () => readFileSync(join(folder, 'said'), 'utf8').split('\n')[0];
  writeFileSync(join(folder, 'comments'), '');
  expect(step(await runJob(comment!, runner), 'Comment').status).toBe(0);
  expect(existsSync(join(folder, 'review.md'))).toBe(true);
  expect(said()).toBe('api --method POST repos/o/r/issues/7/comments --field body=@review.md');
  rmSync(join(folder, 'said'));
  writeFileSync(join(folder, 'comments'), '42\n43\n');
  expect(step(await runJob(comment!, runner), 'Comment').status).toBe(0);
  expect(said()).toBe('api --method PATCH repos/o/r/issues/comments/42 --field body=@review.md');
});

it('the workflow of images runs every share with a command that works', async () => {
  const folder = merged();
  const { images } = workflow('images.yml').jobs as unknown as {
    images: Job & { strategy: { matrix: { shard: number[] } } };
  };
  const { shard: numbers } = images.strategy.matrix;
  expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
  expect(images.if).toContain('vars.CATALOGUE_CACHE');
  rmSync(join(folder, 'content/house-3.yaml'));
  for (const shard of [1, 2]) {
    const contexts = { matrix: { shard }, strategy: { 'job-total': 2 }, vars: { CATALOGUE_CACHE: 'cache' } };
    const env = { ...process.env, CATALOGUE_CLI: join(ROOT, 'lib/cli.js') };
    const ran = await runJob(images, { folder, action: ROOT, contexts, env });
    const made = ran.find(({ name }) => name === 'Make the images')!;
    expect(made.status, made.stderr).toBe(0);
    expect(made.stderr).toContain(`share ${shard}/2 (--shard)`);
  }
});

describe.each(FOLDERS)('publish of %s', (workflows) => {
  const { publish } = readYaml<Workflow>(join(ROOT, workflows, 'publish.yml')).jobs;

  /** Runs the workflow for a commit of 2020, with a server in front of the published folder. */
  async function runPublish(event_name: string, fields: Record<string, string>) {
    const folder = createClone();
    writeFileSync(join(folder, 'content/house-1.yaml'), yaml(sound(1)));
    writeFileSync(join(folder, 'content/house-2.yaml'), yaml(sound(2, fields)));
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, ...identity, ...args], {
        env: { ...process.env, GIT_COMMITTER_DATE: '2020-03-01T00:00:00Z' },
      });
    git('init', '-q', '-b', 'main');
    git('add', 'content');
    git('commit', '-qm', 'one');
    const root = join(folder, 'site');
    mkdirSync(root);
    const url = await servePublished(root);
    const contexts = {
      github: { event_name, event: {}, sha: 'a'.repeat(40), ref: 'refs/heads/main', repository: 'o/r' },
      vars: { CATALOGUE_BUCKET: `dir:${root}` },
      secrets: {},
    };
    writeFileSync(join(folder, 'content/catalogue.yaml'), `base_url: ${url}\n`);
    const CATALOGUE_CLI = join(ROOT, 'lib/cli.js');
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\n', { mode: 0o755 });
    writeFileSync(join(folder, 'bin/npx'), `#!/bin/sh\nshift\nexec node ${CATALOGUE_CLI} "$@"\n`, {
      mode: 0o755,
    });
    const env = { ...process.env, CATALOGUE_CLI, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
    const ran = await runJob(publish!, { folder, action: ROOT, contexts, env });
    const said = ran.map(({ stdout, stderr }) => stdout + stderr).join('');
    return { said, statuses: Object.fromEntries(ran.map(({ name, status }) => [name, status])) };
  }

  const ALL = { Build: 0, Publish: 0, Verify: 0 };
  const NONE = { Build: null, Publish: null, Verify: null };

  it('builds as of now, publishes and verifies at base_url of catalogue.yaml after a push (A5)', async () => {
    const { said, statuses } = await runPublish('push', { live_from: '2999-01-01' });
    expect(statuses, said).toMatchObject({ ...ALL, 'Has a date come': null });
    expect(said).toMatch(/Not published as of 20\d\d-\S+Z: 1 not live yet\./);
  });

  it('does the same on schedule once a date has passed since the commit, and does nothing before', async () => {
    const due = await runPublish('schedule', { live_from: '2020-04-01' });
    expect(due.statuses, due.said).toMatchObject({ ...ALL, 'Has a date come': 0 });
    const early = await runPublish('schedule', { live_from: '2999-01-01' });
    expect(early.statuses, early.said).toMatchObject({ ...NONE, 'Has a date come': 0 });
  });
});

it('preview publishes one for a pull request, whose comment names its address, and ends it when that is closed', async () => {
  const jobsOf = (name: string) =>
    readYaml<Workflow>(join(ROOT, `starter/_github/workflows/${name}.yml`)).jobs;
  const jobs = { ...jobsOf('preview'), ...jobsOf('check') };
  const folder = createClone();
  writeFileSync(join(folder, 'content/house-1.yaml'), yaml(sound(1)));
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...identity, ...args]);
  git('init', '-q', '-b', 'main');
  git('add', 'content');
  git('commit', '-qm', 'one');
  git('commit', '-qm', 'two', '--allow-empty');
  const root = join(folder, 'site');
  const CATALOGUE_CLI = join(ROOT, 'lib/cli.js');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\n', { mode: 0o755 });
  const npx = `#!/bin/sh\nshift\nexec node ${CATALOGUE_CLI} "$@"\n`;
  writeFileSync(join(folder, 'bin/npx'), npx, { mode: 0o755 });
  const env = { ...process.env, CATALOGUE_CLI, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
  const runAs = async (action: string, repository = 'o/r', name = 'preview') => {
    const pull_request = { number: 12, head: { sha: 'a'.repeat(40), repo: { full_name: repository } } };
    const contexts = {
      github: {
        ...{ event_name: 'pull_request', event: { action, pull_request }, sha: 'a'.repeat(40) },
        ...{ ref: 'refs/pull/12/merge', repository: 'o/r' },
      },
      vars: {
        ...{ CATALOGUE_BUCKET: `dir:${root}`, CATALOGUE_BASE_URL: 'https://stays.example' },
        CATALOGUE_PREVIEWS: 'true',
      },
      secrets: {},
    };
    if (!holds(jobs[name]!.if, contexts, folder)) return undefined;
    return runJob(jobs[name]!, { folder, action: ROOT, contexts, env });
  };
  const commented = async (repository?: string) => {
    await runAs('opened', repository, 'check');
    return /^Preview: .*$/m.exec(readFileSync(join(folder, 'review.md'), 'utf8'))?.[0];
  };
  expect(await runAs('opened', 'foreign/r')).toBeUndefined();
  const ran = (await runAs('opened'))!;
  const published = ran.find(({ name }) => name === 'Publish')!;
  expect(published.status, ran.map(({ stderr }) => stderr).join('')).toBe(0);
  expect(published.outputs).toEqual({ address: 'https://stays.example/_previews/pr-12/' });
  const current = join(root, '_previews/pr-12/_catalogue/current.json');
  expect(existsSync(current)).toBe(true);
  expect(await commented()).toBe('Preview: <https://stays.example/_previews/pr-12/>');
  expect(await commented('foreign/r')).toBeUndefined();
  await runAs('closed');
  expect(existsSync(current)).toBe(false);
});
