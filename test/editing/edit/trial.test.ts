import { expect, it } from 'vitest';
import { shippedTexts } from './cases.ts';
import { tryEdits } from './trial.ts';

/** `npm run trial:edits` makes a hundred thousand. */
const RUNS = 1_000;

it('an edit touches only the lines of its field, and the file then has the intended value', {
  timeout: 120_000,
}, () => {
  const { made, unchanged, refused } = tryEdits(shippedTexts('content'), RUNS);
  const count = (numbers: object) =>
    Object.values(numbers).reduce((sum: number, number: number) => sum + number, 0);
  expect(count(made) + unchanged + count(refused)).toBe(RUNS);
  expect(Object.keys(made).sort()).toEqual(['insert', 'move', 'remove', 'set']);
  // Refused files nearly always have anchors, tags and merge keys.
  expect(count(made)).toBeGreaterThan(RUNS * 0.8);
  expect(refused.unwritable ?? 0).toBeLessThan(RUNS * 0.03);
});
