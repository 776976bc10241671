/** The simulation proves something only if it finds planted bugs. */
import { describe, expect, it } from 'vitest';
import { findMutant, SCHEDULES } from './find-mutant.ts';
import foundBy from './found-by.json' with { type: 'json' };
import { MUTANTS } from './mutants.ts';

it('there are at least 25, each with a unique name', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(25);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

it('all schedules are searched where the one that found a bug does not', { timeout: 900_000 }, async () => {
  const mutant = MUTANTS.find(({ name }) => name === 'guard-off')!;
  expect(await findMutant(mutant, 0)).toBeLessThan(SCHEDULES);
});

/** Each by its schedule in `found-by.json`, mostly among the first 10,000. */
describe('a planted bug is found', () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    '%s',
    { timeout: 900_000 },
    async (name, mutant) => {
      const { [name]: seed } = foundBy as Readonly<Record<string, number>>;
      expect(await findMutant(mutant, seed)).toBeDefined();
    },
  );
});
