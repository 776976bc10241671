import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stampFiles } from '../../src/source/stamp.ts';
import { createWorkspace } from '../build/workspace.ts';

it('consists of size, times and inode number', () => {
  const { content, write } = createWorkspace();
  write('a.yaml', 'x');
  utimesSync(join(content, 'a.yaml'), 1000, 2000);
  const { ctimeMs, ino } = statSync(join(content, 'a.yaml'));
  const [{ settled = 0, ...file } = {}] = stampFiles(content, ['a.yaml']);
  expect(file).toEqual({ path: 'a.yaml', stamp: `1 2000000 ${ctimeMs} ${ino}` });
  expect(settled).toBeGreaterThan(ctimeMs);
  expect(settled).toBeLessThanOrEqual(ctimeMs + 2000);
});

it('of a missing file equals that of any missing file, and is never settled', () => {
  const { content, write } = createWorkspace();
  write('a.yaml', 'x');
  expect(stampFiles(content, ['gone.yaml', 'a.yaml'])).toMatchObject([
    { path: 'gone.yaml', stamp: '', settled: Number.POSITIVE_INFINITY },
    { path: 'a.yaml', stamp: expect.stringMatching(/^1 /) },
  ]);
});
