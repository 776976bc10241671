/** The part of stamping files that threads share. */
import { statSync } from 'node:fs';
import { sep } from 'node:path';
import { stampOf } from '../../source/stamp.ts';

/** Number of values in a stamp. */
export const WIDTH = 4;

/** Number of files that a thread takes at once. */
export const GROUP = 512;

/** Input of a thread that stamps files. It is sent to threads, so it holds only plain data and shared memory. */
export type StampTask = {
  readonly content: string;
  /** Paths of consecutive files, {@link GROUP} each, separated by line feeds. */
  readonly groups: readonly string[];
  readonly numbers: Float64Array;
  /** Index of the next group to take. */
  readonly counter: Int32Array;
};

/** Stamps groups of files until none is left. */
export async function stampGroups({ content, groups, numbers, counter }: StampTask): Promise<undefined> {
  for (;;) {
    const index = Atomics.add(counter, 0, 1);
    const group = groups[index];
    if (group === undefined) return;
    for (const [place, path] of group.split('\n').entries()) {
      try {
        numbers.set(stampOf(statSync(content + sep + path)), WIDTH * (GROUP * index + place));
      } catch {
        // Keeps NaN, which equals no number.
      }
    }
  }
}
