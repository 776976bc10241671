import fc from 'fast-check';
import { expect, it } from 'vitest';
import { INTERFACE } from '../../src/contract/terms.ts';
import { fieldText, nodeOf } from '../../src/editing/field-text.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' a',
    'yes',
    '01',
    '- a',
    '# a',
    'a: b',
    'a #b',
    '"',
    "'",
    '\n',
    'a\nb',
    'null',
    '53.2',
  ),
);

it('of one line, and of lists of lines, is what the printer of nodes makes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('title', 'latitude', 'facilities', 'own field', 'position'),
      fc.oneof(text, fc.array(text, { maxLength: 4 })),
      fc.boolean(),
      (name, value, indentSeq) => {
        const node = nodeOf(name, value, undefined, INTERFACE);
        expect(fieldText(name, value, INTERFACE, { indentSeq })).toBe(
          fieldText(name, node, INTERFACE, { indentSeq }),
        );
      },
    ),
  );
});
