/** The commands as a user sees them: their exact output, and their exit codes. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isTreeKey } from '../../src/contract/object-kinds.ts';
import { listen } from '../../src/serve/listen.ts';
import { startServer } from '../../src/serve/server.ts';
import { idOf } from '../compile/workspace.ts';
import { freePort } from '../conformance/server.ts';
import { serveGoogle } from '../support/google.ts';
import { CLI } from '../support/run-cli.ts';
import { useS3 } from '../support/s3.ts';
import { type Catalogue, createCatalogue, photo, tree } from './catalogue.ts';
import { type Outcome, publishByCommand, run } from './command-line.ts';

const s3 = useS3();

/** Replaces the parts that differ between runs: names of releases, sizes and times. */
function steady({ status, stdout, stderr }: Outcome): Outcome {
  const neutral = (text: string) =>
    text
      .replace(/\b[0-9a-f]{32}\b/g, 'NAME')
      .replace(/\bcommit [0-9a-f]{12}\b/g, 'commit NAME')
      .replace(/[\d.]+ (?:Ki|Mi)?B/g, 'SIZE')
      .replace(/\d+\.\d\d s/g, 'TIME')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, 'WHEN');
  return { status, stdout: neutral(stdout), stderr: neutral(stderr) };
}

/** Catalogues of tests leave the address at its default (D8). */
const ADDRESS_NOTE =
  'The catalogue says that it is at http://localhost:8080, which guests cannot reach: set base_url in catalogue.yaml, and build again.';

/** Commits all changes at a time. */
function commit(catalogue: Catalogue, time: string): void {
  const identity = { NAME: 'Test', EMAIL: 'test@house.example', DATE: time };
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  for (const [name, value] of Object.entries(identity))
    Object.assign(env, { [`GIT_AUTHOR_${name}`]: value, [`GIT_COMMITTER_${name}`]: value });
  const steps = [
    ['init', '-q'],
    ['add', 'content'],
    ['commit', '-q', '-m', 'content'],
  ];
  for (const step of steps) execFileSync('git', step, { cwd: catalogue.root, env });
}

/** Documents that every build of the same content leaves. */
function documents(catalogue: Catalogue): string[] {
  const isOne = (key: string) => !/^(?:media|_catalogue\/(?:problems|pages|properties))\//.test(key);
  return [...tree(catalogue.public).keys()].filter(isOne);
}

