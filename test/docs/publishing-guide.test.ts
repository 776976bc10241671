/** The commands of the guides to publishing and reviewing, in their order, against a real S3 server and stand-ins of the caches. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../src/serve/server.ts';
import { type Fields, sound, yaml } from '../compile/workspace.ts';
import { freePort } from '../conformance/server.ts';
import { createClone, ROOT } from '../support/clone.ts';
import { serveLoopback } from '../support/loopback.ts';
import { type S3Server, startS3 } from '../support/s3.ts';

const run = promisify(execFile);
let s3: S3Server;
/** The requests that the caches received. */
const asked: string[] = [];
let live: { url: string; close: () => Promise<void> };
const folder = createClone();
const endpoint = await serveLoopback((request, answer) => {
  asked.push(`${request.method} ${request.url}`);
  // An empty store takes every change.
  if (request.url!.includes('key-value-stores')) return answer.writeHead(200, { ETag: 'v1' }).end('{}');
  if (request.url!.includes('purge_cache')) return answer.end('{"success":true}');
  const status = '<Id>I1</Id><Status>Completed</Status>';
  return answer.writeHead(201).end(`<?xml version="1.0"?><Invalidation>${status}</Invalidation>`);
});

beforeAll(async () => {
  s3 = await startS3();
  // Just enough objects to give the commands some work.
  writeFileSync(join(folder, 'content/catalogue.yaml'), 'page_sizes: [25]\n');
  write(1, {});
  write(2, {});
  git('init', '-q', '-b', 'main');
  commit('2026-01-31T12:00:00Z');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  const port = await freePort();
  environment = process.env;
  await works(['build', '--base-url', `http://127.0.0.1:${port}`]);
  live = await startServer({ root: join(folder, 'dist/public'), port });
  environment = {
    ...process.env,
    AWS_ENDPOINT_URL_CLOUDFRONT: endpoint,
    AWS_ENDPOINT_URL_CLOUDFRONT_KEYVALUESTORE: endpoint,
    CLOUDFLARE_BASE_URL: `${endpoint}/client/v4`,
    CLOUDFLARE_API_TOKEN: 'token',
  };
});
afterAll(async () => {
  await live?.close();
  await s3?.stop();
});

let environment: NodeJS.ProcessEnv;

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'commit.gpgsign=false'];
  execFileSync('git', ['-C', folder, ...identity, ...args]);
}

function write(n: number, fields: Fields): void {
  writeFileSync(join(folder, `content/house-${n}.yaml`), yaml(sound(n, fields)));
}

function commit(date: string): void {
  git('add', 'content');
  execFileSync(
    'git',
    ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@t.example', 'commit', '-qm', date],
    {
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    },
  );
}

/** The commands of this package on a page, with placeholders replaced by the user's own values. */
function commandsOf(page: string): string[][] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, block = '']) =>
    block
      .replace(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.trim().replace(/^npx (?=catalogue )/, ''))
      .filter((line) => line.startsWith('catalogue ')),
  );
}

function filled(command: string): string[] {
  const words = command
    .replaceAll('https://stays.example', live.url)
    .replace('s3://stays-live', 's3://stays/live')
    .replace(/s3:\/\/stays(?=\s|$)/, 's3://stays/first')
    .replace('https://<account>.r2.cloudflarestorage.com', s3.endpoint)
    .replace('<distribution>', 'E1')
    .replace('<account>:key-value-store/<store>', '123456789012:key-value-store/0f3c')
    .replace('<zone>', 'z1')
    .replace('dir:/srv/', `dir:${folder}/srv/`)
    .split(' ')
    .slice(1);
  // AWS needs no option for these.
  const isS3 = words.some((word) => word.startsWith('s3://'));
  return isS3 && !words.includes('--endpoint') ? [...words, '--endpoint', s3.endpoint] : words;
}

