import { describe, expect, it } from 'vitest';
import { freshnessLimits } from '../../../src/tree/serve/freshness-limits.ts';
import { createObjectCache } from '../../../src/tree/serve/object-cache.ts';

describe('createObjects', () => {
  const loader = (loads: string[]) => (key: string, bytes: number) => async () => {
    loads.push(key);
    return { value: key, bytes };
  };

  it('drops the object whose last use was longest ago', async () => {
    const loads: string[] = [];
    const load = loader(loads);
    const objects = createObjectCache(10, () => 0);
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await objects.get(key, load(key, 4));
    expect(loads).toEqual(['a', 'b', 'c', 'b']);
    await objects.get('large', load('large', 11));
    await objects.get('large', load('large', 11));
    await objects.get('a', load('a', 4));
    expect(loads).toEqual(['a', 'b', 'c', 'b', 'large', 'large']);
  });

  it('does not keep a failure', async () => {
    const objects = createObjectCache(10, () => 0);
    const failing = () => objects.get('a', () => Promise.reject(new Error('no')));
    await expect(failing()).rejects.toThrow('no');
    await expect(objects.get('a', async () => ({ value: 'yes', bytes: 1 }))).resolves.toBe('yes');
  });

  it('does not wait forever for a load that was dropped', async () => {
    let time = 0;
    const objects = createObjectCache(10, () => time);
    void objects.get('a', () => new Promise<never>(() => {}));
    time = 10_001;
    expect(await objects.get('a', async () => ({ value: 'yes', bytes: 1 }))).toBe('yes');
  });
});

describe('freshnessLimits', () => {
  it.each([
    ['public, max-age=5, stale-while-revalidate=60, stale-if-error=86400', 5, 65, 86_405],
    ['MAX-AGE="7"', 7, 7, 7],
    ['no-store', 0, 0, 0],
    ['s-max-age=9,x-stale-if-error=3', 0, 0, 0],
    ['', 0, 0, 0],
  ])('%s', (header, fresh, stale, failed) => {
    expect(freshnessLimits(header)).toEqual({
      fresh: fresh * 1000,
      stale: stale * 1000,
      failed: failed * 1000,
    });
  });
});