it('publish, change, remove, roll back: to a folder, with exact output', { timeout: 600_000 }, async () => {
  const catalogue = createCatalogue(3, 'page_sizes: [25]\nbase_url: https://stays.cdn\n');
  catalogue.write('a.jpg', await photo(10));
  catalogue.add(1, { photo: [{ file: 'a.jpg' }] });
  commit(catalogue, '2026-01-31T12:00:00+0100');
  await catalogue.build();
  const target = `dir:${join(catalogue.root, 'bucket')}`;
  const treeFiles = documents(catalogue).filter(isTreeKey).length;
  // The root, a list of images, a chunk, its facets, cities, current.json, and every document by its content.
  const copies = documents(catalogue).filter((key) => key.startsWith('_catalogue/documents/')).length;
  expect(treeFiles).toBe(6 + copies);
  const count = documents(catalogue).length - treeFiles;
  const total = 2 + 3 + 4 + 4 + treeFiles + 18 + count + 3;

  expect(steady(await run(catalogue, 'publish', target))).toEqual({
    status: 0,
    stdout: '',
    stderr: `Note: First publication to ${target}.\nPublished release NAME to ${target}: ${total} objects written (2 media, 3 details, 4 pages, 4 totals, ${treeFiles} tree files, 18 problems, ${count} documents, 3 history; SIZE), 0 removed, 0 unchanged, in TIME.\n`,
  });
  expect(steady(await run(catalogue, 'publish', target))).toEqual({
    status: 0,
    stdout: '',
    stderr: `Nothing to publish: ${target} holds release NAME.\n`,
  });

  const before = catalogue.tree();
  catalogue.add(2, { email: 'new@house.example' });
  catalogue.remove('house-3.yaml');
  commit(catalogue, '2026-02-01T12:00:00+0100');
  await catalogue.build();
  const after = catalogue.tree();
  const changed = documents(catalogue).filter((key) => before.get(key) !== after.get(key));
  expect(changed.length).toBeGreaterThan(0);
  const lists = ['-/-', '-/47616c776179', 'IE/-', 'IE/47616c776179'].map(
    (scope) => `_catalogue/pages/${scope}`,
  );
  const dry = await run(catalogue, 'publish', target, '--dry-run');
  expect(dry.stdout.trimEnd().split('\n').sort()).toEqual(
    [
      `~ _catalogue/properties/${idOf(2)}.json`,
      ...lists.flatMap((folder) => [`~ ${folder}/25-1.json`, `~ ${folder}/total`]),
      ...changed.map((key) => `${before.has(key) ? '~' : '+'} ${key}`),
      '+ changes/2026-02.ndjson',
      '~ changes/feed.xml',
      '~ changes/index.json',
    ].sort(),
  );
  // One of them is current.json.
  const changedTree = changed.filter(isTreeKey).length;
  const kinds = (size: string) =>
    `(1 detail, 4 pages, 4 totals, ${changedTree} tree files, ${changed.length - changedTree} documents, 3 history; ${size})`;
  const writes = 1 + 4 + 4 + changed.length + 3;
  const rest = after.size - (writes - 3);
  expect(steady(dry)).toMatchObject({
    status: 0,
    stderr: `Dry run, nothing was written: release NAME for ${target}: ${writes} objects to write ${kinds('SIZE')}, 0 to remove, ${rest} unchanged, 1 detail kept until a later publish.\n`,
  });
  expect(steady(await run(catalogue, 'publish', target)).stderr).toBe(
    `Published release NAME to ${target}: ${writes} objects written ${kinds('SIZE')}, 0 removed, ${rest} unchanged, 1 detail kept until a later publish, in TIME.\n`,
  );

  expect(steady(await run(catalogue, 'releases', target))).toEqual({
    status: 0,
    stdout: 'NAME  live    WHEN  commit NAME  2 properties\nNAME  kept    WHEN  commit NAME  3 properties\n',
    stderr: '',
  });
  const back = steady(await run(catalogue, 'rollback', target));
  expect(back.stderr).toMatch(
    /^Restored release NAME to dir:.*: \d+ objects written \(2 details, 4 pages, 4 totals, /,
  );
  expect(steady(await run(catalogue, 'prune', target, '--grace', '0'))).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /^kept-longer: Readers of dir:\S+ were promised releases until .*--force\.\n$/,
    ),
  });
  const forget = ['prune', target, '--grace', '0', '--force'] as const;
  const removed = `1 earlier release, ${changedTree - 1} tree files, 1 download part`;
  const record = 'the record of 1 release';
  expect(steady(await run(catalogue, ...forget, '--dry-run'))).toMatchObject({
    status: 0,
    stderr: `Dry run, nothing was removed: ${target}: ${removed}, ${record}.\n`,
  });
  expect(steady(await run(catalogue, ...forget, '--keep', '1')).stderr).toBe(
    `Pruned ${target}: ${removed}.\n`,
  );
  expect(steady(await run(catalogue, 'releases', target)).stdout).toBe(
    'NAME  live    WHEN  commit NAME  3 properties\nNAME  pruned  WHEN  commit NAME\n',
  );
  expect(steady(await run(catalogue, ...forget)).stderr).toBe(`Pruned ${target}: ${record}.\n`);
});

