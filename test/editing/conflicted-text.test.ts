/** Files with the marks of a merge that Git did not finish. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { conflictedVersions } from '../../src/editing/conflicted-text.ts';

const MARKED = `# Kept by Ada.
<<<<<<< HEAD
title: Rose House # painted
# Of the first.
=======
title: Rose Inn # as on the sign
# Of the second.
>>>>>>> spring prices
city: Galway
<<<<<<< HEAD
=======
address: Quay 1
>>>>>>> spring prices
country: IE
`;

describe('the versions of a conflicted text', () => {
  it('are both, and the first has the comments of the second too', () => {
    expect(conflictedVersions(MARKED)).toEqual({
      yours: `# Kept by Ada.
# as on the sign
# Of the second.
title: Rose House # painted
# Of the first.
city: Galway
country: IE
`,
      theirs: `# Kept by Ada.
title: Rose Inn # as on the sign
# Of the second.
city: Galway
address: Quay 1
country: IE
`,
      base: undefined,
      names: ['HEAD', 'spring prices'],
    });
  });

  it('are three if each conflict has the common one', () => {
    const one =
      '<<<<<<< HEAD\ntitle: A\n||||||| 12ab\ntitle: B\n=======\ntitle: C\n>>>>>>> lena\ncity: Cork\n';
    expect(conflictedVersions(one)?.base).toBe('title: B\ncity: Cork\n');
    expect(conflictedVersions(`${one}<<<<<<< HEAD\n=======\nstate: Cork\n>>>>>>> lena\n`)?.base).toBe(
      undefined,
    );
  });

  it('keep the line endings of Windows', () => {
    const yours = '# as on the sign\r\n# Of the second.\r\ntitle: Rose House';
    expect(conflictedVersions(MARKED.replaceAll('\n', '\r\n'))?.yours).toContain(yours);
  });

  const odd = {
    'has no conflict': 'title: A\n',
    'has no end': '<<<<<<< HEAD\ntitle: A\n=======\ntitle: B\n',
    'has no second version': '<<<<<<< HEAD\ntitle: A\n>>>>>>> lena\n',
    'has a conflict in a conflict': '<<<<<<< a\nx: 1\n<<<<<<< b\n=======\nx: 2\n>>>>>>> b\n',
    'has a version that is not YAML': '<<<<<<< HEAD\ntitle: A\n=======\ntitle: "B\n>>>>>>> lena\n',
    'has a version that names a field twice': 'x: 1\n<<<<<<< HEAD\n=======\nx: 2\n>>>>>>> lena\n',
    'has a value that cannot be read': '<<<<<<< HEAD\nx: !odd 1\n=======\nx: 2\n>>>>>>> lena\n',
    'has a comment amid a text':
      'x: |\n  a\n<<<<<<< HEAD\n  b\n=======\n  c\n# A comment.\ny: 1\n>>>>>>> lena\n  d\n',
  };
  it.each(Object.entries(odd))('are none if the text %s', (_, text) => {
    expect(conflictedVersions(text)).toBeUndefined();
  });

  it('are the texts that were joined, whatever they hold', () => {
    const line = fc.constantFrom(
      'a: 1\n',
      'b: x # b\n',
      '# c\n',
      'd:\n  - e\n',
      'f: |\n  g\n  =======\n',
      '\n',
    );
    const part = fc.uniqueArray(line, { maxLength: 4 }).map((lines) => lines.join(''));
    fc.assert(
      fc.property(part, part, (yours, theirs) => {
        const found = conflictedVersions(`<<<<<<< HEAD\n${yours}=======\n${theirs}>>>>>>> x\nid: 1\n`);
        expect(found?.theirs).toBe(`${theirs}id: 1\n`);
        expect(parse(found!.yours)).toEqual(parse(`${yours}id: 1\n`));
        for (const comment of ['# b', '# c'])
          expect(found!.yours.includes(comment)).toBe((yours + theirs).includes(comment));
      }),
    );
  });
});
