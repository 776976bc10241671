/** One build at a time, also across processes, containers and machines. */
import { spawnSync } from 'node:child_process';
import fs, {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { takeOutputLock } from '../../src/compile/output-lock.ts';
import { temporaryFolder } from '../support/temporary.ts';

type Mark = Record<'host' | 'started' | 'boot' | 'namespace', string> & { pid: number };

/** A path for a lock, and the text that this process writes there. */
function place() {
  const folder = temporaryFolder();
  const path = join(folder, 'dist', 'lock');
  const { release } = takeOutputLock(path);
  const mark = JSON.parse(readFileSync(path, 'utf8')) as Mark;
  release();
  return { path, mark };
}

/** The number of a process that has ended. */
const ended = () => spawnSync(process.execPath, ['-e', '']).pid;

const MINUTE = 60;

/** Writes a lock file that is some seconds old. */
function leave(path: string, mark: Partial<Mark> | string, seconds = 0): void {
  writeFileSync(path, typeof mark === 'string' ? mark : JSON.stringify(mark));
  const time = Date.now() / 1000 - seconds;
  utimesSync(path, time, time);
}

describe('a lock', () => {
  it('exists while it is held, and is removed afterwards', () => {
    const { path } = place();
    const { release } = takeOutputLock(path);
    expect(() => takeOutputLock(path)).toThrow(expect.objectContaining({ code: 'output-locked' }));
    release();
    expect(existsSync(path)).toBe(false);
  });

  it('is taken over at once when its process, of the same namespace, has ended', () => {
    const { path, mark } = place();
    leave(path, { ...mark, pid: ended() });
    takeOutputLock(path).release();
    // Its number belongs to another process by now.
    leave(path, { ...mark, started: '1' });
    takeOutputLock(path).release();
    expect(existsSync(path)).toBe(false);
  });

  it.each<[string, Partial<Mark>]>([
    ['another container with the same host name', { namespace: 'pid:[1]' }],
    ['another kernel', { boot: '00000000-0000-4000-8000-000000000000' }],
    ['another machine', { host: 'elsewhere' }],
  ])('is not taken over from %s, although no process here has its number (C4)', (_where, other) => {
    const { path, mark } = place();
    const pid = ended();
    leave(path, { ...mark, pid, ...other }, 9 * MINUTE);
    expect(() => takeOutputLock(path)).toThrow(
      `process ${pid} on ${other.host ?? mark.host}, another machine or container`,
    );
    expect(() => takeOutputLock(path)).toThrow(
      `delete ${path}, or wait until it gave no sign of life for 10 minutes`,
    );
    leave(path, { ...mark, pid, ...other }, 11 * MINUTE);
    takeOutputLock(path).release();
  });

  it('counts as that of another machine when it cannot be read', () => {
    const { path } = place();
    leave(path, '{');
    expect(() => takeOutputLock(path)).toThrow('an unknown process');
    leave(path, '{', 11 * MINUTE);
    takeOutputLock(path).release();
  });

  it('is never waited for when it can neither be read nor moved aside', () => {
    const { path } = place();
    symlinkSync(path, path);
    mkdirSync(`${path}.${process.pid}.stale`);
    expect(() => takeOutputLock(path)).toThrow('an unknown process');
  });

  it('is kept by heartbeats, and given up when another build holds it (C4)', () => {
    const { path, mark } = place();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    const { beat, release } = takeOutputLock(path);
    const text = readFileSync(path, 'utf8');
    leave(path, text, 11 * MINUTE);
    clock.mockReturnValue(6000);
    beat();
    expect(Date.now() - statSync(path).mtimeMs).toBeLessThan(5 * MINUTE * 1000);
    expect(readFileSync(path, 'utf8')).toBe(text);

    leave(path, { ...mark, host: 'elsewhere' });
    beat();
    clock.mockReturnValue(12_000);
    expect(beat).toThrow(expect.objectContaining({ code: 'output-lock-lost' }));
    release();
    expect(existsSync(path)).toBe(true);
    rmSync(path);
    clock.mockReturnValue(18_000);
    expect(beat).toThrow(expect.objectContaining({ code: 'output-lock-lost' }));
  });

  it('of another build is never written to, even if that build takes it at this moment', () => {
    const { path, mark } = place();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const other = JSON.stringify({ ...mark, host: 'elsewhere' });
    const { beat } = takeOutputLock(path);
    clock.mockReturnValue(6000);
    const { openSync } = fs;
    const opened = vi.spyOn(fs, 'openSync').mockImplementation((...options) => {
      leave(path, other);
      return openSync(...options);
    });
    syncBuiltinESMExports();
    onTestFinished(() => {
      for (const spy of [clock, opened]) spy.mockRestore();
      syncBuiltinESMExports();
    });
    expect(beat).toThrow(expect.objectContaining({ code: 'output-lock-lost' }));
    expect(readFileSync(path, 'utf8')).toBe(other);
  });
});
