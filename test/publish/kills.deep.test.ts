/**
 * Commands that are killed at one of their requests: readers find everything meanwhile, and the next commands bring the
 * bucket to exactly one release. `CATALOGUE_TEST_KILLS`: kills of each command in each kind of bucket, stores included.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pLimit from 'p-limit';
import { beforeAll, describe, expect, it } from 'vitest';
import { previewKeyPrefix } from '../../src/contract/preview-keys.ts';
import { readLiveRelease } from '../../src/publish/stored-release.ts';
import { sharedKeys } from '../../src/release/release.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { openFolderBucket } from '../../src/storage/folder/bucket.ts';
import { listKeys } from '../support/bucket.ts';
import { serveGoogle } from '../support/google.ts';
import { startProxy } from '../support/proxy.ts';
import { CLI } from '../support/run-cli.ts';
import { useS3 } from '../support/s3.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Catalogue, createCatalogue, expectObjects, photo, tree } from './catalogue.ts';

const KILLS = Number(process.env.CATALOGUE_TEST_KILLS ?? 2);
/** Commands at a time: at a store, most only wait until it refuses what was sent before. */
const LANES = 6;

const COMMANDS = [
  { name: 'publish', args: (bucket: string) => ['publish', bucket, '--out', 'three', '--allow-shrink'] },
  { name: 'rollback', args: (bucket: string) => ['rollback', bucket] },
  { name: 'prune', args: (bucket: string) => ['prune', bucket, '--grace', '0', '--force'] },
  { name: 'preview', args: (bucket: string) => ['publish', bucket, '--out', 'packed', '--preview', 'pr-1'] },
] as const;

type Lane = {
  readonly bucket: Bucket;
  /** Arguments that name the bucket. */
  readonly address: string;
  readonly env: NodeJS.ProcessEnv;
  /** Kills the command at this request, from 0; undefined for none. Returns how to count what it sends. */
  readonly arm: (kill: () => void, at: number | undefined, isSent: boolean) => NodeJS.ProcessEnv;
  readonly count: () => number;
};

const s3 = useS3();
let catalogue: Catalogue;

beforeAll(async () => {
  catalogue = createCatalogue(5, 'page_sizes: [25]\nbase_url: https://stays.cdn\n');
  catalogue.write('a.jpg', await photo(10));
  catalogue.write('b.jpg', await photo(90));
  catalogue.add(1, { photo: [{ file: 'a.jpg' }] });
  catalogue.add(2, { photo: [{ file: 'b.jpg' }] });
  await catalogue.buildTo('one');
  catalogue.add(1, { title: 'Another', photo: [{ file: 'a.jpg' }] });
  await catalogue.buildTo('two');
  catalogue.remove('house-2.yaml');
  catalogue.add(6, { city: 'Cork' });
  await catalogue.buildTo('three');
  await catalogue.buildTo('packed', { layout: 'packed' });
});

/** Null for a process that was killed. */
async function run(
  lane: Lane,
  args: readonly string[],
  at?: number,
  isSent = false,
  expected = /^0 /,
): Promise<number | null> {
  let kill = () => {};
  const armed = lane.arm(() => kill(), at, isSent);
  const env = { ...process.env, ...lane.env, ...armed };
  const child = spawn(process.execPath, [CLI, ...args], { cwd: catalogue.root, env });
  kill = () => void child.kill('SIGKILL');
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (at === undefined) expect(`${status} ${said}`).toMatch(expected);
  return status;
}

