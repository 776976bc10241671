import { type HiddenReason, hiddenReasonAt, type Visibility } from '../contract/visibility.ts';

type Dated = { readonly visibility?: Visibility | undefined };

export function filterVisible<Of extends Dated>(
  records: readonly Of[],
  instant: number,
  withDrafts = false,
): readonly Of[] {
  const isVisible = ({ visibility }: Of) => {
    const reason = hiddenReasonAt(visibility, instant);
    return reason === undefined || (withDrafts && reason === 'draft');
  };
  return records.every(isVisible) ? records : records.filter(isVisible);
}

export type HiddenCounts = Readonly<Record<HiddenReason, number>>;

export function countHidden(records: readonly Dated[], instant: number): HiddenCounts {
  const counts = { draft: 0, early: 0, over: 0 };
  for (const { visibility } of records) {
    const reason = hiddenReasonAt(visibility, instant);
    if (reason) counts[reason]++;
  }
  return counts;
}

/** Range of instants at which the same properties are shown and the same diagnostics reported. Null: no limit. */
export type UnchangedRange = { readonly from: number | null; readonly until: number | null };

export function isInUnchangedRange({ from, until }: UnchangedRange, instant: number): boolean {
  return (from === null || from <= instant) && (until === null || instant < until);
}

/** The range around `instant` in which no date shows or hides a property, or changes a diagnostic. */
export function unchangedRangeAround(records: readonly Dated[], instant: number): UnchangedRange {
  let from: number | null = null;
  let until: number | null = null;
  for (const { visibility } of records) {
    for (const change of [visibility?.from, visibility?.until]) {
      if (change === undefined) continue;
      if (change <= instant) from = Math.max(from ?? change, change);
      else until = Math.min(until ?? change, change);
    }
  }
  return { from, until };
}
