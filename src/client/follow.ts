/** The changes of a catalogue, release after release. */
import { ProblemError } from './errors.ts';
import type { FileOptions, RequestOptions } from './options.ts';
import { pause, SECOND_LOOK } from './retry.ts';
import type { CatalogueIndex, Changes, ChangesIndex } from './types.ts';

/** How to follow. */
export type FollowOptions = RequestOptions & {
  /** Name of the release that is at hand: `release` of the index, or of the last event. */
  readonly since: string;
  /** Milliseconds between two looks at the catalogue. @default undefined: the loop ends when all is up to date */
  readonly interval?: number | undefined;
};

/** What happened. `release` is the one that is at hand after it: keep it, and pass it as `since` the next time. */
export type FollowEvent =
  | {
      readonly kind: 'changes';
      readonly release: string;
      /** What the release changed since the one before. */
      readonly changes: Changes;
    }
  | {
      /** No changes lead from the release at hand to the present one: fetch everything again. */
      readonly kind: 'restart';
      readonly release: string;
    };

/** What following asks for. */
export type HistorySource = {
  readonly index: (options: FileOptions) => Promise<CatalogueIndex>;
  /** Months that have changes. */
  readonly months: (options: FileOptions) => Promise<ChangesIndex>;
  /** Changes of a month, oldest first. */
  readonly changes: (month: string, options: FileOptions) => Promise<Changes[]>;
};

/** Goes through what changed since a release: each change once, oldest first. */
export async function* follow(
  { index, months, changes }: HistorySource,
  { since, interval, signal }: FollowOptions,
): AsyncGenerator<FollowEvent, void, undefined> {
  let release = since;
  /** What leads to the present release; undefined when the index and the history do not agree. */
  const eventsTo = async (present: string): Promise<FollowEvent[] | undefined> => {
    const events: FollowEvent[] = [];
    if (release === present) return events;
    const options = { release: present, signal };
    let isAhead = false;
    // Newest first, month by month; none when the catalogue records none.
    search: for (const { month } of (await orNone(months(options)))?.months.reverse() ?? []) {
      for (const step of (await orNone(changes(month, options)))?.reverse() ?? []) {
        // What follows the present release is not live yet; or the index came out of a cache, and is behind.
        if (!events[0] && step.release !== present) {
          isAhead ||= step.release === release;
          continue;
        }
        if (step.release === release) return events;
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

/** Undefined for a file that is not there. */
function orNone<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  });
}
