/** The names of buckets on a command line, and how they are opened. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { type BucketOptions, openBucket } from '../../src/storage/open-bucket.ts';
import { type Reply, type Sent, serveAnswers } from './s3/answering.ts';

const FORMS = 's3://bucket, s3://bucket/prefix, gs://bucket/prefix, az://container/prefix or dir:/path';
const found: Reply = { status: 200, headers: { ETag: '"tag"' }, body: 'found' };

async function nameOf(target: string, options?: BucketOptions): Promise<string> {
  const { bucket, close } = await openBucket(target, options);
  close();
  return bucket.name;
}

it.each([
  ['dir:/var/www', 'dir:/var/www'],
  ['dir:www/', `dir:${process.cwd()}/www`],
  ['dir:~', `dir:${homedir()}`],
  ['dir:/var/~/www', 'dir:/var/~/www'],
  ['dir:/var/~www', 'dir:/var/~www'],
  ['s3://stays/changes-2026', 's3://stays/changes-2026'],
  ['s3://abc', 's3://abc'],
  ['s3://0.b_c-9', 's3://0.b_c-9'],
  [`s3://${'a'.repeat(63)}`, `s3://${'a'.repeat(63)}`],
  ['s3://stays/', 's3://stays'],
  ['gs://stays/live/', 'gs://stays/live'],
  ['s3://stays//', 's3://stays'],
  ['s3://stays/live/2//', 's3://stays/live/2'],
  ["s3://stays/Live!_.'()-/0", "s3://stays/Live!_.'()-/0"],
  ['s3://stays/.live/a../..b/...', 's3://stays/.live/a../..b/...'],
])('%s is %s', async (target, name) => {
  expect(await nameOf(target)).toBe(name);
});

it.each([
  ...['stays', 's3://', 's3:/stays', 'as3://stays', 'gs:/stays', 'dir:', 'adir:/x', 'https://x'],
  ...['s3://ab', `s3://${'a'.repeat(64)}`, 's3://Stays', 's3://staYs', 's3://stayS', 's3://.stays'],
  ...['s3://stays-', 's3://sta ys', 's3://stays\n', 's3://stays/é', 's3://stays/a*', 's3://stays/a?b'],
  ...['s3://stays//x', 's3://stays/a//x', 's3://stays/./x', 's3://stays/../x', 's3://stays/a/.'],
  ...['s3://stays/a/../b', 's3://stays/..', 's3://stays/a/./b', 's3://stays/a/..'],
])('"%s" is no target', async (target) => {
  await expect(openBucket(target)).rejects.toMatchObject({
    code: 'invalid-target',
    message: `"${target}" is not a bucket or folder. Give ${FORMS}.`,
  });
});

it.each(['changes', 'a/docs', '_catalogue', 'a/_catalogue/releases/pieces'])(
  'the prefix "%s" may be inside another catalogue (B13)',
  async (prefix) => {
    await expect(openBucket(`s3://stays/${prefix}`)).rejects.toMatchObject({
      code: 'invalid-target',
      message: `"s3://stays/${prefix}" may be inside another catalogue, whose own objects are there. Give another prefix.`,
    });
    const other = `s3://stays/${prefix.replace(/changes|docs|_catalogue/, 'x-$&')}/x`;
    expect(await nameOf(other)).toBe(other);
  },
);

it('names the variable where no target is given, and expands the home folder of "dir:~" (A16)', async () => {
  await expect(openBucket('')).rejects.toMatchObject({
    code: 'no-target',
    message: `Name ${FORMS}, or set CATALOGUE_BUCKET.`,
  });
  const { bucket, close } = await openBucket('dir:~/stays');
  close();
  expect(bucket.name).toBe(`dir:${join(homedir(), 'stays')}`);
});

it.each(['localhost', 'ftp://store.example', 'xhttp://a', 'https+x://a'])(
  '%s is no endpoint',
  async (endpoint) => {
    await expect(openBucket('s3://stays', { endpoint })).rejects.toMatchObject({
      ...{ name: 'UsageError', code: 'invalid-endpoint' },
      message: `"${endpoint}" is not a URL. Give one such as https://s3.example.`,
    });
  },
);

it.each([
  ['https://ann:pw@a', 'https://***@a'],
  ['http://:pw@a', 'http://***@a'],
  ['https://ann@a', 'https://***@a'],
])('an endpoint such as %s has credentials that are never printed', async (endpoint, shown) => {
  await expect(openBucket('s3://stays', { endpoint })).rejects.toMatchObject({
    code: 'invalid-endpoint',
    message: `"${shown}" holds a user name or a password. Credentials belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
  });
});

it('a store is addressed by the given region, endpoint and prefix', async () => {
  const sent: Sent[] = [];
  const endpoint = await serveAnswers((request) => {
    sent.push(request);
    return found;
  });
  const { bucket, close } = await openBucket('s3://stays/live/', { endpoint, region: 'eu-west-9' });
  onTestFinished(close);
  expect((await bucket.read('a'))?.body.toString()).toBe('found');
  expect(sent[0]!.path).toBe('/stays/live/a');
  expect(sent[0]!.query.get('X-Amz-Credential')).toMatch(/^test-key\/\d{8}\/eu-west-9\/s3\/aws4_request$/);
});

it('the options set the attempts, the simultaneous requests and the time limit of a store', async () => {
  let inFlight = 0;
  let most = 0;
  let requests = 0;
  const endpoint = await serveAnswers(async ({ path }) => {
    if (path.endsWith('never')) await new Promise(() => {});
    most = Math.max(most, ++inFlight);
    // All that may come at a time have come, however busy the machine.
    for (let looks = 0; requests >= 3 && most < 6 && looks < 500; looks++) await sleep(10);
    await sleep(10);
    inFlight--;
    return ++requests < 3 ? { status: 503 } : found;
  });
  const { bucket, close } = await openBucket('s3://stays', {
    ...{ endpoint, concurrency: 2, timeout: 5000, retry: { attempts: 3, delay: 1 } },
  });
  onTestFinished(close);
  await bucket.read('a');
  expect(requests).toBe(3);
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => bucket.read(key)));
  // Four connections are spare: the lock waits behind nothing.
  expect(most).toBe(2 + 4);
  const once = await openBucket('s3://stays', { endpoint, timeout: 50, retry: { attempts: 1 } });
  onTestFinished(once.close);
  await expect(once.bucket.read('never')).rejects.toMatchObject({ code: 'bucket-unreachable' });
});
