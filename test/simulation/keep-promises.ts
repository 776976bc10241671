/** Tests the promises of publishing (`docs/reliability.md`) over more schedules than real machines run in years. */
import { expect, it } from 'vitest';
import { explain, openSimulation } from './runner.ts';

export function keepPromises(from: number, count: number): void {
  it(`${count} schedules keep every promise`, { timeout: 900_000 }, async () => {
    const simulation = await openSimulation();
    try {
      const { schedules, effects, failures } = await simulation.run(from, count, { share: count / 2 });
      expect(failures.map(explain)).toEqual([]);
      expect(schedules).toBe(count);
      // Each schedule changes about forty objects.
      expect(effects).toBeGreaterThan(20 * count);
    } finally {
      simulation.close();
    }
  });
}
