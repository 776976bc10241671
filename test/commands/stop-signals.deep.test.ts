/** Commands that change a bucket, stopped by real signals: they give the lock back, say what they leave, and go on next time. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openFolderBucket } from '../../src/storage/folder/bucket.ts';
import { isLogKey, mayStillHaveRequests, readLog } from '../../src/storage/lock-log.ts';
import { type Catalogue, createCatalogue, expectObjects, objects, tree } from '../publish/catalogue.ts';
import { listKeys } from '../support/bucket.ts';
import { CLI } from '../support/run-cli.ts';
import { S3_BUCKET, useS3 } from '../support/s3.ts';

const s3 = useS3();
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

type Running = { child: ChildProcess; text: () => string; ended: Promise<[number | null, string | null]> };

function start({ root }: Catalogue, ...args: string[]): Running {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr!.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const ended = new Promise<[number | null, string | null]>((resolve) =>
    child.once('close', (...how) => resolve(how)),
  );
  return { child, text: () => text, ended };
}

async function until(isTrue: () => boolean | Promise<boolean>, { child }: Running): Promise<void> {
  while (!(await isTrue())) {
    expect(child.exitCode, 'it ended too early').toBeNull();
    await sleep(2);
  }
}

/** Enough files for a publish to take a while. */
async function large(properties = 400): Promise<Catalogue> {
  const catalogue = createCatalogue(properties, 'page_sizes: [1, 2, 3, 5, 10, 25]\ntargets: []\n');
  await catalogue.build();
  return catalogue;
}

async function finish(catalogue: Catalogue, ...args: string[]): Promise<string> {
  const running = start(catalogue, ...args);
  expect([(await running.ended)[0], running.text()]).toEqual([0, expect.any(String)]);
  return running.text();
}

const END = /Stopping, once requests[^\n]*\nstopped: [^\n]*Run it again[^\n]*\n([^\n]*)\n$/;

it.each(SIGNALS)('publish to a folder, and %s', async (signal, code) => {
  const catalogue = await large();
  const folder = join(catalogue.root, 'bucket');
  const args = ['publish', `dir:${folder}`];
  const running = start(catalogue, ...args);
  await until(() => existsSync(join(folder, '_catalogue', 'properties')), running);
  running.child.kill(signal);
  expect([...(await running.ended), END.exec(running.text())?.[1]]).toEqual([
    ...[code, null, expect.stringMatching(/^Readers of dir:.* get the release from before/)],
  ]);
  const bucket = openFolderBucket(folder);
  expect((await readLog(bucket)).lastEntry).toMatchObject({ kind: 'end', suspect: true });
  expect(await finish(catalogue, ...args)).toContain('Published release');
  await expectObjects(bucket, tree(catalogue.public));
});

it('a second signal ends a publish at once, and the next one goes on at once: its process is dead', async () => {
  const catalogue = await large();
  const folder = join(catalogue.root, 'bucket');
  const args = ['publish', `dir:${folder}`];
  for (const signals of [['SIGKILL'], ['SIGINT', 'SIGINT']] as const) {
    catalogue.add(1, { title: signals.join() });
    await catalogue.build();
    const running = start(catalogue, ...args);
    await until(async () => (await readLog(openFolderBucket(folder))).isHeld, running);
    for (const signal of signals) {
      running.child.kill(signal);
      if (signals.length > 1) await sleep(signal === signals[0] ? 5 : 0);
    }
    await running.ended;
    expect(await finish(catalogue, ...args)).not.toContain('waiting');
    const found = await objects(openFolderBucket(folder));
    for (const [key, tag] of tree(catalogue.public)) expect(found.get(key), key).toBe(tag);
  }
});

