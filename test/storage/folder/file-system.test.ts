/** Folders that are created, or cannot be. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { BucketError } from '../../../src/storage/bucket.ts';
import { makeBucketFolder } from '../../../src/storage/folder/file-system.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { beforeStep, failure } from './faults.ts';

vi.mock('node:fs/promises', async (load) => (await import('./faults.ts')).withFaults(load));

it('creates folders with their parents, and leaves an existing one', async () => {
  const path = join(temporaryFolder(), 'a', 'b', 'c');
  await makeBucketFolder(path);
  await makeBucketFolder(path);
  expect(existsSync(path)).toBe(true);
});

it.each([
  ['ENOSPC', 'the disk is full (ENOSPC)'],
  ['EROFS', 'nothing can be written there (EROFS)'],
])('reports %s for a path that blocks a folder', async (code, said) => {
  const root = temporaryFolder();
  beforeStep('mkdir', (path) => {
    if (path !== root) throw failure(code);
  });
  const failing = makeBucketFolder(join(root, 'a'));
  await expect(failing).rejects.toBeInstanceOf(BucketError);
  await expect(failing).rejects.toMatchObject({
    ...{ code: 'bucket-denied', isTransient: false, cause: { code } },
    message: `${root}/a cannot be made: ${said}. Fix that, then run the command again.`,
  });
});

it('names the blocking path, and ends at the root', async () => {
  await expect(makeBucketFolder('/proc/catalogue/a/b')).rejects.toMatchObject({
    message: expect.stringMatching(
      /^\/proc\/catalogue cannot be made: nothing can be written there \(ENOENT\)/,
    ),
  });
  const broken = new Error('no failure of a file system');
  beforeStep('mkdir', () => {
    throw broken;
  });
  await expect(makeBucketFolder('/a/b')).rejects.toBe(broken);
  const asked: string[] = [];
  beforeStep('mkdir', (path) => {
    asked.push(path);
    throw failure('ENOENT');
  });
  await expect(makeBucketFolder('/a/b')).rejects.toMatchObject({
    message: expect.stringMatching(/^\/ cannot/),
  });
  expect(asked).toEqual(['/a/b', '/a', '/']);
});
