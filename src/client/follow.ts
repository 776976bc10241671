import { ProblemError } from './errors.ts';
import type { FileOptions, RequestOptions } from './options.ts';
import { pause, RECHECK_DELAY } from './retry.ts';
import type { CatalogueIndex, Changes, ChangesIndex } from './types.ts';

export type FollowOptions = RequestOptions & {
  /** Name of the release that you have: `release` of the index or of the last event. */
  readonly since: string;
  /** Milliseconds between requests for the index. @default the events end once you are up to date */
  readonly interval?: number | undefined;
};

/** `release` is the release that you have after this event. Store it, and pass it as `since` next time. */
export type FollowEvent =
  | {
      readonly kind: 'changes';
      readonly release: string;
      /** Differences from the previous release. */
      readonly changes: Changes;
    }
  | {
      /**
       * Download everything again: the history does not lead from your release to the live one, or declared fields or
       * languages changed.
       */
      readonly kind: 'restart';
      readonly release: string;
    };

type Step = Extract<FollowEvent, { readonly kind: 'changes' }>;

export type HistorySource = {
  readonly index: (options: FileOptions) => Promise<CatalogueIndex>;
  readonly months: (options: FileOptions) => Promise<ChangesIndex>;
  /** Oldest first. */
  readonly changes: (month: string, options: FileOptions) => Promise<Changes[]>;
};

export async function* followChanges(
  { index, months, changes }: HistorySource,
  { since, interval, signal }: FollowOptions,
): AsyncGenerator<FollowEvent, void, undefined> {
  let release = since;
  /** Undefined if index and history disagree. */
  const eventsTo = async (present: string): Promise<FollowEvent[] | undefined> => {
    const events: Step[] = [];
    if (release === present) return events;
    const options = { release: present, signal };
    let isAhead = false;
    // Goes back from the newest month. A catalogue without history has no months.
    search: for (const { month } of (await orNone(months(options)))?.months.reverse() ?? []) {
      for (const step of (await orNone(changes(month, options)))?.reverse() ?? []) {
        // Skips changes that are not live yet, or that are newer than a stale cached index.
        if (!events[0] && step.release !== present) {
          isAhead ||= step.release === release;
          continue;
        }
        // A month is missing, or came from a cache as an old copy.
        if (events[0] && step.release !== events[0].changes.previous) return undefined;
        if (step.declaration && !isAhead) return [{ kind: 'restart', release: present }];
        events.unshift({ kind: 'changes', release: step.release, changes: step });
        if (step.previous === release) return events;
        if (step.previous === null) break search;
      }
    }
    return events[0] && !isAhead ? [{ kind: 'restart', release: present }] : undefined;
  };
  for (let isSecond = false; ; ) {
    const present = (await index({ release, signal })).release;
    const events: readonly FollowEvent[] | false =
      (await eventsTo(present)) ?? (isSecond && [{ kind: 'restart', release: present }]);
    isSecond = !events;
    for (const event of events || []) {
      release = event.release;
      yield event;
    }
    if (events && interval === undefined) return;
    await pause(
      Math.min(interval ?? RECHECK_DELAY, events ? Number.POSITIVE_INFINITY : RECHECK_DELAY),
      signal,
    );
  }
}

function orNone<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  });
}
