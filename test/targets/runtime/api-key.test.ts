import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { isPermittedDigest } from '../../../src/targets/runtime/api-key.ts';

const digest = (key: string) => createHash('sha256').update(key).digest('hex');
const DIGESTS = ['one', 'two', 'three'].map(digest);

it('permits each of the digests', () => {
  for (const key of ['one', 'two', 'three']) expect(isPermittedDigest(digest(key), DIGESTS)).toBe(true);
});

it('permits nothing else', () => {
  const [first = ''] = DIGESTS;
  for (const other of [
    '',
    digest('four'),
    digest(''),
    first.slice(1),
    `${first}0`,
    first.toUpperCase(),
    `${first}${first}`,
  ]) {
    expect(isPermittedDigest(other, DIGESTS), other).toBe(false);
  }
  expect(isPermittedDigest(digest('one'), [])).toBe(false);
  expect(isPermittedDigest('', [''])).toBe(true);
});
