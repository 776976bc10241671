/** Follows the changes of a catalogue, release by release. */
import { ProblemError } from './errors.ts';
import type { FileOptions, RequestOptions } from './options.ts';
import { pause, SECOND_LOOK } from './retry.ts';
import type { CatalogueIndex, Changes, ChangesIndex } from './types.ts';

export type FollowOptions = RequestOptions & {
  /** Name of the release you have: `release` of the index, or of the last event. */
  readonly since: string;
  /** Milliseconds between two requests for the index. @default undefined: the loop ends when it is up to date */
  readonly interval?: number | undefined;
};

/** A change. `release` is the release you have after it: store it, and pass it as `since` next time. */
export type FollowEvent =
  | {
      readonly kind: 'changes';
      readonly release: string;
      /** Changes of the release, relative to the previous one. */
      readonly changes: Changes;
    }
  | {
      /**
       * The history does not lead from your release to the present one, or the catalogue declares other fields since:
       * fetch everything again.
       */
      readonly kind: 'restart';
      readonly release: string;
    };

/** Requests that following makes. */
export type HistorySource = {
  readonly index: (options: FileOptions) => Promise<CatalogueIndex>;
  readonly months: (options: FileOptions) => Promise<ChangesIndex>;
  /** Reads the changes of a month, oldest first. */
  readonly changes: (month: string, options: FileOptions) => Promise<Changes[]>;
};

/** Yields the changes since a release, each once, oldest first. */
export async function* follow(
  { index, months, changes }: HistorySource,
  { since, interval, signal }: FollowOptions,
): AsyncGenerator<FollowEvent, void, undefined> {
  let release = since;
  /** Finds the events up to the present release; undefined when index and history disagree. */
  const eventsTo = async (present: string): Promise<FollowEvent[] | undefined> => {
    const events: FollowEvent[] = [];
    if (release === present) return events;
    const options = { release: present, signal };
    let isAhead = false;
    // Newest first, month by month; none for a catalogue without a history.
    search: for (const { month } of (await orNone(months(options)))?.months.reverse() ?? []) {
      for (const step of (await orNone(changes(month, options)))?.reverse() ?? []) {
        // Steps after the present release are not live yet; or the index is a stale copy from a cache.
        if (!events[0] && step.release !== present) {
          isAhead ||= step.release === release;
          continue;
        }
        if (step.release === release) return events;
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
    await pause(Math.min(interval ?? SECOND_LOOK, events ? Number.POSITIVE_INFINITY : SECOND_LOOK), signal);
  }
}

function orNone<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  });
}
