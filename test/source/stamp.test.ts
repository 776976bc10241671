import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stampFile } from '../../src/source/stamp.ts';
import { createWorkspace } from '../build/workspace.ts';

it('consists of size, times and inode number', () => {
  const { content, write } = createWorkspace();
  write('a.yaml', 'x');
  utimesSync(join(content, 'a.yaml'), 1000, 2000);
  const stats = statSync(join(content, 'a.yaml'));
  const { settled, ...file } = stampFile('a.yaml', stats);
  expect(file).toEqual({ path: 'a.yaml', stamp: `1 2000000 ${stats.ctimeMs} ${stats.ino}` });
  expect(settled).toBeGreaterThan(stats.ctimeMs);
  expect(settled).toBeLessThanOrEqual(stats.ctimeMs + 2000);
});
