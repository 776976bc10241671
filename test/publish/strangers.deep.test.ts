import { expect, it } from 'vitest';
import { counts, withstandsAll } from './strangers.ts';

it.each(['preview', 'writer'] as const)(
  'what a stranger with the role of a %s writes does no harm, in 5,000 changes, ten at a time',
  { timeout: 3_600_000 },
  (role) => withstandsAll(role, 500, { minLength: 10, maxLength: 10 }),
);

it('every sort of object that commands read was changed often', () => {
  expect([...counts].filter(([, count]) => count < 50)).toEqual([]);
});
