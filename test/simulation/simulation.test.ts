/** The promises of publishing, over more schedules than real machines run in years (`docs/reliability.md`). */
import { expect, it } from 'vitest';
import { explain, openSimulation } from './runner.ts';

const SCHEDULES = 20_000;

it(`${SCHEDULES} schedules keep every promise`, { timeout: 900_000 }, async () => {
  const simulation = await openSimulation();
  try {
    const { schedules, effects, failures } = await simulation.run(0, SCHEDULES, { share: SCHEDULES / 2 });
    expect(failures.map(explain)).toEqual([]);
    expect(schedules).toBe(SCHEDULES);
    // About forty objects change in each.
    expect(effects).toBeGreaterThan(20 * SCHEDULES);
  } finally {
    simulation.close();
  }
});

it('a seed replays with equal bytes', { timeout: 900_000 }, async () => {
  const simulation = await openSimulation();
  try {
    const [one, other] = [
      await simulation.runShare(4711, 3, 'detailed'),
      await simulation.runShare(4711, 3, 'detailed'),
    ];
    expect(one.failures).toHaveLength(3);
    expect(one.failures).toEqual(other.failures);
    // The kind of the previously prepared bucket makes no difference.
    const alone = await simulation.runShare(4713, 1);
    const before = await simulation.runShare(4711, 2);
    expect(alone.effects + before.effects).toBe(one.effects);
  } finally {
    simulation.close();
  }
});
