/** Random properties. */
import fc from 'fast-check';
import type { FormValues } from '../../src/editor/undo-history.ts';

const word = fc.constantFrom('', 'a', 'b', 'c');
const entry = fc.record({ policy_type: word, detail: word }, { requiredKeys: ['detail'] });

/** A property of two texts, a list of words and one of mappings; each may be absent. */
export const someValues: fc.Arbitrary<FormValues> = fc.record(
  {
    title: word,
    city: word,
    facilities: fc.array(word, { maxLength: 4 }),
    hotel_policy: fc.array(entry, { maxLength: 4 }),
  },
  { requiredKeys: [] },
);