/** What `current.json` names is there, and each list leads to details, and each detail to photos. */
async function expectReadable(bucket: Bucket): Promise<void> {
  const keys = await listKeys(bucket);
  const there = new Set(keys);
  const { release } = await readLiveRelease(bucket);
  expect(release).toBeDefined();
  const led = [...sharedKeys(release!)];
  for (const key of keys.filter((one) => /^_catalogue\/(?:pages|properties)\//.test(one))) {
    const text = (await bucket.read(key))!.body.toString();
    for (const [, media] of text.matchAll(/\/(media\/[\w.-]+)"/g)) led.push(media!);
    if (key.startsWith('_catalogue/pages/'))
      for (const { id } of JSON.parse(text).data ?? []) led.push(`_catalogue/properties/${id}.json`);
  }
  expect(led.filter((key) => !there.has(key))).toEqual([]);
}

/** `isKilled`: false if the command sent fewer requests than before, since none of them was a beat. */
type Killed = { readonly requests: number; readonly isKilled: boolean };

/** Publishes two releases, runs the command, and then what a person runs next. */
async function killAt(lane: Lane, name: string, at: number | undefined, isSent: boolean): Promise<Killed> {
  const { bucket, address } = lane;
  const args = COMMANDS.find((one) => one.name === name)!.args(address);
  await run(lane, ['publish', address, '--out', 'one']);
  await run(lane, ['publish', address, '--out', 'two']);
  const status = await run(lane, args, at, isSent);
  const requests = lane.count();
  // A prune without grace removes details whoever still has a list that names them.
  await expectReadable(bucket);
  const killed = { requests, isKilled: status === null };
  if (at === undefined) return killed;
  // A prune that was killed between announcing an entry and writing it leaves doubt, which a publish ends.
  const isRefused = (await run(lane, args, undefined, false, /^(?:0 |3 .*Publish first)/s)) === 3;
  if (isRefused) {
    expect(name).toBe('prune');
    await run(lane, ['publish', address, '--out', 'two']);
    await run(lane, args);
  }
  await expectReadable(bucket);
  await run(lane, ['publish', address, '--out', 'three', '--allow-shrink', '--allow-older']);
  const expected = tree(join(catalogue.root, 'three/public'));
  await expectObjects(bucket, expected);
  await run(lane, ['prune', address, '--grace', '0', '--force']);
  await expectObjects(bucket, expected);
  const isOurs = (key: string) =>
    expected.has(key) || /^(?:changes\/|_catalogue\/(?:log\/|releases\.json))/.test(key);
  expect(
    (await listKeys(bucket)).filter(
      (key) => !isOurs(key) && !key.startsWith(`${previewKeyPrefix('pr-1')}_catalogue/log/`),
    ),
  ).toEqual([]);
  return killed;
}

/** A proxy of its own counts the requests of a lane. */
async function throughProxy(bucket: Bucket, address: string, server: string, prefix: string): Promise<Lane> {
  const proxy = await startProxy(server);
  let requests = 0;
  return {
    bucket,
    address: `${address}/${prefix}`,
    env: { CATALOGUE_ENDPOINT: proxy.endpoint },
    arm(kill, at, isSent) {
      proxy.onRequest((index) => {
        requests = index + 1;
        if (index !== at) return undefined;
        // Before it is sent, or before its answer.
        if (!isSent) kill();
        else setTimeout(kill, 50);
        return isSent ? 'timeout' : 'reset';
      });
      return {};
    },
    count: () => requests,
  };
}

/** Counts calls that change the file system, in the killed process itself. */
const COUNTER = `
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
let calls = 0;
for (const name of ['writeFile', 'rename', 'link', 'unlink', 'rm']) {
  const real = fs.promises[name];
  fs.promises[name] = async (...args) => {
    const isIt = calls++ === Number(process.env.TEST_KILL_AT);
    if (isIt && process.env.TEST_KILL_SENT) await real(...args);
    if (isIt) process.kill(process.pid, 'SIGKILL');
    fs.writeFileSync(process.env.TEST_KILL_COUNT, String(calls));
    return real(...args);
  };
}
syncBuiltinESMExports();
`;

function inFolder(): Lane {
  const folder = temporaryFolder();
  const [counter, count] = [join(folder, 'counter.mjs'), join(folder, 'count')];
  writeFileSync(counter, COUNTER);
  return {
    bucket: openFolderBucket(join(folder, 'bucket')),
    address: `dir:${join(folder, 'bucket')}`,
    env: { NODE_OPTIONS: `--import=${pathToFileURL(counter)}`, TEST_KILL_COUNT: count },
    arm: (_kill, at, isSent) => ({ TEST_KILL_AT: String(at), ...(isSent && { TEST_KILL_SENT: '1' }) }),
    count: () => Number(readFileSync(count, 'utf8')),
  };
}

/** At a store, each kill is followed by a wait of more than a minute. */
const KINDS = process.env.CATALOGUE_TEST_KILLS
  ? (['folder', 's3', 'google'] as const)
  : (['folder'] as const);

describe.each(KINDS)('killed at a request to a bucket: %s', (kind) => {
  it.each(COMMANDS)('$name', { timeout: 7_200_000 }, async ({ name }) => {
    const google = kind === 'google' ? await serveGoogle() : undefined;
    const open = async (id: string): Promise<Lane> => {
      const prefix = `${kind}-${name}-${id}`;
      if (google) return throughProxy(google.open(prefix), 'gs://stays', google.endpoint, prefix);
      if (kind === 's3') return throughProxy(s3.open(prefix), 's3://stays', s3.endpoint(), prefix);
      return inFolder();
    };
    const { requests } = await killAt(await open('whole'), name, undefined, false);
    const limit = pLimit(LANES);
    const killed = await Promise.all(
      Array.from({ length: KILLS }, (_, kill) =>
        limit(async () => {
          const at = Math.min(requests - 1, Math.floor(((kill + 0.5) * requests) / KILLS));
          return killAt(await open(String(kill)), name, at, kill % 2 === 0);
        }),
      ),
    );
    expect(killed.filter(({ isKilled }) => isKilled).length).toBeGreaterThan(0.7 * KILLS);
  });
});
