import { describe, expect, it } from 'vitest';
import { describeFailure, EnvironmentError, UsageError } from '../../src/errors/errors.ts';

const failure = (code: string, path?: string) => Object.assign(new Error(`${code}: boom`), { code, path });

describe('a failure', () => {
  it('of the user is exit code 2', () => {
    expect(describeFailure(new UsageError('no-content', 'There is no folder.'))).toEqual({
      exitCode: 2,
      message: 'no-content: There is no folder.',
    });
  });

  it('of the environment is exit code 3', () => {
    const cause = new Error('cause');
    const error = new EnvironmentError('bucket-locked', 'Another build runs.', { cause });
    expect(error.cause).toBe(cause);
    expect(describeFailure(error)).toEqual({ exitCode: 3, message: 'bucket-locked: Another build runs.' });
  });

  it.each([
    ['ENOSPC', 'The disk is full. Make room, and run the command again: it goes on from what is there.'],
    ['EACCES', 'Permission denied. Check who owns the folder.'],
    ['EISDIR', 'A folder stands where a file is needed.'],
  ])('%s comes with advice', (code, advice) => {
    expect(describeFailure(failure(code))).toEqual({ exitCode: 3, message: `${code}: ${advice}` });
    expect(describeFailure(failure(code, '/x')).message).toBe(`${code}: ${advice} (/x)`);
  });

  it.each([
    [failure('EWEIRD'), 'failed: EWEIRD: boom'],
    [new Error('odd'), 'failed: odd'],
    [new TypeError('x is not a function'), 'failed: x is not a function'],
    ['a text', 'failed: a text'],
    [42, 'failed: 42'],
    [undefined, 'failed: undefined'],
    [null, 'failed: null'],
    [{}, 'failed: [object Object]'],
  ])('of any other kind shows no stack trace: %s', (error, message) => {
    expect(describeFailure(error)).toEqual({ exitCode: 3, message });
  });
});
