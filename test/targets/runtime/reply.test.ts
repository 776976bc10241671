import { expect, it } from 'vitest';
import { matchesETag } from '../../../src/targets/runtime/reply.ts';

it.each(['"a"', 'W/"a"', '"b", "a"', '"b",W/"a" , "c"', '*', ' * ', ' "a" '])(
  'finds the tag in %s',
  (header) => {
    expect(matchesETag(header, '"a"')).toBe(true);
  },
);

it.each(['', 'a', '"b"', '"a', 'w/"a"', '"aa"', '"b", W/"c"', '**'])(
  'does not find the tag in %s',
  (header) => {
    expect(matchesETag(header, '"a"')).toBe(false);
  },
);
