import { expect, it } from 'vitest';
import { matchesIfNoneMatch } from '../../../src/targets/runtime/reply.ts';

it.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a" , "c"', '*', ' * ', ' "a" '])(
  'finds the tag in %s',
  (header) => {
    expect(matchesIfNoneMatch(header, '"a"')).toBe(true);
  },
);

it.each(['', 'a', '"b"', '"a', 'w/"a"', '"aa"', '"b", W/"c"', '**'])(
  'does not find the tag in %s',
  (header) => {
    expect(matchesIfNoneMatch(header, '"a"')).toBe(false);
  },
);