it.each(SIGNALS)(
  'publish to S3, and %s: a request under way takes effect before the lock is free',
  async (signal, code) => {
    const catalogue = await large(30);
    const proxy = await s3.openProxy();
    const prefix = `stopped-${signal.toLowerCase()}`;
    const args = ['publish', `s3://${S3_BUCKET}/${prefix}`, '--endpoint', proxy.endpoint];
    let kill = () => {};
    let late = '';
    proxy.onRequest((_, { method, path }) => {
      if (late || method !== 'PUT' || !path.includes('/properties/')) return undefined;
      late = path;
      kill();
      return 'late';
    });
    const running = start(catalogue, ...args);
    kill = () => running.child.kill(signal);
    expect([...(await running.ended), END.exec(running.text())?.[1]]).toEqual([
      ...[code, null, expect.stringMatching(/^Readers of s3:.* get the release from before/)],
    ]);
    const exchange = proxy.exchanges.findLast(({ path }) => path === late)!;
    expect(exchange.status).toBe(200);
    const last = proxy.exchanges.findLastIndex(({ method }) => method === 'PUT');
    expect(isLogKey(proxy.exchanges[last]!.path)).toBe(true);
    const bucket = s3.open(prefix);
    expect((await readLog(bucket)).lastEntry).toMatchObject({ kind: 'end', quiet: null });
    proxy.onRequest(() => undefined);
    expect(await finish(catalogue, ...args)).not.toContain('waiting');
    await expectObjects(bucket, tree(catalogue.public));
  },
);

it('says how long it waits for requests of a dead process on S3, and can be stopped meanwhile', async () => {
  const catalogue = await large(30);
  const proxy = await s3.openProxy();
  const args = ['publish', `s3://${S3_BUCKET}/dead`, '--endpoint', proxy.endpoint];
  let kill = () => {};
  proxy.onRequest((_, { method, path }) => {
    if (method === 'PUT' && path.includes('/properties/')) kill();
    return undefined;
  });
  const dead = start(catalogue, ...args);
  kill = () => dead.child.kill('SIGKILL');
  expect(await dead.ended).toEqual([null, 'SIGKILL']);
  proxy.onRequest(() => undefined);
  const running = start(catalogue, ...args);
  await until(() => /may still arrive at s3:.*: waiting [1-8]?\d s/.test(running.text()), running);
  const before = await listKeys(s3.open('dead'), '_catalogue/properties/');
  running.child.kill('SIGINT');
  expect([...(await running.ended), END.exec(running.text())?.[1]]).toEqual([
    ...[130, null, expect.stringMatching(/^Nothing that readers see was changed/)],
  ]);
  expect(await listKeys(s3.open('dead'), '_catalogue/properties/')).toEqual(before);
  // Whoever comes next has to wait, too.
  const log = await readLog(s3.open('dead'));
  expect([log.isHeld, mayStillHaveRequests(log)]).toEqual([false, true]);
});

it.each([
  ['rollback', [], /^(?:Readers of dir:|Nothing that readers see was changed)/],
  ['prune', ['--grace', '0', '--force'], /^Readers of dir:.* get what they did before/],
  ['publish', ['--end-preview', 'a'], /^Preview a /],
  ['publish', ['--preview', 'b'], /^The live release is as before/],
] as const)('%s %j is stopped before it begins, and gives every lock back', async (command, more, said) => {
  const catalogue = createCatalogue(30, 'layout: packed\ntargets: []\n');
  const folder = join(catalogue.root, 'bucket');
  const target = `dir:${folder}`;
  for (const title of ['One', 'Two']) {
    catalogue.add(1, { title });
    await catalogue.build();
    await finish(catalogue, 'publish', target);
  }
  await finish(catalogue, 'publish', target, '--preview', 'a');
  const before = await listKeys(openFolderBucket(folder));
  const args = [command, target, ...more];
  const running = start(catalogue, ...args);
  // Each command takes its lock first.
  const place = command === 'publish' ? join(folder, '_previews', more[1], '.catalogue-incoming') : folder;
  const lock = openFolderBucket(command === 'publish' ? join(folder, '_previews', more[1]) : folder);
  const { lastNumber } = await readLog(lock);
  // A quick command may have ended before it is seen to have begun.
  const hasEnded = () => running.child.exitCode !== null;
  // Asked last, since it may end while the log is read.
  await until(
    async () => (existsSync(place) && (await readLog(lock)).lastNumber > lastNumber) || hasEnded(),
    running,
  );
  running.child.kill('SIGTERM');
  const [code] = await running.ended;
  // It may have been done by then, or just about to exit, when a signal ends it as any process.
  if (code === 143) {
    expect(END.exec(running.text())?.[1]).toMatch(said);
    expect((await readLog(lock)).isHeld).toBe(false);
  } else if (code !== null) expect(code, running.text()).toBe(0);
  if (code === 143) await finish(catalogue, ...args);
  expect((await readLog(openFolderBucket(folder))).isHeld).toBe(false);
  expect(before.length).toBeGreaterThan(0);
});
