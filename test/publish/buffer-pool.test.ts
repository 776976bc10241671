import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createBufferPool } from '../../src/publish/buffer-pool.ts';
import { readFileBody } from '../../src/storage/file-body.ts';
import { temporaryFolder } from '../support/temporary.ts';

const unchanged = () => new Error('this file does not change');

it('uses memory again that was given back, and no other', () => {
  const { take, give } = createBufferPool();
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, 'a'.repeat(100_000));
  const first = readFileBody(path, unchanged, take) as Buffer;
  const second = readFileBody(path, unchanged, take) as Buffer;
  expect(second.buffer).not.toBe(first.buffer);
  give(first);
  give(first);
  give(Buffer.from('b'.repeat(100_000)));
  writeFileSync(path, 'c'.repeat(90_000));
  const third = readFileBody(path, unchanged, take) as Buffer;
  expect(third.buffer).toBe(first.buffer);
  expect(third.equals(Buffer.from('c'.repeat(90_000)))).toBe(true);
  expect(second.equals(Buffer.from('a'.repeat(100_000)))).toBe(true);
  expect(take(80_000).buffer).not.toBe(third.buffer);
  // A small body has memory of its own, and so has one of more than a buffer.
  expect(take(2 ** 21).length).toBe(2 ** 21);
  const small = take(10);
  give(small);
  expect(take(10)).not.toBe(small);
});
