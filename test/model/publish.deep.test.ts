/** The lock, checked exhaustively within the bounds that `publish.pml` states (Spin). */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingPrograms } from '../support/programs.ts';
import { temporaryFolder } from '../support/temporary.ts';

const MODEL = resolve(import.meta.dirname, 'publish.pml');

const missing = await missingPrograms(
  ['spin', 'gcc'].map((name) => ({ program: `/usr/bin/${name}`, package: name })),
);
const isInstalled = missing.length === 0;

/** Checks the model. Returns the errors of the checker, and whether it has visited every state. */
function check(bug: string): { errors: number; isWhole: boolean } {
  const folder = temporaryFolder();
  execFileSync('spin', ['-a', `-D${bug}`, MODEL], { cwd: folder, stdio: 'ignore' });
  const options = ['-O2', '-w', '-DSAFETY', '-DCOLLAPSE', '-DMEMLIM=1500', '-o', 'pan', 'pan.c'];
  execFileSync('gcc', options, { cwd: folder });
  // Processes may end anywhere: that is no deadlock.
  const output = execFileSync(join(folder, 'pan'), ['-m200000', '-E'], { cwd: folder, encoding: 'utf8' });
  return {
    errors: Number(/errors: (\d+)/.exec(output)?.[1]),
    isWhole: !/search depth too small|out of memory|max memory/i.test(output),
  };
}

it('the model checker is installed wherever continuous integration runs', () => {
  expect(isInstalled || process.env.CI !== 'true').toBe(true);
});

describe.runIf(isInstalled)('the model', () => {
  it('has no schedule in which a publisher without the lock has an effect', { timeout: 600_000 }, () => {
    expect(check('AS_IT_IS')).toEqual({ errors: 0, isWhole: true });
  });

  it.each([
    ...['NO_WAIT', 'NO_EXPIRY', 'PERMIT_FROM_ANSWER', 'UNCONDITIONAL', 'NO_CHECK'],
    ...['LOOK_FIRST', 'BEAT_READ_FIRST', 'UNSURE_FORGOTTEN'],
  ])('has such a schedule when a bug is planted: %s', { timeout: 600_000 }, (bug) => {
    expect(check(bug).errors).toBe(1);
  });
});
