import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Workspace } from '../compile/workspace.ts';

export const CLI = fileURLToPath(new URL('../../lib/cli.js', import.meta.url));

/** Runs the compiled command line in the folder that contains `content`. Fails if the output has a stack trace. */
export function runCli({ root }: Workspace, args: string[], env: NodeJS.ProcessEnv = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 16_000_000,
    env: { ...process.env, ...env },
  });
  expect(stderr).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m);
  return { status, stdout, stderr };
}
