/** The promises of every bucket. */
import { describe, expect, it } from 'vitest';
import { bodyMatchesETag, PART_SIZE } from '../../src/storage/body.ts';
import { type Bucket, ConditionFailed } from '../../src/storage/bucket.ts';
import { listKeys } from '../support/bucket.ts';

export const headers = { contentType: 'application/json', cacheControl: 'public, max-age=60' };
export const text = (value: string) => Buffer.from(value);

/** Tests of a bucket that `open` makes, empty. */
export function describePromises(name: string, open: () => Bucket | Promise<Bucket>): void {
  describe(name, () => {
    it('returns what was written, and nothing for other keys', async () => {
      const bucket = await open();
      expect(await bucket.read('a/b.json')).toBeUndefined();
      expect(await bucket.inspect('a/b.json')).toBeUndefined();
      const { tag } = await bucket.write('a/b.json', text('one'), headers);
      expect(await bodyMatchesETag(tag, text('one'))).toBe(true);
      expect(await bodyMatchesETag(tag, text('two'))).toBe(false);
      expect(await bucket.read('a/b.json')).toMatchObject({ body: text('one'), tag });
      const info = await bucket.inspect('a/b.json');
      expect(info).toMatchObject({ tag, size: 3 });
      expect(Math.abs(Date.now() - info!.modified.getTime())).toBeLessThan(60_000);
      await bucket.write('a/b.json', text(''), headers);
      expect((await bucket.read('a/b.json'))?.body.length).toBe(0);
    });

    it('writes under a condition, or not at all', async () => {
      const bucket = await open();
      await bucket.write('lock', text('1'), headers, { absent: true });
      await expect(bucket.write('lock', text('2'), headers, { absent: true })).rejects.toThrow(
        ConditionFailed,
      );
      expect((await bucket.read('lock'))?.body.toString()).toBe('1');
    });

    it('lets one of many win a conditional write', async () => {
      const bucket = await open();
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          bucket.write('race', text(String(index)), headers, { absent: true }).then(
            () => index,
            (error: unknown) => {
              expect(error).toBeInstanceOf(ConditionFailed);
            },
          ),
        ),
      );
      const [first, ...others] = outcomes.filter((index) => index !== undefined);
      expect(others).toEqual([]);
      expect((await bucket.read('race'))?.body.toString()).toBe(String(first));
    });

    it('lists in the order of the bytes of the keys, from any key on', async () => {
      const bucket = await open();
      const all = ['a-', 'a/1.json', 'a/10.json', 'a/2/x', 'a/2.json', 'a0', 'b', 'media/é.jpg'];
      for (const key of all) await bucket.write(key, text(key), headers);
      const sorted = [...all].sort((one, other) => Buffer.compare(text(one), text(other)));
      expect(await listKeys(bucket)).toEqual(sorted);
      expect(await listKeys(bucket, 'a/')).toEqual(sorted.filter((key) => key.startsWith('a/')));
      expect(await listKeys(bucket, 'a/2')).toEqual(['a/2.json', 'a/2/x']);
      for (const after of sorted)
        expect(await listKeys(bucket, '', after)).toEqual(sorted.filter((key) => key > after));
      expect(await listKeys(bucket, 'none')).toEqual([]);
    });

    it('removes many at once, and ignores missing ones', async () => {
      const bucket = await open();
      for (const key of ['x/1', 'x/2', 'y']) await bucket.write(key, text(key), headers);
      await bucket.remove(['x/1', 'x/2', 'x/3']);
      expect(await listKeys(bucket)).toEqual(['y']);
      await bucket.remove([]);
    });
  });
}

/** Reads parts of a large object, and of one that is replaced meanwhile. */
export async function readsParts(bucket: Bucket): Promise<void> {
  const readLarge = bucket.readLarge!;
  expect(await readLarge('a')).toBeUndefined();
  const bytes = Buffer.from(Array.from({ length: 9000 }, (_, index) => index % 251));
  await bucket.write('a', bytes, headers);
  const large = await readLarge('a');
  expect(large?.size).toBe(9000);
  for (const [from, to] of [
    [0, 2],
    [4000, 8999],
    [8999, 9000],
  ] as const)
    expect((await large!.read(from, to)).equals(bytes.subarray(from, to))).toBe(true);
  await bucket.write('a', Buffer.alloc(PART_SIZE + 1), headers);
  const larger = await readLarge('a');
  // Of the same size: only its tag, or its time, shows the change.
  await bucket.write('a', Buffer.alloc(PART_SIZE + 1, 1), headers);
  await expect(larger!.read(0, 2)).rejects.toThrow('was replaced while it was read');
  await bucket.remove(['a']);
  await expect(larger!.read(0, 2)).rejects.toThrow('was replaced while it was read');
}
