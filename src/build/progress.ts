/** What a build reports while it runs. */
import type { Pause } from './write/pages.ts';

/** A stage of a build, in their order. */
export type Stage = 'scan' | 'read' | 'media' | 'plan' | 'emit' | 'finish';

/** Something that happened. */
export type BuildEvent =
  | { readonly kind: 'stage'; readonly stage: Stage }
  | { readonly kind: 'progress'; readonly stage: Stage; readonly done: number; readonly total: number }
  | {
      readonly kind: 'plan';
      readonly files: number;
      readonly bytes: number;
      readonly writes: 'all' | 'changed';
    };

/** Hears what happens. */
export type Listener = (event: BuildEvent) => void;

/** Milliseconds of work after which signals are listened to. */
const PAUSE = 100;

/** Makes pauses in work that never waits, now and then, so that a signal can come through. */
export function createPause(): Pause {
  let last = performance.now();
  return () => {
    if (performance.now() - last < PAUSE) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        last = performance.now();
        resolve();
      });
    });
  };
}

/** Measures the stages of a build. */
export type Stopwatch = {
  /** Starts a stage, and ends the one before. */
  readonly start: (stage: Stage) => void;
  /** Ends the last stage. Seconds of each. */
  readonly stop: () => Partial<Record<Stage, number>>;
};

/** Measures stages, and reports each to the listener. */
export function createStopwatch(listener: Listener): Stopwatch {
  const seconds: Partial<Record<Stage, number>> = {};
  let current: Stage | undefined;
  let since = 0;
  const end = () => {
    if (current) seconds[current] = (seconds[current] ?? 0) + (performance.now() - since) / 1000;
  };
  return {
    start(stage) {
      end();
      current = stage;
      since = performance.now();
      listener({ kind: 'stage', stage });
    },
    stop() {
      end();
      current = undefined;
      return seconds;
    },
  };
}
