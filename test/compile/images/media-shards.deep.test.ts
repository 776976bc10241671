/** Eight processes make the images of one catalogue in a shared cache on a real server; two of them are killed. */

import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { MakeImagesResult } from '../../../src/compile/images/make-images.ts';
import { detailed } from '../../media/picture.ts';
import { listKeys } from '../../support/bucket.ts';
import { type Exchange, type FaultyProxy, startProxy } from '../../support/proxy.ts';
import { CLI } from '../../support/run-cli.ts';
import { type S3Server, startS3 } from '../../support/s3.ts';
import { createWorkspace, readTree, type Workspace } from '../workspace.ts';

const SHARDS = 8;
const PROPERTIES = 64;
const PREFIX = 'shared/cache';
const PLACE = `s3://stays/${PREFIX}`;

let server: S3Server;
const proxies: FaultyProxy[] = [];
beforeAll(async () => {
  server = await startS3();
});
afterAll(async () => {
  for (const proxy of proxies) await proxy.stop();
  await server.stop();
});

async function openProxy(): Promise<FaultyProxy> {
  const proxy = await startProxy(server.endpoint);
  proxies.push(proxy);
  return proxy;
}

/** Two photos a property, some of them shared by several properties and under several names. */
async function fill(workspace: Workspace): Promise<void> {
  workspace.configure('page_sizes: [25]\n');
  for (let n = 1; n <= PROPERTIES; n++) {
    const bytes = await detailed(240, 180, n).jpeg().toBuffer();
    workspace.write(`photos/${n}.jpg`, bytes);
    if (n % 10 === 0) workspace.write(`photos/copy-${n}.jpg`, bytes);
    const other = n > 1 ? n - 1 : PROPERTIES;
    const second = n % 10 === 0 ? `photos/copy-${n}.jpg` : `photos/${other}.jpg`;
    workspace.add(n, { photo: n % 2 ? [{ file: `photos/${n}.jpg` }, { file: second }] : [{ file: second }] });
  }
}

type Run = { status: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

/** Starts a command; `env` is added to an environment without a job engine that numbers the job. */
function start(workspace: Workspace, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [CLI, ...args, '--content', workspace.content, '--format', 'json'], {
    env: {
      ...process.env,
      JOB_COMPLETION_INDEX: '',
      AWS_BATCH_JOB_ARRAY_INDEX: '',
      CI_NODE_INDEX: '',
      ...env,
    },
  });
  const ended = new Promise<Run>((resolve) => {
    const run: Run = { status: null, signal: null, stdout: '', stderr: '' };
    child.stdout.on('data', (data) => {
      run.stdout += data;
    });
    child.stderr.on('data', (data) => {
      run.stderr += data;
    });
    child.once('close', (status, signal) => resolve({ ...run, status, signal }));
  });
  return { child, ended };
}

function resultOf(run: Run): MakeImagesResult {
  expect([run.status, run.stderr]).toEqual([0, '']);
  return JSON.parse(run.stdout) as MakeImagesResult;
}

const isWrite = ({ method, status }: Exchange) => method === 'PUT' && status === 200;
const keyOf = ({ path }: Exchange) => decodeURIComponent(path.split('?')[0]!.split('/').pop()!);

