/** A command that the system asks to end reports it, and leaves nothing that blocks the next one. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runPublish } from '../../src/commands/publish-run.ts';
import { runWithStopSignals, waitForStopSignal } from '../../src/commands/stop-signals.ts';
import { createWorkspace } from '../compile/workspace.ts';
import { CLI } from '../support/run-cli.ts';

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('a build ends with one message after %s (C14)', async (signal, code) => {
  const workspace = createWorkspace();
  // Every page size: it takes seconds to write them.
  workspace.configure('targets: []\n');
  for (let n = 1; n <= 1500; n++) workspace.add(n, { city: `City ${n % 300}` });
  const args = ['build', '--content', workspace.content, '--out', workspace.out];
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    if (!text) child.kill(signal);
    text += piece;
  });
  const ended = await new Promise((resolve) => child.once('close', (...how) => resolve(how)));
  expect(ended, text).toEqual([code, null]);
  const about = text.split('\n').filter((line) => line && !/^[A-Z]\w+ (?:\w+ )?\w+$/.test(line));
  expect(about).toEqual([
    `stopped: ${signal} stopped the command before it was done. Run it again: it goes on from what is there.`,
  ]);
  expect(readdirSync(workspace.out)).not.toContain('lock');
  expect(readdirSync(workspace.out)).not.toContain('staging');
});

it('a command that was not stopped exits as usual', async () => {
  const listeners = () => process.listenerCount('SIGTERM');
  const before = listeners();
  expect(await runWithStopSignals(async () => 7)).toBe(7);
  const failure = new Error('failed');
  await expect(runWithStopSignals(() => Promise.reject(failure))).rejects.toBe(failure);
  expect(listeners()).toBe(before);
});

it('a server that one signal ends takes no other one for itself: that kills it', async () => {
  const listeners = () => ['SIGINT', 'SIGTERM'].map((name) => process.listenerCount(name));
  const before = listeners();
  const stopped = waitForStopSignal();
  process.emit('SIGINT', 'SIGINT');
  await stopped;
  expect(listeners()).toEqual(before);
});

it.each([
  [[], /^Nothing that readers see was changed in dir:x\./],
  [['write'], /^Readers of dir:x get the release from before/],
  [['write', 'remove', 'purge'], /^Readers of dir:x get the new release/],
  // A purge on request: nothing was published.
  [['compare', 'purge'], /^Nothing that readers see was changed in dir:x\./],
] as const)('after the stages %j, a stopped publish says what readers get', async (stages, left) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const options = { format: 'pretty', isDryRun: false, verb: 'Published' } as const;
  const status = await runPublish('dir:x', options, async ({ stopped }, listener) => {
    for (const stage of stages) listener({ kind: 'stage', stage });
    process.emit('SIGINT', 'SIGINT');
    throw stopped!.reason;
  });
  const [, said] = String(write.mock.calls.at(-1)?.[0]).split('\n');
  expect([status, said]).toEqual([130, expect.stringMatching(left)]);
});

it('an import that Ctrl+C ends says how far it came, and that the same command goes on', async () => {
  const { root, content } = createWorkspace();
  const lines = Array.from({ length: 4000 }, (_, n) => `h-${n},House ${n},Cork,IE,51.9,-8.4`);
  const table = join(root, 'a.csv');
  writeFileSync(table, `ref,name,city,country,lat,lon\n${lines.join('\n')}\n`);
  const args = [CLI, 'import', table, '--content', content];
  spawnSync(process.execPath, args);
  const child = spawn(process.execPath, [...args, '--mapping', join(root, 'a.mapping.yaml')]);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  const watch = setInterval(() => {
    if (!existsSync(join(content, 'properties'))) return;
    clearInterval(watch);
    child.kill('SIGINT');
  }, 5);
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(130);
  expect(text).toMatch(/^Stopped after [\d,]+ of 4,000 rows: .*\nThe same command goes on from there\.\n$/);
});
