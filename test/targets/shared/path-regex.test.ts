import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ACCESS_RULES, accessOf } from '../../../src/contract/access.ts';
import { accessPattern } from '../../../src/targets/shared/path-regex.ts';

/** A path below the base that can be a file's: plain segments, of which none is empty or begins with a dot. */
const PLAIN_PATH = /^\/(?:[\w~-][\w.~-]*\/)*(?:[\w~-][\w.~-]*)?$/;

/** PCRE's flag, in JavaScript. */
function matches(pattern: string, path: string): boolean {
  return new RegExp(pattern.replace(/^\(\?i\)/, ''), 'i').test(path);
}

/** Plain paths, most of them near the beginning of a rule. */
const paths = fc
  .tuple(
    fc.constantFrom('', ...ACCESS_RULES.map(({ start }) => start)),
    fc.constantFrom('', 'x', '/x', '.json', 's/y.json', '/'),
    fc.boolean(),
    fc.nat(3),
  )
  .map(([start, end, isUpper, cut]) => {
    const path = `/${start.slice(0, start.length - cut)}${end}`;
    return isUpper ? path.toUpperCase() : path;
  });

it('agrees with the table of the contract for plain paths (B1, A4)', () => {
  fc.assert(
    fc.property(paths, (path) => {
      fc.pre(PLAIN_PATH.test(path));
      const access = accessOf(path);
      expect(matches(accessPattern('internal'), path)).toBe(access === 'internal');
      expect(matches(accessPattern('guarded'), path)).toBe(access === 'guarded');
    }),
    { numRuns: 2000 },
  );
});
