export type Stage = 'scan' | 'read' | 'media' | 'plan' | 'emit' | 'finish';

export type BuildEvent =
  | { readonly kind: 'stage'; readonly stage: Stage }
  | { readonly kind: 'progress'; readonly stage: Stage; readonly done: number; readonly total: number }
  | {
      readonly kind: 'plan';
      readonly files: number;
      readonly bytes: number;
      readonly writes: 'all' | 'changed';
    };

export type Listener = (event: BuildEvent) => void;

/** Call and await this between two pieces of work. Returns undefined if no pause is due. */
export type YieldIfDue = () => Promise<void> | undefined;

/** Milliseconds of work between two pauses. */
const PAUSE = 100;

/** Interrupts long synchronous work for a moment now and then, so that signals are handled. */
export function createYield(): YieldIfDue {
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

export type Stopwatch = {
  readonly start: (stage: Stage) => void;
  /** Returns the seconds that each stage took. */
  readonly stop: () => Partial<Record<Stage, number>>;
};

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
