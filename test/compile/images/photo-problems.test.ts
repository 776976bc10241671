import { expect, it } from 'vitest';
import { check } from '../../../src/compile/check.ts';
import { createWorkspace } from '../workspace.ts';

/** Milliseconds of processor time that a check of one file with so many problems takes. */
async function timeOf(
  write: (workspace: ReturnType<typeof createWorkspace>, photos: number) => void,
  photos: number,
) {
  const workspace = createWorkspace();
  write(workspace, photos);
  const { content, out } = workspace;
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 3; count++) {
    const before = process.cpuUsage();
    const { diagnostics } = await check({ content, out, jobs: 1 });
    const { user, system } = process.cpuUsage(before);
    expect(diagnostics).toHaveLength(photos);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

const names = (photos: number) => Array.from({ length: photos }, (_, n) => `photo-${n}.jpg`);

it.each([
  [
    'are missing',
    (workspace: ReturnType<typeof createWorkspace>, photos: number) => {
      workspace.add(1, { photo: names(photos).map((file) => ({ file })) });
    },
  ],
  [
    'are no photos',
    (workspace: ReturnType<typeof createWorkspace>, photos: number) => {
      for (const name of names(photos)) workspace.write(name, `no photo: ${name}`);
      workspace.add(1, { photo: names(photos).map((file) => ({ file })) });
    },
  ],
])('takes time in proportion to the photos of a file that %s (C13)', async (_what, write) => {
  await timeOf(write, 20);
  const few = await timeOf(write, 50);
  // Eight times as many: what is quadratic takes 64 times as long.
  expect(await timeOf(write, 400)).toBeLessThan(24 * Math.max(few, 10));
});
