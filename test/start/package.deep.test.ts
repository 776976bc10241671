/** The package for a new user: from an empty folder to a published catalogue, and the installed size. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Job, type Ran, readYaml, runJob, spawned, type Workflow } from '../automation/runner.ts';
import { freePort } from '../conformance/server.ts';
import { ROOT } from '../support/clone.ts';
import { packPackage } from '../support/installed-package.ts';
import { S3_BUCKET, startS3 } from '../support/s3.ts';
import { servePublished } from '../support/served-catalogue.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { serveRegistry } from './registry.ts';

const root = temporaryFolder();
const stays = join(root, 'stays');
const tarball = readFileSync((await packPackage()).archive);
const registry = await serveRegistry(tarball);
// No settings of this machine: all requests go to this registry.
writeFileSync(join(root, 'npmrc'), '');
const clean = Object.entries(process.env).filter(([name]) => !/^(?:npm_|https?_proxy$|CI$)/i.test(name));
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(clean),
  npm_config_registry: registry.url,
  npm_config_userconfig: join(root, 'npmrc'),
  npm_config_globalconfig: join(root, 'npmrc-of-all'),
  npm_config_cache: join(root, 'npm-cache'),
  npm_config_yes: 'true',
  npm_config_audit: 'false',
  npm_config_update_notifier: 'false',
  NO_COLOR: '1',
};

function run(cwd: string, program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  return spawned(program, args, { cwd, env: { ...env, ...more } });
}

/** Bytes of all files below a folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), 0);
}

it('npx property-catalogue init stays creates a repository and installs it, below 60 MB (G)', async () => {
  const { status, stdout, stderr } = await run(root, 'npx', ['property-catalogue', 'init', 'stays', '--yes']);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('stays/content/properties/');
  expect(stderr).toMatch(/ {2}cd stays\n {2}npm run dev\n {2}npm run edit {2}# a form for editors\n$/);
  const { devDependencies } = JSON.parse(readFileSync(join(stays, 'package.json'), 'utf8'));
  expect(devDependencies['property-catalogue']).toMatch(/^\d/);
  expect(existsSync(join(stays, '.git/hooks/pre-commit'))).toBe(true);
  expect(existsSync(join(stays, 'package-lock.json'))).toBe(true);
  expect(sizeOf(join(stays, 'node_modules'))).toBeLessThan(60e6);
  const packages = readdirSync(join(stays, 'node_modules'), { recursive: true, encoding: 'utf8' });
  expect(packages.filter((path) => path.endsWith('package.json')).length).toBeLessThan(60);
});

describe('every script of the new repository', () => {
  it.each([
    ['check', [], 0, 'Checked 1 file: no errors.'],
    ['format', [], 0, 'Formatted already: 1 file.'],
    ['build', [], 0, 'Built 1 property'],
    [
      'new',
      [
        ...['--', '--title', 'Blue House', '--country', 'IE', '--city', 'Cork', '--latitude', '51.9'],
        ...['--longitude', '-8.5'],
      ],
      0,
      'Wrote it.',
    ],
    ['publish', [], 0, 'Published'],
  ])('%s', async (script, args, status, said) => {
    const target = { CATALOGUE_BUCKET: `dir:${join(root, 'site')}` };
    const result = await run(stays, 'npm', ['run', script, ...args], target);
    expect([result.status, result.stdout + result.stderr]).toEqual([status, expect.stringContaining(said)]);
  });

  it.each(['serve', 'dev'])('%s answers requests', async (script) => {
    // Without npm, which would not pass on the signal.
    const { scripts } = JSON.parse(readFileSync(join(stays, 'package.json'), 'utf8'));
    const [, ...words] = String(scripts[script]).replace(' --open', '').split(' ');
    const child = spawn(process.execPath, [cli(), ...words, '--port', '0'], { cwd: stays, env });
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let text = '';
        child.stdout.on('data', (bytes) => {
          text += bytes;
          const [found] = /http:\/\/\S+\/api\S+/.exec(text) ?? [];
          if (found) resolve(new URL('/api/v1/public/properties', found).href);
        });
        child.on('close', () => reject(new Error(text)));
      });
      // Until the first build ends, dev answers with 503.
      await expect.poll(async () => (await fetch(url)).status).toBe(200);
      const page = (await (await fetch(url)).json()) as {
        data: { title: string; thumbnail: string | null }[];
      };
      expect(page.data.map(({ title }) => title)).toEqual(['Blue House', 'Rose Cottage']);
      expect(page.data[1]!.thumbnail).toMatch(/^http/);
    } finally {
      child.kill('SIGTERM');
    }
  });

  it('is tried in this test', () => {
    const { scripts } = JSON.parse(readFileSync(join(stays, 'package.json'), 'utf8'));
    expect(Object.keys(scripts).sort()).toEqual([
      ...['build', 'check', 'dev', 'edit', 'format', 'new', 'prepare', 'publish', 'serve'],
    ]);
  });
});

function cli(): string {
  return join(stays, 'node_modules/property-catalogue/lib/cli.js');
}

describe('the workflows of the new repository', () => {
  const job = (file: string, name: string) =>
    readYaml<Workflow>(join(ROOT, 'starter/_github/workflows', file)).jobs[name] as Job;
  const failed = (ran: readonly Ran[]) => ran.filter(({ status }) => status !== 0 && status !== null);

  const work = (name: string) => job(name === 'check' ? 'check.yml' : 'publish.yml', name);

  it('check compares with the previous commit, from an installation that it makes', async () => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];
    const git = (...args: string[]) => execFileSync('git', ['-C', stays, ...identity, ...args]);
    git('add', '.');
    git('commit', '-qm', 'one');
    const file = join(stays, 'content/properties/ie/blue-house.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Blue House', 'Red House'));
    git('commit', '-qam', 'two');
    rmSync(join(stays, 'node_modules'), { recursive: true });
    mkdirSync(join(root, 'bin'));
    writeFileSync(join(root, 'bin/gh'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
    const event = { pull_request: { number: 1, head: { sha: 'f'.repeat(40) } } };
    const contexts = {
      github: { event_name: 'pull_request', event, sha: '', repository: 'o/r', ref: '', token: '' },
    };
    expect(failed(await runJob(work('check'), { folder: stays, action: ROOT, contexts, env }))).toEqual([]);
    const review = readFileSync(join(stays, 'review.md'), 'utf8');
    expect(review).toContain('0 properties added, 1 changed, 0 removed');
    expect(review).toContain('Title: `Blue House` → `Red House`');
    const { comment } = readYaml<Workflow>(join(ROOT, 'starter/_github/workflows/check.yml')).jobs;
    const PATH = `${join(root, 'bin')}:${env.PATH}`;
    const said = await runJob(comment!, { folder: stays, action: ROOT, contexts, env: { ...env, PATH } });
    expect(said.at(-1)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^pr comment 1 --repo o\/r /),
    });
  });

  it('publish builds, and publishes to S3 with the keys of a profile', async () => {
    const server = await startS3();
    onTestFinished(() => server.stop());
    const keys = '{"Version":1,"AccessKeyId":"test-key","SecretAccessKey":"test-secret"}';
    writeFileSync(join(root, 'keys'), `#!/bin/sh\necho '${keys}'\n`, { mode: 0o755 });
    writeFileSync(join(root, 'config'), `[default]\ncredential_process = ${join(root, 'keys')}\n`);
    const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _secret, ...without } = env;
    const vars = { CATALOGUE_BUCKET: `s3://${S3_BUCKET}/new`, CATALOGUE_ENDPOINT: server.endpoint };
    const profile = { ...without, AWS_CONFIG_FILE: join(root, 'config'), AWS_REGION: 'us-east-1' };
    const runner = { folder: stays, action: ROOT, contexts: { vars }, env: profile };
    // Where nothing serves it yet, at the local address that "init" wrote, nothing can be verified.
    expect(failed(await runJob(work('publish'), runner)).map(({ name }) => name)).toEqual(['Verify']);
    const again = await run(
      stays,
      process.execPath,
      [cli(), 'releases', vars.CATALOGUE_BUCKET, '--endpoint', vars.CATALOGUE_ENDPOINT],
      { ...profile, AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' },
    );
    expect([again.status, again.stdout]).toEqual([0, expect.stringMatching(/[0-9a-f]{6}/)]);
  });
});

describe('beside a package.json, from a tarball, without this package in the registry (A3, A4, A7)', () => {
  let site: string;
  let catalogue: (...args: string[]) => ReturnType<typeof spawned>;
  const git = (...args: string[]) =>
    run(site, 'git', [
      ...['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'],
      ...args,
    ]);
  const init = () =>
    run(root, 'npx', [
      '--package',
      join(root, 'package.tgz'),
      ...['catalogue', 'init', 'site of mine', '--yes', '--base-url', 'http://127.0.0.1:9'],
    ]);

  beforeAll(async () => {
    site = join(root, 'site of mine');
    mkdirSync(site);
    catalogue = (...args) => run(site, 'npx', ['--no', 'catalogue', ...args]);
    writeFileSync(join(root, 'package.tgz'), tarball);
    writeFileSync(join(site, 'package.json'), '{ "name": "mine", "scripts": { "check": "true" } }\n');
    registry.offers(false);
  });
  afterAll(() => registry.offers(true));

  it('init installs the tarball, merges package.json and makes a repository with a hook', async () => {
    const { status, stderr } = await init();
    expect(status, stderr).toBe(0);
    expect(stderr).toContain('Added to: site of mine/package.json');
    const { name, scripts, devDependencies } = JSON.parse(readFileSync(join(site, 'package.json'), 'utf8'));
    expect([name, scripts.check, scripts.dev]).toEqual(['mine', 'true', 'catalogue dev --open']);
    expect(devDependencies['property-catalogue']).toMatch(/^file:property-catalogue-.+\.tgz$/);
    expect(existsSync(join(site, 'node_modules/property-catalogue/docs/publishing.md'))).toBe(true);
    await git('add', '.');
    expect(await git('commit', '-qm', 'one')).toMatchObject({ status: 0 });
  });

  it('a commit that only deletes a photo is refused, and one of other files is not judged', async () => {
    await git('rm', '-q', '-r', 'content/photos');
    const refused = await git('commit', '-qm', 'two');
    expect([refused.status, refused.stdout + refused.stderr]).toEqual([
      1,
      expect.stringContaining('photo-missing'),
    ]);
    await git('reset', '-q');
    await git('rm', '-q', '--cached', 'README.md');
    expect(await git('commit', '-qm', 'three')).toMatchObject({ status: 0 });
    await git('checkout', '-q', '--', '.');
  });

  it('builds, publishes to a folder and verifies at the address of catalogue.yaml (A5)', async () => {
    const url = await servePublished(join(root, 'live'));
    const settings = join(site, 'content/catalogue.yaml');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('http://127.0.0.1:9', url));
    for (const args of [['build'], ['publish', `dir:${join(root, 'live')}`], ['verify', '--out', 'dist']]) {
      const { status, stdout, stderr } = await catalogue(...args);
      expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
    }
  });

  it('init fails when its installation fails', async () => {
    const settings = {
      npm_config_registry: `http://127.0.0.1:${await freePort()}`,
      npm_config_cache: join(root, 'empty-cache'),
      npm_config_fetch_retries: '0',
    };
    const cli = join(site, 'node_modules/property-catalogue/lib/cli.js');
    const { status, stderr } = await run(root, process.execPath, [cli, 'init', 'other', '--yes'], settings);
    expect([status, stderr]).toEqual([3, expect.stringContaining('not-installed: "npm install" failed.')]);
  });
});
