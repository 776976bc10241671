/** Names of branches are judged as git judges them, with a reason. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchNameProblem } from '../../../src/dev/git/branch-name.ts';

function gitAccepts(name: string): boolean {
  try {
    execFileSync('git', ['check-ref-format', `refs/heads/${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('a name of a branch', () => {
  it.each([
    ['nora/spring prices', /a space.* nora\/spring-prices\./],
    ['@{-1}', /@\{"/],
    ['-x', /hyphen.* x\./],
    ['a..b', /two dots.* a\.b\./],
    ['a.lock', /\.lock/],
    ['.hidden/x', /begins with a dot/],
    ['a//b', /slash/],
    ['a~1', /characters ~/],
    ['HEAD', /something else/],
    ['@', /something else/],
    ['a\u0007b', /invisible/],
  ])('%j is refused with the reason', (name, words) => {
    expect(branchNameProblem(name)).toMatch(words);
  });

  it.each(['main', 'nora/spring-prices', 'été/2027', 'a@b', '価格', 'v1.2', 'x-'])(
    '%j is accepted',
    (name) => {
      expect(branchNameProblem(name)).toBeUndefined();
    },
  );

  it('is refused whenever git refuses it; a proposal is accepted', () => {
    const part = fc.constantFrom(
      'a',
      'B',
      '.',
      '..',
      '-',
      '@',
      '@{',
      '~',
      '^',
      ':',
      ' ',
      '/',
      '\\',
      '.lock',
      'é',
      '\u007f',
      '*',
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const name = parts.join('');
        const fault = branchNameProblem(name);
        if (!gitAccepts(name)) expect(fault, name).toBeDefined();
        const proposal = /example (.*)\.$/.exec(fault ?? '')?.[1];
        if (proposal !== undefined) expect([proposal, gitAccepts(proposal)]).toEqual([proposal, true]);
      }),
      { numRuns: 150 },
    );
  });
});
