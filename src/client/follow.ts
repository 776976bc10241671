/** The changes of a catalogue, release after release. */
import { AnswerError, ProblemError } from './errors.ts';
import { parseLine } from './lines.ts';
import type { RequestOptions } from './options.ts';
import { pause } from './retry.ts';
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
  /** The index. `release`: the one at hand, so that no answer of before it comes out of a cache. */
  readonly index: (release: string, signal: AbortSignal | undefined) => Promise<CatalogueIndex>;
  /** Months that have changes. `release`: the present one, for the same reason. */
  readonly months: (release: string, signal: AbortSignal | undefined) => Promise<ChangesIndex>;
  /** Changes of a month, oldest first. */
  readonly changes: (month: string, release: string, signal: AbortSignal | undefined) => Promise<Changes[]>;
};

/** Milliseconds after which an index and a history that do not agree are looked at again. */
const SECOND_LOOK = 5000;

/** Goes through what changed since a release: each change once, oldest first. */
export async function* follow(
  source: HistorySource,
  { since, interval, signal }: FollowOptions,
): AsyncGenerator<FollowEvent, void, undefined> {
  let release = since;
  for (;;) {
    let present = (await source.index(release, signal)).release;
    let events = await eventsBetween(source, release, present, signal);
    if (!events) {
      await pause(Math.min(interval ?? SECOND_LOOK, SECOND_LOOK), signal);
      present = (await source.index(release, signal)).release;
      events = await eventsBetween(source, release, present, signal);
    }
    for (const event of events ?? [{ kind: 'restart', release: present } as const]) {
      release = event.release;
      yield event;
    }
    if (interval === undefined) return;
    await pause(interval, signal);
  }
}

/** What leads from one release to the present one; undefined when the index and the history do not agree. */
async function eventsBetween(
  source: HistorySource,
  release: string,
  present: string,
  signal: AbortSignal | undefined,
): Promise<FollowEvent[] | undefined> {
  if (release === present) return [];
  const steps: Changes[] = [];
  let isAhead = false;
  for await (const changes of newestFirst(source, present, signal)) {
    // What follows the present release is not live yet; or the index came out of a cache, and is behind.
    if (steps.length === 0 && changes.release !== present) {
      isAhead ||= changes.release === release;
      continue;
    }
    if (changes.release === release) return eventsOf(steps);
    steps.unshift(changes);
    if (changes.previous === release) return eventsOf(steps);
    if (changes.previous === null) break;
  }
  return steps.length > 0 && !isAhead ? [{ kind: 'restart', release: present }] : undefined;
}

function eventsOf(steps: readonly Changes[]): FollowEvent[] {
  return steps.map((changes) => ({ kind: 'changes', release: changes.release, changes }));
}

/** The changes, newest first, month by month; none when the catalogue records none. */
async function* newestFirst(
  source: HistorySource,
  present: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Changes> {
  const months = await orNone(source.months(present, signal));
  for (const { month } of [...(months?.months ?? [])].reverse()) {
    const changes = await orNone(source.changes(month, present, signal));
    yield* [...(changes ?? [])].reverse();
  }
}

/** Undefined for a file that is not there. */
async function orNone<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return undefined;
    throw error;
  }
}

/** The changes that the text of a month is. @throws AnswerError when it is something else. */
export function changesOf(text: string, url: string): Changes[] {
  try {
    const lines = text.split('\n');
    if (lines.pop() !== '') throw new SyntaxError('the last line is not whole');
    const changes = lines.map((line) => parseLine<Changes>(line));
    if (changes.every(({ release }) => typeof release === 'string')) return changes;
    throw new SyntaxError('a line names no release');
  } catch (error) {
    throw new AnswerError(
      `${url} is not what the API gives: ${error instanceof Error ? error.message : error}.`,
      url,
      200,
      text,
    );
  }
}
