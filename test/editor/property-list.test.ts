/** The list follows its changes, with one request at a time. */
import { expect, it } from 'vitest';
import type { PropertiesResponse, PropertyRow } from '../../src/editor/api.ts';
import { coalesceCalls } from '../../src/editor/client.ts';
import { updatedList } from '../../src/editor/property-list.ts';

const row = (path: string, title = path): PropertyRow => ({
  path,
  title,
  city: '',
  country: '',
  state: 'live',
  errors: 0,
  warnings: 0,
  changed: null,
  thumbnailVersion: 0,
});
const answer = (part: Partial<PropertiesResponse>): PropertiesResponse => ({
  mark: 'x.1',
  isWhole: false,
  rows: [],
  gone: [],
  changed: 0,
  problem: null,
  ...part,
});

it('applies changes in the order of paths, and keeps the rows without one', () => {
  const first = updatedList(
    undefined,
    answer({ isWhole: true, rows: ['b', 'd', 'f'].map((path) => row(path)) }),
  );
  const next = updatedList(
    first,
    answer({ mark: 'x.2', rows: [row('c'), row('d', 'D')], gone: ['f', 'z'], changed: 2, problem: 'x' }),
  );
  expect(next).toEqual({ mark: 'x.2', rows: [row('b'), row('c'), row('d', 'D')], changed: 2, problem: 'x' });
  expect(next.rows[0]).toBe(first.rows[0]);
  const same = updatedList(next, answer({ mark: 'x.2', changed: 3 }));
  expect([same.rows === next.rows, same.changed]).toEqual([true, 3]);
  expect(updatedList(same, answer({ mark: 'y.1', isWhole: true, rows: [row('q')] })).rows).toEqual([
    row('q'),
  ]);
});

it('sends one request at a time, and one more for all that came meanwhile', async () => {
  const waiting: (() => void)[] = [];
  let runs = 0;
  const load = coalesceCalls(() => {
    runs++;
    return new Promise((resolve) => waiting.push(resolve));
  });
  const all = load();
  for (let n = 0; n < 300; n++) void load();
  expect(runs).toBe(1);
  waiting.shift()!();
  await expect.poll(() => runs).toBe(2);
  waiting.shift()!();
  await all;
  expect(runs).toBe(2);
  void load();
  expect(runs).toBe(3);
});
