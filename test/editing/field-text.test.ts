import fc from 'fast-check';
import { expect, it } from 'vitest';
import { INTERFACE_FIELDS } from '../../src/contract/terms.ts';
import { fieldText, nodeForValue } from '../../src/editing/field-text.ts';

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
    'First line.\nSecond: # x',
    'a\n\n\nb',
    '\na\nb',
    'a\n b',
    'a\r\nb',
    'First line.\nb\n',
    'Check-in: 15:00, "late" & quiet',
    'Room #7',
    'false1',
    'No. 7: ',
    'null',
    '53.2',
  ),
);

const entry = fc.dictionary(
  fc.constantFrom('url', 'description', 'position', 'detail', 'policy_type', 'own key'),
  fc.oneof(text, fc.constant(null)),
);

it('of one line, and of lists of lines and entries, is what the printer of nodes makes', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('title', 'latitude', 'facilities', 'own field', 'position', 'photo', 'hotel_policy'),
      fc.oneof(text, fc.array(text, { maxLength: 4 }), fc.array(entry, { maxLength: 3 })),
      fc.boolean(),
      (name, value, indentSeq) => {
        const node = nodeForValue(name, value, undefined, INTERFACE_FIELDS);
        expect(fieldText(name, value, INTERFACE_FIELDS, { indentSeq })).toBe(
          fieldText(name, node, INTERFACE_FIELDS, { indentSeq }),
        );
      },
    ),
  );
});
