/** UUIDs from names equal those of another implementation. */
import fc from 'fast-check';
import { v5 } from 'uuid';
import { expect, it } from 'vitest';
import { uuidFromName } from '../../src/release/uuid-v5.ts';

it('follows the standard', () => {
  // RFC 9562, appendix A.4.
  expect(uuidFromName('www.example.com', '6ba7b810-9dad-11d1-80b4-00c04fd430c8')).toBe(
    '2ed6657d-e927-568b-95e1-2665a8aea6a2',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (name, namespace) => {
      expect(uuidFromName(name, namespace)).toBe(v5(name, namespace));
    }),
  );
});
