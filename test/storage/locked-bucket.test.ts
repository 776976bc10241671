/** Requests of a holder: limited by its lock, and sent again while it still holds it. */
import { expect, it } from 'vitest';
import { type Bucket, type LockLimit, RequestExpired } from '../../src/storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import type { LockHandle } from '../../src/storage/lock-handle.ts';
import { createLockedBucket } from '../../src/storage/locked-bucket.ts';
import { openMemory } from './memory.ts';

const body = Buffer.from('x');

/** A bucket with every operation, whose first requests come too late, and its holder. */
function locked(late = 0) {
  const heard: string[] = [];
  const limit = {
    holder: 'holder',
    ready: async () => void heard.push('ready'),
  } as unknown as LockLimit;
  const holder = {
    limit,
    recover: async () => void heard.push('recover'),
    observe: <T>(request: () => Promise<T>) => {
      heard.push('observe');
      return request();
    },
  } as unknown as LockHandle;
  const asked = async <T>(name: string, result: T, passed?: LockLimit): Promise<T> => {
    heard.push(passed === limit ? name : `${name} without its limit`);
    if (late-- > 0) throw new RequestExpired(name);
    return result;
  };
  const open = (passed?: LockLimit): Bucket => ({
    ...openMemory(),
    limited: open,
    read: () => asked('read', undefined, passed),
    readLarge: () => asked('readLarge', { size: 1, read: async () => asked('part', body, passed) }, passed),
    writeLarge: () => asked('writeLarge', { tag: '"a"' } as never, passed),
    discardParts: () => asked('discardParts', undefined, passed),
  });
  return { bucket: open(), holder, limit, heard };
}

const large = { size: 1, read: async () => body };

it('every request waits for the lock and is limited by it', async () => {
  const { bucket, holder, heard } = locked();
  const limited = createLockedBucket(bucket, holder);
  const opened = await limited.readLarge!('a');
  expect([opened!.size, await opened!.read(0, 1)]).toEqual([1, body]);
  await limited.writeLarge!('a', large, CONTROL_OBJECT_HEADERS);
  await limited.discardParts!(() => true);
  expect(heard).toEqual([
    ...['ready', 'readLarge', 'ready', 'part'],
    ...['ready', 'observe', 'writeLarge', 'ready', 'discardParts'],
  ]);
});

it('has the operations of its bucket alone', () => {
  const { bucket, holder } = locked();
  const limited = () => ({ ...bucket, readLarge: undefined, writeLarge: undefined, discardParts: undefined });
  const few = createLockedBucket({ ...bucket, limited }, holder);
  expect([few.readLarge, few.writeLarge, few.discardParts]).toEqual([undefined, undefined, undefined]);
});

it('a request that came too late is sent again, five times at most, once the lock is known to be held', async () => {
  const { bucket, holder, heard } = locked(4);
  await createLockedBucket(bucket, holder).discardParts!(() => true);
  expect(heard.filter((name) => name === 'recover')).toHaveLength(4);
  const { bucket: other, holder: its } = locked(5);
  await expect(createLockedBucket(other, its).read('a')).rejects.toBeInstanceOf(RequestExpired);
});

it('a request is sent again at once when the lock was taken anew meanwhile', async () => {
  const { bucket, holder, limit, heard } = locked(1);
  const limited = (passed: LockLimit): Bucket => ({
    ...bucket,
    discardParts(isOurs) {
      (limit as { holder: string }).holder += "'";
      return bucket.limited(passed).discardParts!(isOurs);
    },
  });
  await createLockedBucket({ ...bucket, limited }, holder).discardParts!(() => true);
  expect(heard).not.toContain('recover');
});
