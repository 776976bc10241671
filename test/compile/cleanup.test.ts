/** What a build removes at its end, on a disk that refuses it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createWorkspace } from './workspace.ts';

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    rmSync(path: string, ...rest: []) {
      if (path.endsWith('staging')) throw new Error('EBUSY');
      fs.rmSync(path, ...rest);
    },
  };
});

it('gives its lock back even if its temporary files stay', async () => {
  const workspace = createWorkspace();
  workspace.add(1);
  await expect(workspace.build()).rejects.toThrow('EBUSY');
  expect(existsSync(join(workspace.out, 'lock'))).toBe(false);
});
