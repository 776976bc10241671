/** Which properties are shown at an instant. */
import { hiddenBecause, type Reason, type Visibility } from '../contract/visibility.ts';

type Dated = { readonly visibility?: Visibility | undefined };

/** The records of what is shown at an instant. `drafts`: whether every draft is among it. */
export function visibleAt<Of extends Dated>(
  records: readonly Of[],
  instant: number,
  drafts = false,
): readonly Of[] {
  const isVisible = ({ visibility }: Of) => {
    const reason = hiddenBecause(visibility, instant);
    return reason === undefined || (drafts && reason === 'draft');
  };
  return records.every(isVisible) ? records : records.filter(isVisible);
}

/** Numbers of properties that are not shown, by the reason. */
export type HiddenCounts = Readonly<Record<Reason, number>>;

/** Counts what is not shown at an instant. */
export function countHidden(records: readonly Dated[], instant: number): HiddenCounts {
  const counts = { draft: 0, early: 0, over: 0 };
  for (const { visibility } of records) {
    const reason = hiddenBecause(visibility, instant);
    if (reason) counts[reason]++;
  }
  return counts;
}

/** From when on, and until when, a judgement of the content stays the same; null where there is no end. */
export type Validity = { readonly from: number | null; readonly until: number | null };

/** Whether a judgement holds at another instant. */
export function holdsAt({ from, until }: Validity, instant: number): boolean {
  return (from === null || from <= instant) && (until === null || instant < until);
}

/** The instants around another one between which nothing is shown or hidden, and no finding comes or goes. */
export function validityAt(records: readonly Dated[], instant: number): Validity {
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
