/** Reads of the last build do not share work that began before it. */
import { expect, it } from 'vitest';
import { outputFolder } from '../../../src/compile/output-folder.ts';
import { createBuildReader } from '../../../src/dev/session/build-reader.ts';
import { temporaryFolder } from '../../support/temporary.ts';

it('a read waits until those that began before the last build have ended', async () => {
  let writes = 0;
  const folder = temporaryFolder();
  const { readConsistently } = createBuildReader(folder, outputFolder(folder), () => writes);
  const calls: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const early = readConsistently(async () => {
    calls.push('early');
    if (calls.length === 1) await held;
    return 'early';
  });
  await expect.poll(() => calls).toEqual(['early']);
  writes = 2;
  const late = readConsistently(async () => {
    calls.push('late');
    return 'late';
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls).toEqual(['early']);
  release();
  expect(await Promise.all([early, late])).toEqual(['early', 'late']);
  // What a build interrupted is read again.
  expect(calls.filter((call) => call === 'early')).toHaveLength(2);
});

it('a read that a build broke is repeated, and another failure is thrown', async () => {
  let writes = 0;
  const folder = temporaryFolder();
  const { readConsistently } = createBuildReader(folder, outputFolder(folder), () => writes);
  const broken = async () => {
    if (writes > 0) return 'whole';
    writes = 2;
    throw new Error('half of a build');
  };
  expect(await readConsistently(broken)).toBe('whole');
  await expect(readConsistently(() => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory');
});
