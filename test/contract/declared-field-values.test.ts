import fc from 'fast-check';
import { expect, it } from 'vitest';
import { declaredFieldSchema, quickTestOf } from '../../src/contract/declared-field-values.ts';
import { FIELD_TYPES } from '../../src/contract/fields.ts';
import { declaredTerms } from '../../src/contract/terms.ts';
import { checkConfiguration } from '../../src/source/configuration-file.ts';
import { DECLARATION } from '../compile/declared-catalogue.ts';

const { usable } = checkConfiguration(Buffer.from(`base_url: https://catalogue.example\n${DECLARATION}`));
const FIELDS = [...declaredTerms(usable).fields.attributes].filter(([, { kind }]) => kind !== 'words');

const WRITTEN = ['6', '-1', '0.5', '1.30', '1000000', 'true', '2027-02-29', '2027-04-01', '24:00', 'cottage'];
const LINKS = ['https://rose.example/', 'http://a b', 'https://user:word@rose.example', 'ftp://rose.example'];
const PIECES = [' ', '\n', '\u00a0', 'é', 'e\u0301', '\u0001', '\u200e', '\ud800', 'a'.repeat(300), 'Rose'];
const TEXT = fc
  .array(fc.oneof(fc.constantFrom(...WRITTEN, ...LINKS, ...PIECES), fc.string()), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(''));

it('has a quick test that passes only what the schema leaves as it is', () => {
  expect(new Set(FIELDS.map(([, { declared }]) => declared?.type))).toEqual(new Set(FIELD_TYPES));
  fc.assert(
    fc.property(fc.constantFrom(...FIELDS), TEXT, ([name, field], text) => {
      const { declared } = field;
      if (!declared || text === '' || !quickTestOf(declared)(text)) return;
      expect(declaredFieldSchema(name, { ...field, declared }).safeParse(text)).toEqual({
        success: true,
        data: text,
      });
    }),
    { numRuns: 3000 },
  );
});
