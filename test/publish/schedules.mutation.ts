/**
 * A small part of the simulation in this process, for mutation testing: the whole of it runs by
 * `test/simulation/simulation.test.ts`, as a bundle that mutants do not reach.
 */
import { expect, it, vi } from 'vitest';
import { runSchedule } from '../simulation/schedule.ts';

// Compressing takes threads, and time that is not virtual.
vi.mock('../../src/publish/compressed-lines.ts', () => ({
  compressed: async (lines: Iterable<readonly string[]>) =>
    Buffer.from(Array.from(lines, (line) => `${JSON.stringify(line)}\n`).join('')),
  async *linesOf(bytes: Buffer) {
    for (const line of bytes.toString('utf8').split('\n')) if (line !== '') yield JSON.parse(line);
  },
}));

it.each([0, 10, 20])('schedules from %i on keep every promise', async (from) => {
  for (let seed = from; seed < from + 10; seed++) {
    const { violations, story } = await runSchedule(seed);
    expect(violations, story.join('\n')).toEqual([]);
  }
});
