/** The component for GitLab: its scripts run as a runner would, with its inputs filled in and the tool on the path. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { sound, yaml } from '../compile/workspace.ts';
import { freePort } from '../conformance/server.ts';
import { createClone, ROOT } from '../support/clone.ts';
import { spawned } from './runner.ts';

const TEMPLATE = readFileSync(join(ROOT, 'templates/catalogue.yml'), 'utf8');

type Job = { readonly script: readonly string[]; readonly rules: readonly { readonly if: string }[] };

/** The jobs, with the inputs that a pipeline gives and the defaults of the others. */
function jobsWith(given: Readonly<Record<string, string>>): Record<string, Job> {
  const [spec] = parseAllDocuments(TEMPLATE);
  const { inputs } = (spec!.toJS() as { spec: { inputs: Record<string, { default: string }> } }).spec;
  for (const name of Object.keys(given)) if (!(name in inputs)) throw new Error(`There is no input ${name}.`);
  const text = TEMPLATE.slice(TEMPLATE.indexOf('\n---\n') + 5);
  return parse(
    text.replace(
      /\$\[\[ inputs\.([\w-]+) \]\]/g,
      (_whole, name: string) => given[name] ?? inputs[name]!.default,
    ),
  ) as Record<string, Job>;
}

/** A repository with a change, as a runner has it. */
function checkedOut() {
  const folder = createClone();
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' }).trim();
  const write = (title: string) =>
    writeFileSync(join(folder, 'content/house-1.yaml'), yaml(sound(1, { title })));
  git('init', '-q', '-b', 'main');
  write('House');
  git('add', 'content');
  git('commit', '-qm', 'one');
  const base = git('rev-parse', 'HEAD');
  write('Home');
  git('commit', '-qam', 'two');
  mkdirSync(join(folder, 'bin'));
  const tool = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'lib/cli.js')}" "$@"\n`;
  writeFileSync(join(folder, 'bin/catalogue'), tool, { mode: 0o755 });
  return { folder, base };
}

/** Runs the lines of a script one after the other, as the runner's shell does. */
function runJob(folder: string, { script }: Job, variables: Readonly<Record<string, string>>) {
  const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, ...variables };
  return spawned('bash', ['-eo', 'pipefail', '-c', script.join('\n')], { cwd: folder, env });
}

it('compares a merge request with its base, and checks it', async () => {
  const { folder, base } = checkedOut();
  const job = jobsWith({ content: 'content' })['catalogue-check']!;
  expect(job.rules).toEqual([{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }]);
  const variables = {
    CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
    CI_MERGE_REQUEST_IID: '12',
    CATALOGUE_BASE_URL: 'https://stays.example',
  };
  const ran = await runJob(folder, job, variables);
  expect(ran.status, ran.stderr).toBe(0);
  const review = () => readFileSync(join(folder, 'review.md'), 'utf8');
  expect(review()).toContain('Title: `House` → `Home`');
  expect(review()).not.toContain('Preview');
  await runJob(folder, job, { ...variables, CATALOGUE_PREVIEWS: 'true' });
  expect(review()).toContain('\nPreview: <https://stays.example/_previews/pr-12/>\n');
  writeFileSync(join(folder, 'content/house-1.yaml'), yaml(sound(1, { country: 'Ireland' })));
  expect((await runJob(folder, job, { CI_MERGE_REQUEST_DIFF_BASE_SHA: base })).status).toBe(1);
});

it('builds the default branch as of now and publishes it, to a place whose name has a space', async () => {
  const { folder } = checkedOut();
  const job = jobsWith({})['catalogue-publish']!;
  expect(job.rules).toEqual([
    { if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH && ($CATALOGUE_BUCKET || $CATALOGUE_TARGET)' },
  ]);
  const site = join(folder, 'the site');
  const base = `http://127.0.0.1:${await freePort()}`;
  const variables = { CATALOGUE_BUCKET: `dir:${site}`, CATALOGUE_BASE_URL: base };
  // Nothing serves the folder, so that it cannot be verified.
  const ran = await runJob(folder, job, variables);
  expect(ran.status, ran.stderr).toBe(3);
  expect(ran.stderr).toContain('Published');
  expect(readFileSync(join(site, 'index.json'), 'utf8')).toContain('"properties": 1');
});

it('publishes a preview of a merge request, whose page shows the address, and ends it', async () => {
  const { folder } = checkedOut();
  const { 'catalogue-preview': show, 'catalogue-preview-end': end } = jobsWith({});
  const site = join(folder, 'site');
  const variables = {
    CATALOGUE_BUCKET: `dir:${site}`,
    CATALOGUE_BASE_URL: 'https://stays.example',
    CI_MERGE_REQUEST_IID: '12',
  };
  const ran = await runJob(folder, show!, variables);
  expect(ran.status, ran.stderr).toBe(0);
  expect(readFileSync(join(folder, 'preview.env'), 'utf8')).toBe(
    'ADDRESS=https://stays.example/_previews/pr-12/\n',
  );
  const current = join(site, '_previews/pr-12/_catalogue/current.json');
  expect(existsSync(current)).toBe(true);
  expect((await runJob(folder, end!, variables)).status).toBe(0);
  expect(existsSync(current)).toBe(false);
});

it.each(['the component', 'the starter'])(
  '%s takes everything else from variables and the build',
  (which) => {
    const text =
      which === 'the starter' ? readFileSync(join(ROOT, 'starter/_gitlab-ci.yml'), 'utf8') : undefined;
    const jobs = text === undefined ? jobsWith({}) : (parse(text) as Record<string, Job>);
    const script = jobs['catalogue-publish']!.script.map((line) => line.replace('npx ', ''));
    expect(script).toEqual([
      expect.stringMatching(/^catalogue build --as-of now/),
      'catalogue publish --wait',
      'sleep 6 && catalogue verify --out dist',
    ]);
    expect(jobs['catalogue-check']!.script.at(-1)).toMatch(/^(npx )?catalogue check/);
  },
);
