import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { STANDARD_FIELD_TABLE } from '../../src/contract/terms.ts';
import { fieldYaml } from '../../src/editing/field-text.ts';

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

it('reads back as the value, without the nulls of entries, and without a space at the end of a line', () => {
  const withoutNulls = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(withoutNulls)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null))
        : value;
  fc.assert(
    fc.property(
      fc.constantFrom('title', 'latitude', 'facilities', 'own field', 'position', 'photo', 'hotel_policy'),
      fc.oneof(text, fc.array(text, { maxLength: 4 }), fc.array(entry, { maxLength: 3 })),
      fc.boolean(),
      (name, value, indentSeq) => {
        const lines = fieldYaml(name, value, STANDARD_FIELD_TABLE, { indentSeq });
        expect(parse(lines, { schema: 'failsafe' })).toEqual({ [name]: withoutNulls(value) });
        expect(lines).not.toMatch(/[ \t]$/m);
        expect(/^- /m.test(lines)).toBe(!indentSeq && Array.isArray(value) && value.length > 0);
      },
    ),
  );
});

it('has the entries of lists in lists, and of mappings in mappings', () => {
  const value = { own: { a: ['b', ['c', 'd']], e: {} }, lines: 'f\n\n g', none: null };
  const lines =
    'own:\n    a:\n      - b\n      - - c\n        - d\n    e: {}\n  lines: |-\n    f\n\n     g\n';
  expect(fieldYaml('fields', value, STANDARD_FIELD_TABLE)).toBe(`fields:\n  ${lines}`);
});
