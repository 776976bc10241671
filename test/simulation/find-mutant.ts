import type { Mutant } from './mutants.ts';
import { openSimulation } from './runner.ts';

/** Each planted bug must be found within this many schedules. */
export const SCHEDULES = 10_000;

/**
 * Seed of a schedule that finds the planted bug; undefined if none does.
 * @param seed of the schedule that found it before, tried first: some bugs take minutes to find. After other sources
 * changed, the seed may give another schedule; then all schedules are searched
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
