/** The next build repairs the output of a build that is killed at any moment. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { CLI } from '../support/run-cli.ts';
import { createWorkspace, readTree, type Workspace } from './workspace.ts';

const PROPERTIES = 120;
const KILLS = 8;

async function fill(workspace: Workspace): Promise<void> {
  const create = { width: 1600, height: 1200, channels: 3 as const, background: '#335577' };
  for (let n = 0; n < 4; n++) {
    workspace.write(
      `photo-${n}.jpg`,
      await sharp({ create: { ...create, background: { r: 60 * n, g: 9, b: 9 } } })
        .jpeg()
        .toBuffer(),
    );
  }
  for (let n = 1; n <= PROPERTIES; n++) {
    workspace.add(n, { city: `City ${n % 17}`, photo: n % 5 ? undefined : [{ file: `photo-${n % 4}.jpg` }] });
  }
}

function run(workspace: Workspace, jobs: number, out = workspace.out): void {
  const args = ['build', '--content', workspace.content, '--out', out, '--jobs', String(jobs)];
  const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
}

/** Starts a build and kills it after some milliseconds. Returns whether it was still running. */
async function kill(workspace: Workspace, jobs: number, after: number): Promise<boolean> {
  const args = ['build', '--content', workspace.content, '--out', workspace.out, '--jobs', String(jobs)];
  const child = spawn(process.execPath, [CLI, ...args], { stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('exit', (_code, signal) => resolve(signal)),
  );
  await new Promise((resolve) => setTimeout(resolve, after));
  child.kill('SIGKILL');
  return (await ended) === 'SIGKILL';
}

it.each([1, 2])('repairs builds killed at any moment, with --jobs %i', { timeout: 900_000 }, async (jobs) => {
  const workspace = createWorkspace();
  await fill(workspace);
  const clean = join(workspace.root, 'clean');
  const started = performance.now();
  run(workspace, jobs, clean);
  let duration = performance.now() - started;
  let killed = 0;
  for (let round = 0; round < KILLS; round++) {
    // Spread over the whole run: the first part is the start of the process.
    if (await kill(workspace, jobs, duration * (0.15 + (0.85 * (round + 0.5)) / KILLS))) killed++;
    // The build ended before the signal: the machine has become faster since the first run.
    else duration *= 0.7;
    if (round % 2 === 0) continue;
    run(workspace, jobs);
    expect(readTree(workspace.public)).toEqual(readTree(join(clean, 'public')));
    expect(existsSync(join(workspace.out, 'staging'))).toBe(false);
    // The next round is killed while it changes every page of several scopes.
    for (let n = 1; n <= 40; n++)
      workspace.add(n, { title: `Round ${round}`, city: `City ${(n + round) % 17}` });
    run(workspace, jobs, clean);
  }
  expect(killed).toBeGreaterThan(1);
});
