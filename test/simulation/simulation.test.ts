/** The promises of publishing, over schedules that no machine would show in a lifetime (`docs/reliability.md`). */
import { expect, it } from 'vitest';
import { explain, openSimulation } from './runner.ts';

const SCHEDULES = 20_000;

it(`${SCHEDULES} schedules keep every promise`, { timeout: 900_000 }, async () => {
  const simulation = await openSimulation();
  try {
    const { schedules, effects, failures } = await simulation.run(0, SCHEDULES);
    expect(failures.map(explain)).toEqual([]);
    expect(schedules).toBe(SCHEDULES);
    // About forty objects change in each.
    expect(effects).toBeGreaterThan(20 * SCHEDULES);
  } finally {
    simulation.close();
  }
});

it('a few schedules that nobody has run before keep them too', { timeout: 900_000 }, async () => {
  const simulation = await openSimulation();
  try {
    const seed = 1_000_000 + Math.floor(Math.random() * 1_000_000_000);
    const { failures } = await simulation.run(seed, 500);
    expect(failures.map(explain)).toEqual([]);
  } finally {
    simulation.close();
  }
});

it('a seed replays to the byte', { timeout: 900_000 }, async () => {
  const simulation = await openSimulation();
  try {
    const [one, other] = [await simulation.run(4711, 3, 'tell'), await simulation.run(4711, 3, 'tell')];
    expect(one.effects).toBe(other.effects);
    // The kind of bucket that is prepared before makes no difference.
    const alone = await simulation.run(4713, 1);
    const before = await simulation.run(4711, 2);
    expect(alone.effects + before.effects).toBe(one.effects);
  } finally {
    simulation.close();
  }
});
