/** Makes many edits and judges each. */
import fc from 'fast-check';
import { editText } from '../../../src/editing/edit/edit-text.ts';
import type { RefusalReason } from '../../../src/editing/edit/refusal.ts';
import { type Case, cases } from './cases.ts';
import { faultOf } from './oracle.ts';

/** The number of edits of each kind that changed the file, left it as it was, or were refused, for each reason. */
export type Tally = {
  readonly made: Record<string, number>;
  unchanged: number;
  readonly refused: Partial<Record<RefusalReason, number>>;
};

/** @throws the failure of fast-check, with the smallest case that it finds. */
export function tryEdits(shipped: readonly string[], runs: number, seed?: number): Tally {
  const tally: Tally = { made: {}, unchanged: 0, refused: {} };
  fc.assert(
    fc.property(cases(shipped), (one) => {
      const fault = judge(one, tally);
      if (fault) throw new Error(fault);
    }),
    { numRuns: runs, ...(seed !== undefined && { seed }) },
  );
  return tally;
}

function judge({ text, edit }: Case, tally: Tally): string | undefined {
  const result = editText(text, [edit]);
  if ('refused' in result) {
    tally.refused[result.refused] = (tally.refused[result.refused] ?? 0) + 1;
    return result.line >= 1 && result.line <= text.split('\n').length ? undefined : `line ${result.line}`;
  }
  if (result.text === text) tally.unchanged++;
  else tally.made[edit.kind] = (tally.made[edit.kind] ?? 0) + 1;
  return faultOf(text, edit, result.text);
}
