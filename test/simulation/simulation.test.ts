import { expect, it } from 'vitest';
import { keepPromises } from './keep-promises.ts';
import { openSimulation } from './runner.ts';

keepPromises(0, 2_000);

it('a seed replays with equal bytes', { timeout: 900_000 }, async () => {
  const simulation = await openSimulation();
  try {
    const [one, other] = [
      await simulation.runShare(4711, 3, 'detailed'),
      await simulation.runShare(4711, 3, 'detailed'),
    ];
    expect(one.failures).toHaveLength(3);
    expect(one.failures).toEqual(other.failures);
    // Which bucket was prepared before makes no difference.
    const alone = await simulation.runShare(4713, 1);
    const before = await simulation.runShare(4711, 2);
    expect(alone.effects + before.effects).toBe(one.effects);
  } finally {
    simulation.close();
  }
});
