/** Random properties and edits that fit them. */
import fc from 'fast-check';
import type { Authored, Edit } from '../../src/editor/api.ts';
import { type Values, withEdit } from '../../src/editor/edit-log.ts';

const word = fc.constantFrom('', 'a', 'b', 'c');
const entry = fc.record({ policy_type: word, detail: word }, { requiredKeys: ['detail'] });

/** A property of two texts, a list of words and one of mappings; each may be absent. */
export const someValues: fc.Arbitrary<Values> = fc.record(
  {
    title: word,
    city: word,
    facilities: fc.array(word, { maxLength: 4 }),
    hotel_policy: fc.array(entry, { maxLength: 4 }),
  },
  { requiredKeys: [] },
);

type Draw = (max: number) => number;

/** Edits that fit a property one after the other. */
export function someEdits(base: Values): fc.Arbitrary<readonly Edit[]> {
  return fc.array(fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), { maxLength: 12 }).map((draws) => {
    let values = base;
    return draws.map((numbers) => {
      const left = [...numbers];
      const edit = editFrom(values, (max) => (left.pop() ?? 0) % max);
      values = withEdit(values, edit);
      return edit;
    });
  });
}

const LETTERS = ['', 'a', 'b', 'c'];

function editFrom(values: Values, draw: Draw): Edit {
  const field = ['title', 'city', 'facilities', 'hotel_policy'][draw(4)]!;
  const text = LETTERS[draw(4)]!;
  if (field === 'title' || field === 'city')
    return draw(3) === 0 ? { kind: 'remove', path: [field] } : { kind: 'set', path: [field], value: text };
  const list = (values[field] ?? []) as readonly Authored[];
  const value = field === 'facilities' ? text : { policy_type: text, detail: 'new' };
  const kind = draw(5);
  if (list.length === 0 || kind === 0) return { kind: 'insert', path: [field, draw(list.length + 1)], value };
  const path = [field, draw(list.length)];
  if (kind === 1) return { kind: 'remove', path };
  if (kind === 2) return { kind: 'move', path, to: draw(list.length) };
  if (kind === 3) return { kind: 'set', path: [field], value: [value] };
  return field === 'facilities'
    ? { kind: 'set', path, value: text }
    : { kind: 'set', path: [...path, 'detail'], value: text };
}
