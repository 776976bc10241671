import { describe, expect, it } from 'vitest';
import { MAX_TOKENS } from '../../src/source/bounded-yaml.ts';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { readYamlQuickly } from '../../src/source/simple-yaml.ts';
import { termsFrom } from '../support/terms.ts';
import { type GrowingDocument, slowness, WAYS } from './judging-time.ts';
import { propertyText } from './property-text.ts';

function growing(start: string, piece: string, end = ''): GrowingDocument {
  return {
    ofLength: (length) => start + piece.repeat((length - start.length - end.length) / piece.length) + end,
    toString: () => JSON.stringify({ start, piece, end }),
  };
}

describe('the time that a document takes', () => {
  // Each of them was slow once, or belongs to such a group.
  const FOUND: [what: string, document: GrowingDocument][] = [
    ['an open bracket before spaces', growing('a: [', ' ')],
    ['an open bracket before words', growing('a: [', 'x ')],
    ['an open bracket before entries', growing('a: [', 'x, ', '"')],
    ['an entry before spaces', growing('a: [x', ' ', '"')],
    ['problems on one line', growing('title: "', '%2f[]""\t', '#')],
    ['tags on one line', growing('hotel_policy: x ', '!is_enabled: ')],
    ['brackets that close', growing('facilities: [', ']*a &a', '}')],
    ['anchors', growing('a: &a [x, x]\nfacilities: [', '![]1', ':')],
    ['facilities that are not known', growing(`${propertyText()}facilities:\n`, '  - wi-fy pol\n')],
    ['combining marks', growing('title: x', '\u0315\u0300\u0301')],
    ['a long e-mail address', growing('email: ', 'a.', '@')],
    ['tabs as indentation, each behind another mistake', growing('url: ', '\n\n\n\t0...\n', ']')],
    [
      'tabs as indentation, before a long text',
      growing(`hotel_policy:\n${'\t- x\n'.repeat(49)}  - detail: |\n`, '      x y\n'),
    ],
    ['a long phone number', growing('phone: +', '(0')],
    ['spaces within a text', growing('title: a', ' ', 'b')],
    ['hard spaces within a text', growing('city: a', '\u00a0', 'b')],
    ['spaces within an e-mail address', growing('email: a', ' ', 'b')],
    ['points of an e-mail address', growing('email: ', '.', 'b')],
    ['zeros of a declared number', growing('bedrooms: ', '0', 'x')],
  ];

  it.each(FOUND)('is proportional to its length: %s (C2)', (_what, document) => {
    expect(slowness(document)).toBeUndefined();
  });

  it('is measured for all ways in which a file is read', () => expect(Object.keys(WAYS)).toHaveLength(5));
});

describe('the verdict on a long list', () => {
  it.each([100, 2000, 3000, 4000, 5000, 9000, 20_000])(
    'of %i facilities is that of the exact reader, whatever else the file contains (C5)',
    (count) => {
      for (const list of [
        `facilities:\n${'  - wifi\n'.repeat(count)}`,
        `facilities: [${Array(count).fill('wifi').join(', ')}]\n`,
      ]) {
        const verdicts = [FIELDS_WITHOUT_WARNING, FIELDS_WITH_WARNING].map((fields) => {
          const { property, diagnostics } = checkPropertyFile(
            Buffer.from(fields + list),
            'a.yaml',
            termsFrom(),
          );
          return {
            isSound: property !== undefined,
            isTooLong: diagnostics.map(({ code }) => code).includes('too-many-tokens'),
          };
        });
        expect(verdicts[1]).toEqual(verdicts[0]);
      }
    },
  );

  const FIELDS_WITHOUT_WARNING = propertyText();
  const FIELDS_WITH_WARNING = propertyText({ email: undefined });

  it('is given by the quick reader only when the exact one is certainly within its limit (C5)', () => {
    // Comments and blank lines count as well: the exact reader sees them.
    expect(readYamlQuickly(`a: x\n${'# c\n'.repeat(MAX_TOKENS)}`)).toBeUndefined();
    expect(readYamlQuickly(`a: x\n${'\n'.repeat(MAX_TOKENS)}`)).toBeUndefined();
    expect(readYamlQuickly(`a: [${'x, '.repeat(1000)}x]`)).toBeDefined();
  });
});
