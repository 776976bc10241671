/** The part of stamping that runs in threads. */
import { statSync } from 'node:fs';
import { sep } from 'node:path';
import { stampOf } from '../../source/file-stamp.ts';

export const STAMP_WIDTH = 4;

/** Number of files that a thread takes at a time. */
export const STAMP_GROUP_SIZE = 512;

/** Sent to threads: only plain data and shared memory. */
export type StampTask = {
  readonly content: string;
  /** Each has the paths of up to {@link STAMP_GROUP_SIZE} consecutive files, separated by line feeds. */
  readonly groups: readonly string[];
  readonly numbers: Float64Array;
  /** Index of the next group. */
  readonly counter: Int32Array;
};

export async function readGroupStamps({ content, groups, numbers, counter }: StampTask): Promise<undefined> {
  for (;;) {
    const number = Atomics.add(counter, 0, 1);
    const group = groups[number];
    if (group === undefined) return;
    for (const [index, path] of group.split('\n').entries()) {
      try {
        numbers.set(
          stampOf(statSync(content + sep + path)),
          STAMP_WIDTH * (STAMP_GROUP_SIZE * number + index),
        );
      } catch {
        // The numbers stay NaN, which equals nothing.
      }
    }
  }
}
