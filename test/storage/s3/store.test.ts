/** The address of a store, and the results of its answers and failures. */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { ConditionFailed, type LockLimit } from '../../../src/storage/bucket.ts';
import { ObjectNotFound } from '../../../src/storage/http/errors.ts';
import { openS3Store, type S3Options } from '../../../src/storage/s3/store.ts';
import { serveLoopback } from '../../support/loopback.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { type Reply, type Sent, serveAnswers } from './answering.ts';

function setEnvironment(variables: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** No variable and no file of AWS is set. */
function withoutAccount(): void {
  const folder = temporaryFolder();
  setEnvironment({
    ...{ AWS_REGION: undefined, AWS_DEFAULT_REGION: undefined, AWS_PROFILE: undefined },
    ...{ AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined, AWS_EC2_METADATA_DISABLED: 'true' },
    ...{ AWS_CONFIG_FILE: join(folder, 'none'), AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none') },
    ...{ AWS_ENDPOINT_URL: undefined, AWS_ENDPOINT_URL_S3: undefined },
  });
}

/** A store that gives these replies in turn, and repeats the last one. */
async function serve(...replies: Reply[]) {
  const sent: Sent[] = [];
  const endpoint = await serveAnswers((request) => {
    sent.push(request);
    return replies[Math.min(sent.length, replies.length) - 1]!;
  });
  return { endpoint, sent };
}

function open(options: Partial<S3Options>) {
  const store = openS3Store({ bucket: 'stays', prefix: '', ...options });
  onTestFinished(store.close);
  return store;
}

it('has a name, and a prefix of its keys', () => {
  const { name, keyPrefix, isAws } = open({ endpoint: 'http://127.0.0.1:9' });
  expect({ name, keyPrefix, isAws }).toEqual({ name: 's3://stays', keyPrefix: '', isAws: false });
  expect(open({ prefix: 'live/2' })).toMatchObject({ name: 's3://stays/live/2', keyPrefix: 'live/2/' });
});

it('has the endpoint of the option, of the environment, or of AWS', async () => {
  const [one, two, three] = [
    await serve({ status: 200 }),
    await serve({ status: 200 }),
    await serve({ status: 200 }),
  ];
  const asked = async (endpoint: string | undefined, ofStores: string | undefined, ofAll: string) => {
    setEnvironment({ AWS_ENDPOINT_URL_S3: ofStores, AWS_ENDPOINT_URL: ofAll });
    const counts = () => [one, two, three].map(({ sent }) => sent.length);
    const before = counts();
    const store = open({ endpoint });
    await store.ask({ method: 'GET' });
    return counts().map((count, index) => count - before[index]!);
  };
  expect(await asked(one.endpoint, two.endpoint, three.endpoint)).toEqual([1, 0, 0]);
  expect(await asked(undefined, two.endpoint, three.endpoint)).toEqual([0, 1, 0]);
  expect(await asked(undefined, '', three.endpoint)).toEqual([0, 0, 1]);
  setEnvironment({ AWS_ENDPOINT_URL_S3: '', AWS_ENDPOINT_URL: '' });
  expect(open({}).isAws).toBe(true);
  expect(open({ endpoint: one.endpoint }).isAws).toBe(false);
});

it('has the named region, otherwise that of the environment, otherwise one that other stores accept', async () => {
  withoutAccount();
  const { endpoint, sent } = await serve({ status: 200 });
  setEnvironment({ AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' });
  const region = async (options: Partial<S3Options>) => {
    await open({ endpoint, ...options }).ask({ method: 'GET' });
    return sent.at(-1)!.query.get('X-Amz-Credential')?.split('/').slice(2, 4).join(' ');
  };
  expect(await region({})).toBe('us-east-1 s3');
  setEnvironment({ AWS_REGION: 'eu-west-1' });
  expect(await region({})).toBe('eu-west-1 s3');
  expect(await region({ region: 'eu-west-2' })).toBe('eu-west-2 s3');
});

it('requires a region for AWS', async () => {
  withoutAccount();
  const { ask, close } = open({ prefix: 'live' });
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(ask({ method: 'GET' })).rejects.toMatchObject({
      ...{ code: 'bucket-region', isTransient: false },
      message: 'There is no region for s3://stays. Name it with --region or AWS_REGION.',
    });
  }
  // Closing a closed connection is no failure.
  const failures: unknown[] = [];
  const listen = (reason: unknown) => void failures.push(reason);
  process.on('unhandledRejection', listen);
  onTestFinished(() => void process.off('unhandledRejection', listen));
  close();
  await setImmediate();
  expect(failures).toEqual([]);
});

it('names the address in errors of missing credentials and of an invalid address', async () => {
  const { endpoint } = await serve({ status: 200 });
  withoutAccount();
  await expect(
    open({ endpoint, prefix: 'live' }).ask({ method: 'GET', key: 'live/a' }),
  ).rejects.toMatchObject({
    ...{ code: 'bucket-credentials', isTransient: false },
    message: expect.stringMatching(/^There are no credentials for s3:\/\/stays\/live\/a \(/),
  });
  await expect(open({ endpoint: 'nowhere' }).ask({ method: 'GET', key: 'a' })).rejects.toMatchObject({
    message: expect.stringMatching(/^s3:\/\/stays: /),
  });
});

it('returns successes, and throws other answers as errors', async () => {
  const { endpoint } = await serve(
    ...[{ status: 299 }, { status: 300 }, { status: 404 }, { status: 404 }, { status: 503 }],
    { status: 301, headers: { 'x-amz-bucket-region': 'eu-west-1' } },
  );
  const { ask } = open({ endpoint, prefix: 'live', region: 'us-east-1' });
  expect((await ask({ method: 'GET' })).status).toBe(299);
  await expect(ask({ method: 'GET' })).rejects.toMatchObject({
    message: expect.stringMatching(/^s3:\/\/stays\/live: 300\./),
  });
  const request = { method: 'PUT', key: 'live/a b' } as const;
  await expect(ask(request)).rejects.toBeInstanceOf(ObjectNotFound);
  await expect(ask(request, true)).rejects.toBeInstanceOf(ConditionFailed);
  await expect(ask(request)).rejects.toMatchObject({
    ...{ code: 'bucket-busy', message: expect.stringMatching(/^s3:\/\/stays\/live\/a b: 503\./) },
  });
  await expect(ask(request)).rejects.toMatchObject({
    message: expect.stringContaining('lies in eu-west-1, and the request was for us-east-1'),
  });
});

it('names a store that does not answer, and distinguishes the end of a lock', async () => {
  const { ask } = open({ endpoint: 'http://127.0.0.1:9' });
  await expect(ask({ method: 'GET', key: 'a' })).rejects.toMatchObject({
    ...{ code: 'bucket-unreachable', isTransient: true },
    message: expect.stringMatching(/^s3:\/\/stays\/a: /),
  });
  const controller = new AbortController();
  const ended = new Error('the lock is over');
  const limit: LockLimit = {
    ...{ holder: 'holder', remaining: () => 30_000, signal: controller.signal },
    ...{ ready: async () => {}, unsettled: () => {} },
  };
  const { endpoint } = await serve({ status: 200 });
  const other = open({ endpoint });
  await other.ask({ method: 'GET', limit });
  controller.abort(ended);
  await expect(other.ask({ method: 'GET', limit })).rejects.toBe(ended);
});

it('keeps its connection until it is closed', async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test-key';
  process.env.AWS_SECRET_ACCESS_KEY = 'test-secret';
  const server = createServer((_, outgoing) => outgoing.end());
  const endpoint = await serveLoopback(server);
  let connections = 0;
  let ended = 0;
  server.on('connection', (socket) => {
    connections++;
    socket.on('close', () => ended++);
  });
  const store = openS3Store({ bucket: 'stays', prefix: '', endpoint, connections: 1 });
  // No connection is open yet.
  store.close();
  for (let request = 0; request < 2; request++) await store.ask({ method: 'GET' });
  expect(connections).toBe(1);
  store.close();
  // Counts turns of the event loop, since an idle connection ends by itself after four seconds.
  for (let turn = 0; ended === 0 && turn < 1000; turn++) await setImmediate();
  expect(ended).toBe(1);
});