it('makes every image exactly once, so that a build makes none', { timeout: 600_000 }, async () => {
  const workspace = createWorkspace();
  await fill(workspace);
  const out = (name: string) => join(workspace.root, name);
  const alone = start(workspace, ['build', '--out', out('alone')]);
  expect((await alone.ended).status).toBe(0);
  const expected = readTree(join(out('alone'), 'public'));
  const images = [...expected.keys()].flatMap((path) => /^media\/(.+)$/.exec(path)?.[1] ?? []);
  // Each photo, and the thumbnail of each photo that is first in some property.
  expect(images.length).toBeGreaterThan(PROPERTIES);

  // Each process has its own route to the server, on which its requests are counted. Two lose it during their
  // work, and are killed; the answer to their last write never arrives.
  const ways = await Promise.all(Array.from({ length: SHARDS }, openProxy));
  const shards = ways.map((way, index) => {
    const args = ['media', '--out', out(`shard-${index}`), '--cache', PLACE, '--endpoint', way.endpoint];
    // The ways to name a share.
    if (index % 4 === 0) return { args: [...args, '--shard', `${index + 1}/${SHARDS}`] };
    if (index % 4 === 1)
      return { args, env: { JOB_COMPLETION_INDEX: `${index}`, CATALOGUE_SHARDS: `${SHARDS}` } };
    if (index % 4 === 2) return { args, env: { CI_NODE_INDEX: `${index + 1}`, CI_NODE_TOTAL: `${SHARDS}` } };
    return { args, env: { AWS_BATCH_JOB_ARRAY_INDEX: `${index}`, AWS_BATCH_JOB_ARRAY_SIZE: `${SHARDS}` } };
  });
  const killed = new Set([2, 5]);
  const runs = await Promise.all(
    shards.map(({ args, env }, index) => {
      const way = ways[index]!;
      let child: ChildProcess | undefined;
      let writes = 0;
      way.onRequest((_index, { method }) => {
        if (!killed.has(index) || method !== 'PUT' || ++writes < 3) return undefined;
        // The third write and all later ones get no answer: the process dies while it waits.
        child?.kill('SIGKILL');
        return writes === 3 ? 'timeout' : 'reset';
      });
      const started = start(workspace, args, env);
      child = started.child;
      return started.ended;
    }),
  );
  expect(runs.map(({ signal }) => signal)).toEqual(
    runs.map((_run, index) => (killed.has(index) ? 'SIGKILL' : null)),
  );
  // The server may still process the last of their writes.
  await vi.waitFor(() => {
    for (const index of killed) expect(ways[index]!.exchanges.filter(isWrite)).toHaveLength(3);
  });
  const lost = [...killed].map((index) => ways[index]!.exchanges.filter(isWrite).length);
  const firstWrites = ways.flatMap((way) => way.exchanges.filter(isWrite).map(keyOf));

  const again = await Promise.all(
    [...killed].map((index) => {
      ways[index]!.onRequest(() => undefined);
      return start(workspace, shards[index]!.args, shards[index]!.env).ended;
    }),
  );
  const results = runs.map((run, index) => resultOf(killed.has(index) ? again.shift()! : run));
  expect(results.map(({ shard }) => shard)).toEqual(
    results.map((_result, index) => expect.objectContaining({ number: index + 1, count: SHARDS })),
  );

  // Each object was written once: no write was refused, and none replaced another.
  const allWrites = [
    ...firstWrites,
    ...[...killed].flatMap((index) => ways[index]!.exchanges.filter(isWrite).map(keyOf)),
  ];
  expect(allWrites.sort()).toEqual([...images].sort());
  const refused = ways.flatMap(({ exchanges }) => exchanges.filter(({ status }) => status === 412));
  expect(refused).toEqual([]);
  const { bucket, close } = server.open(PREFIX);
  const listed = (await listKeys(bucket)).map((key) => key.split('/').pop()!);
  close();
  expect(listed.sort()).toEqual([...images].sort());

  // Each image was made once: the replacements found what the killed processes had stored.
  const sum = (count: (result: MakeImagesResult) => number) =>
    results.reduce((total, one) => total + count(one), 0);
  const saved = lost.reduce((total, writes) => total + writes, 0);
  expect(sum(({ counts }) => counts.images)).toBe(images.length);
  expect(sum(({ counts }) => counts.present)).toBe(saved);
  expect(sum(({ counts }) => counts.made)).toBe(images.length - saved);
  expect(sum(({ counts }) => counts.photos)).toBe(PROPERTIES);

  const way = await openProxy();
  const build = ['build', '--out', out('dist'), '--cache', PLACE, '--endpoint', way.endpoint];
  const built = JSON.parse((await start(workspace, build).ended).stdout);
  expect(built.work).toMatchObject({ made: 0, reused: images.length });
  expect(way.exchanges.map(({ method, status }) => `${method} ${status}`)).toEqual(
    images.map(() => 'GET 200'),
  );
  expect(readTree(join(out('dist'), 'public'))).toEqual(expected);

  // A run with nothing to do sends no request, and neither does one with every image in the output folder.
  way.onRequest(() => 'outage');
  const unchanged = JSON.parse((await start(workspace, build).ended).stdout);
  expect(unchanged.outcome).toBe('unchanged');
  const forced = JSON.parse((await start(workspace, [...build, '--force']).ended).stdout);
  expect([forced.outcome, forced.work.made]).toEqual(['published', 0]);
  expect(way.exchanges).toEqual([]);
});
