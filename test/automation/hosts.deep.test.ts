/** The pipeline that `init` writes for each host: it deploys there, and the deploying command has the right arguments. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { HOST_NAMES, type HostName } from '../../src/contract/hosts.ts';
import { writeStarter } from '../../src/start/starter.ts';
import { ROOT } from '../support/clone.ts';
import { servePublished } from '../support/served-catalogue.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Contexts, holds, runJob, type Workflow } from './runner.ts';

const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];
const CLI = join(ROOT, 'lib/cli.js');

/** A new repository for a host, with stand-ins of `npm` and `npx`: the tool builds and publishes, all else is recorded. */
function start(host: HostName | undefined, baseUrl = 'https://stays.example') {
  const folder = temporaryFolder();
  writeStarter(folder, { title: 'Stays', baseUrl, host, country: 'IE', currency: 'EUR', package: '1.2.3' });
  mkdirSync(join(folder, 'bin'));
  const said = join(folder, 'said');
  const npx = `#!/bin/sh\necho "$@" >> ${said}\nif [ "$1" = catalogue ]; then shift; exec node ${CLI} "$@"; fi\n`;
  // Servers that keep a release for seconds are waited for; a network is not.
  const sleep = '#!/bin/sh\n[ "$1" -gt 10 ] || exec /bin/sleep "$1"\n';
  for (const [name, text] of Object.entries({ npm: '#!/bin/sh\n', sleep, npx }))
    writeFileSync(join(folder, 'bin', name), text, { mode: 0o755 });
  const path = join(folder, '.github/workflows/publish.yml');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const run = (contexts: Contexts) =>
    runJob((parse(text) as Workflow).jobs.publish!, {
      folder,
      action: ROOT,
      contexts,
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
    });
  const commands = () => (existsSync(said) ? readFileSync(said, 'utf8').trim().split('\n') : []);
  return { folder, text, run, commands, workflow: parse(text) as Workflow };
}

const ON_GITHUB = HOST_NAMES.filter((name) => name !== 'gitlab-pages');

describe.each([undefined, ...ON_GITHUB])('the workflow for %s', (host) => {
  const { text, workflow, folder } = start(host);

  it('is valid by the schema of GitHub, without markers and placeholders', () => {
    const { context } = parseWorkflow({ name: 'publish.yml', content: text }, new NoOperationTraceWriter());
    expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
    expect(text).not.toMatch(/@@|deploy: /);
  });

  it('pins its actions, puts no foreign value into a script, and deploys only what is due', () => {
    const { steps } = workflow.jobs.publish!;
    const names = steps.map(({ name }) => name);
    for (const step of steps.slice(names.indexOf('Build'))) {
      expect(step.run ?? '').not.toContain('${{');
      if (step.uses) expect(step.uses).toMatch(/@[0-9a-f]{40}$/);
      const early = { github: { event_name: 'schedule' }, steps: { dates: { outputs: { code: '1' } } } };
      const contexts = { ...early, vars: { AWS_ROLE: 'a' }, secrets: {} };
      expect([step.name, holds(step.if, contexts, folder)]).toEqual([step.name, false]);
    }
  });

  it('names an existing page, and only variables that the documentation explains', () => {
    const [, page = ''] = /docs\/(hosting\/[\w-]+\.md)/.exec(text)!;
    const guide = readFileSync(join(ROOT, 'docs', page), 'utf8');
    const table = readFileSync(join(ROOT, 'docs/automation.md'), 'utf8');
    for (const [, , name] of text.matchAll(/(vars|secrets)\.(\w+)/g)) expect(table).toContain(`\`${name}\``);
    const [, variable] = /^ {4}if: vars\.(\w+) != ''$/m.exec(text) ?? [];
    if (host && variable) expect(guide).toContain(`\`${variable}\``);
    expect(guide).toContain(host ? `init stays --host ${host} ` : 'Which one');
  });
});

const SECRETS = {
  CLOUDFLARE_API_TOKEN: 'token',
  CLOUDFLARE_ACCOUNT_ID: 'account',
  NETLIFY_AUTH_TOKEN: 'token',
};

it.each<[HostName, vars: Record<string, string>, commands: string[]]>([
  [
    'cloudflare-workers',
    { CATALOGUE_PROJECT: 'my stays' },
    ['--yes wrangler@4 deploy --config dist/edge/cloudflare-assets/wrangler.jsonc --name my stays'],
  ],
  [
    'cloudflare-pages',
    { CATALOGUE_PROJECT: 'stays' },
    [
      '--yes wrangler@4 pages deploy ../../public --project-name stays --branch main --cwd dist/edge/cloudflare-assets',
    ],
  ],
  [
    'netlify',
    { NETLIFY_SITE: 's1', NETLIFY_FILES_SITE: 's2' },
    [
      '--yes netlify-cli@23 deploy --prod --no-build --dir dist/public --site s2',
      '--yes netlify-cli@23 deploy --prod --dir . --site s1',
    ],
  ],
])('%s deploys what was built', async (host, vars, expected) => {
  const { folder, run, commands, workflow } = start(host);
  const contexts = { vars, secrets: SECRETS };
  expect(holds(workflow.jobs.publish!.if, { ...contexts, vars: {} }, folder)).toBe(false);
  expect(holds(workflow.jobs.publish!.if, contexts, folder)).toBe(true);
  const ran = await run(contexts);
  // Nothing serves it.
  expect(ran.filter(({ status }) => status).map(({ name }) => name)).toEqual(['Verify']);
  expect(commands()).toEqual([
    'catalogue build --format github --as-of now',
    ...expected,
    'catalogue verify --out dist',
  ]);
  const [, ...words] = expected[0]!.split(' ');
  for (const path of words.filter((word) => word.startsWith('dist/')))
    expect(existsSync(join(folder, path)), path).toBe(true);
  if (host === 'netlify')
    expect(existsSync(join(folder, '.runner/handler/netlify/edge-functions/catalogue.js'))).toBe(true);
});

