/** Looks for the first schedule that finds a planted bug. */
import type { Mutant } from './mutants.ts';
import { openSimulation } from './runner.ts';

/** Schedules within which each planted bug has to be found. */
export const SCHEDULES = 10_000;

/**
 * Returns the seed of a schedule that finds a planted bug; undefined when none does.
 *
 * @param seed that of the schedule which found it before. Tried first, since a search takes minutes where few schedules
 * find the bug. Other sources may draw other schedules from it: then all are searched.
 */
export async function findMutant({ changes }: Mutant, seed?: number): Promise<number | undefined> {
  const simulation = await openSimulation(changes);
  try {
    const again = seed === undefined ? undefined : await simulation.runShare(seed, 1);
    const { failures } = again?.failures[0] ? again : await simulation.runShare(0, SCHEDULES);
    return failures[0]?.seed;
  } finally {
    simulation.close();
  }
}
