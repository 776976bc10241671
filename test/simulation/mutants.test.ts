/** A simulation that finds no planted bug proves nothing. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from './mutants.ts';
import { openSimulation } from './runner.ts';

const SCHEDULES = 10_000;

it('there are at least 25, each with a unique name, and all in the documentation', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(25);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  const page = readFileSync('docs/reliability.md', 'utf8');
  for (const { name, what } of MUTANTS) expect(page).toContain(`| \`${name}\` | ${what} |`);
});

describe(`a planted bug is found within ${SCHEDULES} schedules`, () => {
  it.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))(
    '%s',
    { timeout: 900_000 },
    async (_name, { changes }) => {
      const simulation = await openSimulation(changes);
      try {
        const { failures } = await simulation.runShare(0, SCHEDULES);
        expect(failures).toHaveLength(1);
      } finally {
        simulation.close();
      }
    },
  );
});