it('publish to S3 with JSON writes nothing to standard error', { timeout: 600_000 }, async () => {
  const catalogue = createCatalogue(2);
  await catalogue.build();
  const args = ['s3://stays/commands', '--endpoint', s3.endpoint(), '--format', 'json'];
  const planned = await run(catalogue, 'publish', ...args, '--dry-run');
  expect([planned.status, planned.stderr]).toEqual([0, '']);
  expect(JSON.parse(planned.stdout)).toMatchObject({ outcome: 'planned', bucket: 's3://stays/commands' });
  expect(JSON.parse(planned.stdout).operations).toContainEqual({
    operation: 'add',
    key: '_catalogue/current.json',
  });
  const { status, stdout, stderr } = await run(catalogue, 'publish', ...args);
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    outcome: 'published',
    previous: null,
    written: { details: 2, pages: 4, totals: 4 },
    notes: [
      ADDRESS_NOTE,
      'First publication to s3://stays/commands.',
      'The release has no time, since its content is in no commit of git: its changes are not recorded.',
    ],
  });
  const again = JSON.parse((await run(catalogue, 'publish', ...args)).stdout);
  expect(again.outcome).toBe('unchanged');
  const releases = JSON.parse((await run(catalogue, 'releases', ...args)).stdout);
  expect(releases).toMatchObject({ releases: [{ name: again.release, isLive: true, isRestorable: true }] });
});

it('publish, change, roll back and prune: to Google Cloud Storage', { timeout: 600_000 }, async () => {
  const google = await serveGoogle();
  google.pause = 200;
  await publishByCommand(google.open('live'), ['gs://stays/live', '--endpoint', google.endpoint]);
  // An entry is written twice within a second, which tests conditions, and nothing else is.
  const refused = google.requests.filter((request) => / 4(?!04|12)\d\d$/.test(request));
  expect(refused.length).toBeGreaterThan(0);
  for (const request of refused)
    expect(request).toMatch(/^PUT stays\/live\/_catalogue\/log\/\d{8}\.json 429$/);
});

it('verify exits with 0 without a difference, and with 1 otherwise', { timeout: 600_000 }, async () => {
  const port = await freePort();
  const catalogue = createCatalogue(2, `page_sizes: [25]\nbase_url: http://127.0.0.1:${port}\n`);
  await catalogue.build();
  const live = await startServer({ root: catalogue.public, port });
  try {
    const sound = await run(catalogue, 'verify', live.url, '--out', 'dist');
    expect(sound.stderr).toMatch(
      /^Verified release [0-9a-f]{32} at http:\/\/127\.0\.0\.1:\d+: \d+ requests, no differences, in \d+\.\d\d s\.\nLooked at 2 of 2 properties, 4 of 4 pages and 0 of 0 images\.\n$/,
    );
    expect(sound.status).toBe(0);
    writeFileSync(join(catalogue.public, `_catalogue/properties/${idOf(2)}.json`), '{"title":1}');
    const broken = await run(catalogue, 'verify', live.url);
    expect(broken.status).toBe(1);
    expect(broken.stderr).toMatch(
      new RegExp(
        `^GET ${live.url}/api/v1/public/properties/${idOf(2)}\n  body: expected the bytes of the digest [0-9a-f]{32}, got \\{"title":1\\}\n`,
      ),
    );
    expect(broken.stderr).toContain(', 1 difference, in ');
  } finally {
    await live.close();
  }
});

