import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyChanges,
  changedFields,
  entriesAt,
  entryKeys,
  type FormValues,
  isEqualValue,
  redoOneStep,
  startHistory,
  type UndoHistory,
  undoOneStep,
  withRearrangedEntries,
} from '../../src/editor/undo-history.ts';
import { someValues } from './values.ts';

const set = (path: readonly (string | number)[], value: string | null) => ({ path, value });

/** A form after random steps. */
const someHistory: fc.Arbitrary<UndoHistory> = fc
  .tuple(
    someValues,
    fc.array(fc.tuple(fc.nat(5), fc.nat(9), fc.constantFrom('', 'a', 'b')), { maxLength: 12 }),
  )
  .map(([base, steps]) =>
    steps.reduce((history, [kind, place, text], at) => {
      const list = kind % 2 === 0 ? 'facilities' : 'hotel_policy';
      const count = entriesAt(history.present.values, list).length;
      if (kind < 2) return applyChanges(history, [set(['title'], kind === 0 ? text : null)], at * 1000);
      if (kind < 4 || count === 0)
        return withRearrangedEntries(history, list, (places) =>
          places.toSpliced(
            place % (count + 1),
            0,
            (list === 'facilities' ? text : { detail: text }) as never,
          ),
        );
      return withRearrangedEntries(history, list, (places) =>
        places.toSpliced(place % count, 1).toReversed(),
      );
    }, startHistory(base)),
  );

describe('the history of a form', () => {
  it('goes back to its first values, and on to its last ones', () => {
    fc.assert(
      fc.property(someHistory, (last) => {
        let history = last;
        const seen = [history.present];
        for (let before = undoOneStep(history); before; before = undoOneStep(history)) {
          history = before;
          seen.unshift(history.present);
        }
        for (const snapshot of seen.slice(1)) {
          history = redoOneStep(history)!;
          expect(history.present).toEqual(snapshot);
        }
        expect(redoOneStep(history)).toBeUndefined();
      }),
    );
  });

  it('has one step for typing in one field, and another after a pause, in another field, or for an entry', () => {
    let history = startHistory({});
    const type = (field: string, text: string, at: number) => {
      history = applyChanges(history, [set([field], text)], at);
    };
    type('title', 'R', 0);
    type('title', 'Ro', 100);
    expect(history.past).toHaveLength(1);
    type('title', 'Ros', 9000);
    type('city', 'C', 9100);
    history = withRearrangedEntries(history, 'facilities', () => ['wifi']);
    type('city', 'Co', 9200);
    expect(history.past).toHaveLength(5);
    expect(history.present.values).toEqual({ title: 'Ros', city: 'Co', facilities: ['wifi'] });
  });

  it('loses its future with another step', () => {
    const history = undoOneStep(applyChanges(startHistory({}), [set(['title'], 'a')], 0))!;
    expect(redoOneStep(applyChanges(history, [set(['city'], 'b')], 0))).toBeUndefined();
  });
});

describe('a change', () => {
  it.each([
    [['title'], null, {}],
    [['photo', 0, 'description'], 'x', { title: 'a', photo: [{ file: 'b', description: 'x' }] }],
    [['photo', 0, 'file'], null, { title: 'a', photo: [{}] }],
    [['photo', 0], null, { title: 'a', photo: [] }],
    [['photo', 7], null, { title: 'a', photo: [{ file: 'b' }] }],
  ])('at %j', (path, value, expected) => {
    const base: FormValues = path[0] === 'title' ? { title: 'a' } : { title: 'a', photo: [{ file: 'b' }] };
    expect(applyChanges(startHistory(base), [{ path, value }], 0).present.values).toEqual(expected);
  });
});

describe('the fields to save', () => {
  it('are those that differ, and bring one version to the other', () => {
    fc.assert(
      fc.property(someValues, someValues, (base, values) => {
        const fields = changedFields(base, values);
        expect(isEqualValue({ ...base, ...fields }, values)).toBe(true);
        for (const [name, value] of Object.entries(fields))
          expect(isEqualValue(base[name], value)).toBe(false);
      }),
    );
    expect(changedFields({ title: 'a', city: 'b' }, { title: 'a', state: '' })).toEqual({ city: null });
  });
});

describe('keys of entries', () => {
  it('are as many as the entries, each unique, and move with them', () => {
    fc.assert(
      fc.property(someHistory, ({ present }) => {
        const keys = entryKeys(present, 'hotel_policy');
        expect(keys).toHaveLength(entriesAt(present.values, 'hotel_policy').length);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
    const moved = withRearrangedEntries(startHistory({ photo: ['a', 'b', 'c'] }), 'photo', () => [
      2,
      0,
      'd',
      1,
    ]);
    expect(entryKeys(moved.present, 'photo')).toEqual([2, 0, 3, 1]);
  });
});