it('github-pages deploys without a variable, and verifies the files', async () => {
  const { run, commands, workflow } = start('github-pages');
  expect(workflow.permissions).toEqual({ contents: 'read', 'id-token': 'write', pages: 'write' });
  expect(workflow.jobs.publish).toMatchObject({ environment: 'github-pages' });
  expect(workflow.jobs.publish!.if).toBeUndefined();
  expect(Object.keys(workflow.jobs)).toEqual(['publish']);
  await run({});
  const verify = 'catalogue verify --out dist';
  expect(commands()).toEqual(['catalogue build --format github --as-of now', verify, verify]);
});

it('gitlab-pages has a job of GitLab that replaces the live site from the default branch only', () => {
  const { folder } = start('gitlab-pages');
  const { pages, ...others } = parse(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8'));
  expect(pages.rules).toEqual([{ if: '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }]);
  expect(pages.artifacts.paths).toEqual(['public']);
  expect(others).not.toHaveProperty('catalogue-publish');
});

it('a server is brought up to date by rsync, keeps its own files, and continues its history', async () => {
  const site = temporaryFolder();
  writeFileSync(join(site, 'robots.txt'), 'mine');
  const { folder, run, text } = start('node', await servePublished(site));
  const contexts = { vars: { CATALOGUE_SERVER: site }, secrets: { SSH_KEY: 'k', SSH_KNOWN_HOSTS: 'h' } };
  execFileSync('git', ['-C', folder, 'init', '-q']);
  for (const title of ['Rose Cottage', 'Red House']) {
    const file = join(folder, 'content/properties/ie/rose-cottage.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Rose Cottage', title));
    execFileSync('git', ['-C', folder, 'add', 'content']);
    execFileSync('git', ['-C', folder, ...IDENTITY, 'commit', '-qm', title, '--allow-empty']);
    const ran = await run(contexts);
    expect(
      ran.filter(({ status }) => status),
      JSON.stringify(ran),
    ).toEqual([]);
    // The next machine starts without what this one had.
    execFileSync('rm', ['-rf', join(folder, 'stays-live')]);
  }
  expect(readFileSync(join(site, 'robots.txt'), 'utf8')).toBe('mine');
  const { months } = JSON.parse(readFileSync(join(site, 'changes/index.json'), 'utf8'));
  const changes = readFileSync(join(site, `changes/${months[0].month ?? months[0]}.ndjson`), 'utf8');
  expect(changes.trim().split('\n')).toHaveLength(2);
  // The same lines as the guide has.
  const recipe = readFileSync(join(ROOT, 'docs/publishing.md'), 'utf8').match(/^rsync -.*$/gm)!;
  for (const line of recipe)
    expect(text).toContain(line.replace('server:/srv/catalogue/public/', '"$SERVER/"'));
});

it.each<[HostName, vars: Record<string, string>, missing: string]>([
  ['cloudflare-workers', { CATALOGUE_PROJECT: 'stays' }, 'Set the secret CLOUDFLARE_API_TOKEN.'],
  ['cloudflare-pages', { CATALOGUE_PROJECT: 'stays' }, 'Set the secret CLOUDFLARE_API_TOKEN.'],
  ['netlify', { NETLIFY_SITE: 's1' }, 'Set the secret NETLIFY_AUTH_TOKEN.'],
  ['nginx', { CATALOGUE_SERVER: 'server:/srv' }, 'Set the secret SSH_KEY.'],
])(
  '%s: a run without its secret or variable says in one line which is missing',
  async (host, vars, missing) => {
    const { run, commands, workflow, folder } = start(host);
    const ran = await run({ vars, secrets: {} });
    const { status, stderr } = ran.find(({ name }) => name === 'Publish')!;
    expect(status).not.toBe(0);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(missing)]);
    expect(commands()).toEqual(['catalogue build --format github --as-of now']);
    const { unset } = workflow.jobs;
    expect(
      [{}, vars].map((vars) => holds(unset!.if, { vars, github: { event_name: 'push' } }, folder)),
    ).toEqual([true, false]);
    const [said] = await runJob(unset!, { folder, action: ROOT, contexts: {}, env: process.env });
    expect(said!.stdout).toContain(
      `::notice::Nothing is published before the variable ${Object.keys(vars)[0]} is set.`,
    );
  },
);
