import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Edit } from '../../src/editor/api.ts';
import { entryNames, isSame, netEdits, type Values, withEdits, withStep } from '../../src/editor/edit-log.ts';
import { someEdits, someValues } from './values.ts';

const both = someValues.chain((base) => fc.tuple(fc.constant(base), someEdits(base)));
const set = (path: Edit['path'], value: string): Edit => ({ kind: 'set', path, value });

describe('the merged edits', () => {
  it('change a property as all single edits together do', () => {
    fc.assert(
      fc.property(both, ([base, edits]) => {
        const net = netEdits(base, edits);
        expect(net.length).toBeLessThanOrEqual(edits.length);
        expect(isSame(withEdits(base, net), withEdits(base, edits))).toBe(true);
        // Each place of a list exists when its turn comes.
        let values: Values = base;
        for (const edit of net) {
          const [field, place] = edit.path;
          const count = (values[field!] as readonly unknown[] | undefined)?.length ?? 0;
          if (typeof place === 'number') expect(place).toBeLessThan(count + (edit.kind === 'insert' ? 1 : 0));
          values = withEdits(values, [edit]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are empty for a change that was taken back, and one edit for typed text', () => {
    const base: Values = { title: 'Rose', photo: [{ file: 'a.jpg' }] };
    expect(netEdits(base, [set(['title'], 'Ros'), set(['title'], 'Rose')])).toEqual([]);
    expect(
      netEdits(base, [set(['photo', 0, 'description'], 'A'), set(['photo', 0, 'description'], '')]),
    ).toEqual([]);
    expect(netEdits(base, [set(['title'], 'R'), set(['city'], 'Cork'), set(['title'], 'Ro')])).toEqual([
      set(['city'], 'Cork'),
      set(['title'], 'Ro'),
    ]);
    const moved: Edit = { kind: 'insert', path: ['photo', 0], value: { file: 'b.jpg' } };
    const [first, second] = [set(['photo', 0, 'description'], 'A'), set(['photo', 0, 'description'], 'B')];
    expect(netEdits(base, [first, moved, second])).toEqual([first, moved, second]);
  });

  it('remove no field that the file lacks', () => {
    expect(netEdits({}, [set(['title'], 'x'), { kind: 'remove', path: ['title'] }])).toEqual([]);
  });
});

describe('undo steps', () => {
  it('continue while the user types in one field, and begin again after a pause, in another field, or with an entry', () => {
    let steps = withStep([], [set(['title'], 'R')], 0);
    steps = withStep(steps, [set(['title'], 'Ro')], 100);
    expect(steps).toHaveLength(1);
    steps = withStep(steps, [set(['title'], 'Ros')], 9000);
    steps = withStep(steps, [set(['city'], 'C')], 9100);
    const insertion: Edit = { kind: 'insert', path: ['facilities', 0], value: 'wifi' };
    steps = withStep(steps, [insertion], 9200);
    steps = withStep(steps, [insertion], 9300);
    expect(steps.map(({ edits }) => edits)).toEqual([
      [set(['title'], 'Ro')],
      [set(['title'], 'Ros')],
      [set(['city'], 'C')],
      [insertion],
      [insertion],
    ]);
  });
});

describe('keys of entries', () => {
  it('are as many as the entries, each unique, and move with them', () => {
    fc.assert(
      fc.property(both, ([base, edits]) => {
        const list = (base.hotel_policy ?? []) as readonly unknown[];
        const names = entryNames('hotel_policy', list.length, edits);
        const now = (withEdits(base, edits).hotel_policy ?? []) as readonly unknown[];
        expect(names).toHaveLength(now.length);
        expect(new Set(names).size).toBe(names.length);
      }),
    );
    expect(entryNames('photo', 3, [{ kind: 'move', path: ['photo', 2], to: 0 }])).toEqual([
      'photo-2',
      'photo-0',
      'photo-1',
    ]);
  });
});
