/** The package for a new user: from an empty folder to a published catalogue, and the installed size. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Job, type Ran, readYaml, runJob, spawned, type Workflow } from '../automation/runner.ts';
import { ROOT } from '../clone.ts';
import { installPackage } from '../installed-package.ts';
import { S3_BUCKET, startS3 } from '../publish/s3-server.ts';
import { serveRegistry } from './registry.ts';

let root: string;
let stays: string;
let env: NodeJS.ProcessEnv;
let registry: Awaited<ReturnType<typeof serveRegistry>>;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'catalogue-stranger-'));
  stays = join(root, 'stays');
  const pack = installPackage();
  rmSync(pack.folder, { recursive: true, force: true });
  registry = await serveRegistry(pack.tarball);
  // No settings of this machine: all requests go to this registry.
  writeFileSync(join(root, 'npmrc'), '');
  const clean = Object.entries(process.env).filter(([name]) => !/^(?:npm_|https?_proxy$)/i.test(name));
  env = {
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
  delete env.CI;
});
afterAll(() => {
  registry?.close();
  rmSync(root, { recursive: true, force: true });
});

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
  expect(stderr).toMatch(/ {2}cd stays\n {2}npm run dev\n$/);
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
        '--',
        '--title',
        'Blue House',
        '--country',
        'IE',
        '--city',
        'Cork',
        '--latitude',
        '51.9',
        '--longitude',
        '-8.5',
      ],
      0,
      'Wrote it.',
    ],
    ['publish', [], 0, 'Published'],
  ])('%s', async (script, args, status, said) => {
    const target = { CATALOGUE_TARGET: `dir:${join(root, 'site')}` };
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
      'build',
      'check',
      'dev',
      'format',
      'new',
      'publish',
      'serve',
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

  it('check compares with the previous commit, from an installation that the action makes', async () => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];
    const git = (...args: string[]) => execFileSync('git', ['-C', stays, ...identity, ...args]);
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'one');
    const file = join(stays, 'content/properties/ie/blue-house.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('Blue House', 'Red House'));
    git('commit', '-qam', 'two');
    rmSync(join(stays, 'node_modules'), { recursive: true });
    const event = { pull_request: { number: 1, head: { sha: 'f'.repeat(40) } } };
    const contexts = {
      github: { event_name: 'pull_request', event, sha: '', repository: 'o/r', ref: '', token: '' },
    };
    expect(failed(await runJob(work('check'), { folder: stays, action: ROOT, contexts, env }))).toEqual([]);
    const review = readFileSync(join(stays, 'review.md'), 'utf8');
    expect(review).toContain('0 properties added, 1 changed, 0 removed');
    expect(review).toContain('Title: `Blue House` → `Red House`');
  });

  it('publish builds, and publishes to S3 with the keys of a profile', async () => {
    const server = await startS3();
    onTestFinished(() => server.stop());
    const keys = '{"Version":1,"AccessKeyId":"test-key","SecretAccessKey":"test-secret"}';
    writeFileSync(join(root, 'keys'), `#!/bin/sh\necho '${keys}'\n`, { mode: 0o755 });
    writeFileSync(join(root, 'config'), `[default]\ncredential_process = ${join(root, 'keys')}\n`);
    const { AWS_ACCESS_KEY_ID: _id, AWS_SECRET_ACCESS_KEY: _secret, ...without } = env;
    const vars = { CATALOGUE_TARGET: `s3://${S3_BUCKET}/new`, CATALOGUE_ENDPOINT: server.endpoint };
    const profile = { ...without, AWS_CONFIG_FILE: join(root, 'config'), AWS_REGION: 'us-east-1' };
    const runner = { folder: stays, action: ROOT, contexts: { vars }, env: profile };
    expect(failed(await runJob(work('publish'), runner))).toEqual([]);
    const again = await run(
      stays,
      process.execPath,
      [cli(), 'releases', vars.CATALOGUE_TARGET, '--endpoint', vars.CATALOGUE_ENDPOINT],
      { ...profile, AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' },
    );
    expect([again.status, again.stdout]).toEqual([0, expect.stringMatching(/[0-9a-f]{6}/)]);
  });
});