async function works(args: string[]): Promise<string> {
  const cli = join(ROOT, 'lib/cli.js');
  const { stdout, stderr } = await run(process.execPath, [cli, ...args], { cwd: folder, env: environment });
  expect(stdout + stderr, args.join(' ')).not.toBe('');
  return stdout;
}

const GUIDES = ['publishing.md', 'releases.md', 'hosting/s3-cloudfront.md', 'hosting/r2-worker.md'];

describe('publishing.md, and the pages of hosts with a bucket', () => {
  const blocks = GUIDES.flatMap(commandsOf);
  const names = new Set(blocks.flat().map((command) => command.split(' ')[1]));

  it('shows every command of publishing', () => {
    expect([...names].sort()).toEqual([
      ...['build', 'changes', 'next-change', 'prune', 'publish', 'releases', 'rollback', 'verify'],
    ]);
  });

  it('has commands that work in their order', { timeout: 600_000 }, async () => {
    let month = 2;
    for (const block of blocks) {
      for (const command of block) {
        // Content to publish, to roll back from, and to purge from caches.
        if (/ (?:build|releases|--cloudfront|--cloudflare) /.test(`${command} `)) {
          write(1, { title: `House of ${month}` });
          commit(`2026-${String(month++).padStart(2, '0')}-01T12:00:00Z`);
          if (!command.includes(' build '))
            await works(filled('catalogue build --base-url https://stays.example'));
        }
        // A date that has passed since the commit.
        if (command.endsWith(' next-change')) write(2, { live_from: '2026-11-01' });
        if (command.includes(' releases ')) await works(filled('catalogue publish s3://stays'));
        const args = filled(command);
        const named = / ([0-9a-f]{6,32})$/.exec(command)?.[1];
        if (named) args[args.indexOf(named)] = (await newest()).slice(0, 6);
        await works(args);
        // The builds that follow are recorded by publishing alone.
        if (command.includes(' changes ')) rmSync(join(folder, 'dist/public/changes'), { recursive: true });
      }
    }
    const posts = asked.filter((request) => request.startsWith('POST'));
    expect([...new Set(posts.map((request) => request.split('?')[0]))]).toEqual([
      // The totals come before the purge.
      'POST /key-value-stores/arn%3Aaws%3Acloudfront%3A%3A123456789012%3Akey-value-store%2F0f3c/keys',
      'POST /2020-05-31/distribution/E1/invalidation',
      'POST /client/v4/zones/z1/purge_cache',
    ]);
  });

  /** The release to return to. */
  async function newest(): Promise<string> {
    const stdout = await works(filled('catalogue releases s3://stays --format json'));
    const { releases } = JSON.parse(stdout) as { releases: { name: string; isLive: boolean }[] };
    return releases.find(({ isLive }) => !isLive)!.name;
  }

  it('has policies that are valid JSON', () => {
    const text = GUIDES.map((name) => readFileSync(join(ROOT, 'docs', name), 'utf8')).join('\n');
    const policies = [...text.matchAll(/^ *```json\n([\s\S]*?)^ *```$/gm)].map(([, json = '']) =>
      JSON.parse(json),
    );
    // The settings of the worker of R2.
    expect(policies.pop()).toMatchObject({ main: 'dist/edge/cloudflare-worker/worker.js' });
    expect(policies).toHaveLength(4);
    // The role of previews has two statements besides reading.
    expect(policies.shift()).toHaveLength(2);
    for (const { Version, Statement } of policies)
      expect([Version, Statement.length > 0]).toEqual(['2012-10-17', true]);
  });
});

it('reviewing.md has commands that work', { timeout: 600_000 }, async () => {
  const commands = commandsOf('reviewing.md').flat();
  expect(commands).toHaveLength(4);
  await works(filled('catalogue build --base-url https://stays.example'));
  write(2, { title: 'Rose Cottage' });
  for (const command of commands) expect(await works(filled(command))).toContain('Rose Cottage');
});
