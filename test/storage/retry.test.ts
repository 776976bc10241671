/** The decorators alone. */
import { describe, expect, it } from 'vitest';
import { withTraffic } from '../../src/publish/progress.ts';
import { type Bucket, BucketError, ConditionFailed } from '../../src/storage/bucket.ts';
import { withDryRun } from '../../src/storage/dry-run.ts';
import { forEach, groups } from '../../src/storage/for-each.ts';
import { withRetry } from '../../src/storage/retry.ts';

const headers = { contentType: 'application/json', cacheControl: 'no-store' };
const busy = () => new BucketError('bucket-busy', 'busy', true);

/** A bucket in memory whose requests fail as the test decides. */
function memory(fail: (request: string, number: number) => 'before' | 'after' | Error | undefined) {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const tag = (body: Buffer | undefined) => (body ? `"${body.toString()}"` : undefined);
  const step = async <T>(request: string, work: () => T): Promise<T> => {
    requests.push(request);
    const fault = fail(request, requests.length);
    if (fault instanceof Error) throw fault;
    if (fault === 'before') throw busy();
    const result = work();
    if (fault === 'after') throw busy();
    return result;
  };
  const bucket: Bucket = {
    name: 'memory',
    read: (key) =>
      step(`read ${key}`, () => {
        const body = objects.get(key);
        return body && { body, tag: tag(body)! };
      }),
    inspect: () => step('inspect', () => undefined),
    write: (key, body, _headers, condition) =>
      step(`write ${key}`, () => {
        const wanted = condition && ('absent' in condition ? undefined : condition.tag);
        if (condition && tag(objects.get(key)) !== wanted) throw new ConditionFailed(key);
        objects.set(key, body);
        return { tag: tag(body)! };
      }),
    async *list(_prefix, after = '') {
      for (const [index, key] of [...objects.keys()].sort().entries()) {
        if (key <= after) continue;
        if (fail(`list ${key}`, index) === 'before') throw busy();
        yield { key, tag: '', size: 0, modified: new Date(0) };
      }
    },
    remove: (keys) =>
      step(`remove ${keys}`, () => {
        for (const key of keys) objects.delete(key);
      }),
  };
  return { bucket, objects, requests };
}

describe('a retry', () => {
  it('repeats temporary failures, and gives up', async () => {
    const { bucket, requests } = memory((_request, number) => (number < 4 ? 'before' : undefined));
    const patient = withRetry(bucket, { attempts: 4, delay: 1 });
    expect(await patient.read('a')).toBeUndefined();
    expect(requests).toHaveLength(4);
    const { bucket: broken, requests: all } = memory(() => 'before');
    await expect(withRetry(broken, { attempts: 3, delay: 1 }).remove(['a'])).rejects.toThrow('busy');
    expect(all).toHaveLength(3);
  });

  it('does not repeat permanent failures', async () => {
    const denied = new BucketError('bucket-denied', 'denied', false);
    const { bucket, requests } = memory(() => denied);
    await expect(withRetry(bucket, { delay: 1 }).read('a')).rejects.toBe(denied);
    expect(requests).toHaveLength(1);
  });

  it('counts a conditional write whose answer was lost as done, but not that of another writer', async () => {
    const { bucket } = memory((request, number) =>
      request === 'write lock' && number === 1 ? 'after' : undefined,
    );
    const patient = withRetry(bucket, { delay: 1 });
    expect(await patient.write('lock', Buffer.from('mine'), headers, { absent: true })).toMatchObject({
      tag: '"mine"',
    });
    const other = memory((request, number) => {
      if (request !== 'write lock' || number !== 1) return undefined;
      other.objects.set('lock', Buffer.from('theirs'));
      return 'before';
    });
    const race = withRetry(other.bucket, { delay: 1 }).write('lock', Buffer.from('mine'), headers, {
      absent: true,
    });
    await expect(race).rejects.toThrow(ConditionFailed);
  });

  it('gives a write whose answer was lost the time of its effect, not that of the check (A2)', async () => {
    const { bucket } = memory((_request, number) => (number === 1 ? 'after' : undefined));
    const [modified, time] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:01:00Z')];
    const read: Bucket['read'] = async (key) => ({ ...(await bucket.read(key))!, modified, time });
    const patient = withRetry({ ...bucket, read }, { delay: 1 });
    const written = await patient.write('current.json', Buffer.from('x'), headers, { absent: true });
    expect(written.time).toEqual(modified);
  });

  it('continues a listing where it stopped', async () => {
    let failures = 0;
    const { bucket, objects } = memory((request) =>
      request === 'list c' && failures++ < 2 ? 'before' : undefined,
    );
    for (const key of ['a', 'b', 'c', 'd']) objects.set(key, Buffer.from(key));
    const keys: string[] = [];
    for await (const { key } of withRetry(bucket, { delay: 1 }).list('')) keys.push(key);
    expect(keys).toEqual(['a', 'b', 'c', 'd']);
    expect(failures).toBe(3);
  });
});

it('a dry run remembers only what is read back', async () => {
  const { bucket, objects, requests } = memory(() => undefined);
  objects.set('_catalogue/manifest.json', Buffer.from('old'));
  const dry = withDryRun(bucket);
  const { bucket: counted, traffic } = withTraffic(dry);
  await counted.write('media/a.jpg', Buffer.from('12345'), headers);
  await counted.write('_catalogue/lock.json', Buffer.from('lock'), headers, { absent: true });
  await expect(
    counted.write('_catalogue/lock.json', Buffer.from('2'), headers, { absent: true }),
  ).rejects.toThrow(ConditionFailed);
  await counted.write('_catalogue/manifest.json', Buffer.from('new'), headers, { tag: '"old"' });
  expect((await counted.read('_catalogue/manifest.json'))?.body.toString()).toBe('new');
  expect(await counted.read('media/a.jpg')).toBeUndefined();
  await counted.remove(['media/b.jpg', '_catalogue/lock.json']);
  expect(await counted.read('_catalogue/lock.json')).toBeUndefined();
  expect(traffic).toMatchObject({ written: { media: 1, manifest: 1 }, bytes: 8, removed: 1 });
  expect(requests.every((request) => request.startsWith('read'))).toBe(true);
  expect(objects.size).toBe(1);
});

describe('work over many items', () => {
  it('has a limit, and takes items only as it proceeds', async () => {
    let running = 0;
    let most = 0;
    let taken = 0;
    const items = function* () {
      for (let n = 0; n < 100; n++) {
        taken++;
        expect(taken).toBeLessThanOrEqual(n + 1);
        yield n;
      }
    };
    const seen: number[] = [];
    await forEach(items(), 7, async (n) => {
      running++;
      most = Math.max(most, running);
      expect(taken - seen.length).toBeLessThanOrEqual(7);
      await new Promise((resolve) => setTimeout(resolve, n % 3));
      seen.push(n);
      running--;
    });
    expect(most).toBe(7);
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  it('stops after a failure, when requests in flight have ended', async () => {
    let begun = 0;
    let ended = 0;
    const work = forEach(
      Array.from({ length: 50 }, (_, n) => n),
      5,
      async (n) => {
        begun++;
        await new Promise((resolve) => setTimeout(resolve, 5));
        ended++;
        if (n === 3) throw new Error('three');
      },
    );
    await expect(work).rejects.toThrow('three');
    expect(ended).toBe(begun);
    expect(begun).toBeLessThan(15);
  });

  it('can be done in groups', () => {
    expect([...groups([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
    expect([...groups([], 2)]).toEqual([]);
  });
});
