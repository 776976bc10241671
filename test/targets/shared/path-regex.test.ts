import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ACCESS_RULES, accessOf } from '../../../src/contract/access.ts';
import { accessPattern, PLAIN_PATH } from '../../../src/targets/shared/path-regex.ts';

/** PCRE's flag and end of text, in JavaScript. */
function matches(pattern: string, path: string): boolean {
  return new RegExp(pattern.replace(/^\(\?i\)/, '').replaceAll('\\z', '$'), 'i').test(path);
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
      fc.pre(matches(PLAIN_PATH, path));
      const access = accessOf(path);
      expect(matches(accessPattern('internal'), path)).toBe(access === 'internal');
      expect(matches(accessPattern('guarded'), path)).toBe(access === 'guarded');
    }),
    { numRuns: 2000 },
  );
});

it('accepts no path as plain that a server could read otherwise', () => {
  for (const path of ['/', '/a.b/c_~-9.json', '/docs/', '/_catalogue/pages/-/-/total'])
    expect(matches(PLAIN_PATH, path), path).toBe(true);
  for (const path of [
    ...['', 'a', '//', '/a//b', '/.a', '/a/../b', '/a/.', '/%41', '/a\\b', '/a b', '/a\n', '/é', '/a?'],
  ])
    expect(matches(PLAIN_PATH, path), path).toBe(false);
});
