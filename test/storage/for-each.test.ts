/** Work over many items, with a limit. */
import { describe, expect, it } from 'vitest';
import { batches, forEachConcurrently } from '../../src/storage/for-each.ts';

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
    await forEachConcurrently(items(), 7, async (n) => {
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
    const work = forEachConcurrently(
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
    expect([...batches([1, 2, 3, 4, 5], 2)]).toEqual([[1, 2], [3, 4], [5]]);
    expect([...batches([], 2)]).toEqual([]);
  });
});