it('caches are purged again on request, and previews come and go', { timeout: 600_000 }, async () => {
  const catalogue = createCatalogue(2, 'page_sizes: [25]\nbase_url: https://stays.example\nlayout: packed\n');
  await catalogue.build();
  const target = `dir:${join(catalogue.root, 'bucket')}`;
  const purged: string[][] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    purged.push((JSON.parse(Buffer.concat(chunks).toString()) as { prefixes: string[] }).prefixes);
    response.end('{"success":true}');
  });
  const endpoint = await listen(server, 0, '127.0.0.1');
  const env = { CLOUDFLARE_BASE_URL: endpoint, CLOUDFLARE_API_TOKEN: 'token' };
  Object.assign(process.env, env);
  try {
    const cached = (...args: string[]) => run(catalogue, 'publish', target, '--cloudflare', 'zone', ...args);
    expect((await run(catalogue, 'publish', target, '--purge')).stderr).toMatch(
      /^no-cache: --purge needs to know/,
    );
    expect((await cached()).status).toBe(0);
    const first = purged.splice(0);
    expect((await cached()).stderr).toMatch(/^Nothing to publish: /m);
    expect(purged).toEqual([]);
    expect(await cached('--purge')).toMatchObject({ status: 0 });
    expect(purged.splice(0)).toEqual([['stays.example/']]);
    // The first publish into a folder purges what might have been there.
    expect(first.flat().every((prefix) => prefix.startsWith('stays.example/'))).toBe(true);

    const live = tree(join(catalogue.root, 'bucket'));
    expect(await cached('--preview', 'pr-1')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('https://stays.example/_previews/pr-1/'),
    });
    expect(existsSync(join(catalogue.root, 'bucket/_previews/pr-1'))).toBe(true);
    expect(await cached('--end-preview', 'nope')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^[a-z-]+: .*nope/),
    });
    expect(await cached('--end-preview', 'pr-1')).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('Preview pr-1 has ended.'),
    });
    expect((await run(catalogue, 'prune', target, '--grace', '0', '--force')).status).toBe(0);
    const left = tree(join(catalogue.root, 'bucket'));
    expect([...left.keys()].filter((key) => /^_previews\/.*(?:current|used)\.json$/.test(key))).toEqual([]);
    for (const [key, tag] of live)
      if (!/^(?:\.|_catalogue\/(?:lock|releases))/.test(key)) expect(left.get(key), key).toBe(tag);
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
    server.close();
  }
});

it('problems are named, and the exit code is 2 for usage and guards, 3 for the environment', {
  timeout: 600_000,
}, async () => {
  const catalogue = createCatalogue(2);
  const target = `dir:${join(catalogue.root, 'bucket')}`;
  mkdirSync(join(catalogue.root, 'bucket'));
  const cases: [string[], number, RegExp][] = [
    [['releases'], 2, /^no-target: Name s3:.* or set CATALOGUE_BUCKET\./],
    [
      ['publish', target],
      2,
      /^nothing-built: There is no catalogue in .*public\. Run "catalogue build" first\.\n$/,
    ],
    [['publish', target, '--max-shrink', '101'], 2, /Expected a whole number from 0 to 100/],
    [['rollback', target], 2, /^unknown-release: dir:.* keeps no earlier release to go back to\./],
    [['releases', 'dir:nowhere'], 2, /^no-such-file: There is no folder at .*nowhere\. /],
    [['releases', 'stays'], 2, /^invalid-target: "stays" is not a bucket or folder\./],
    [['verify', 'x'], 2, /^invalid-base-url: /],
    [
      ['verify', 'http://127.0.0.1:9'],
      3,
      /^unreachable: http:\/\/127\.0\.0\.1:9\/_catalogue\/current\.json does not answer: no server listens there\. Start it, or check the URL and its port\.\n$/,
    ],
    [
      ['releases', 's3://nothing-here', '--endpoint', s3.endpoint()],
      3,
      /^bucket-missing: s3:\/\/nothing-here: .*Create the bucket/,
    ],
    [['prune', target], 3, /^no-release: /],
  ];
  for (const [args, status, message] of cases) {
    const outcome = await run(catalogue, ...args);
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stderr).not.toMatch(/^\s+at /m);
    expect(outcome.status, args.join(' ')).toBe(status);
  }
  await catalogue.build();
  const env = { ...process.env, CLOUDFLARE_API_TOKEN: '' };
  const { status, stderr } = spawnSync(process.execPath, [CLI, 'publish', target, '--cloudflare', 'z'], {
    cwd: catalogue.root,
    encoding: 'utf8',
    env,
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining('no-api-token: ')]);
});
