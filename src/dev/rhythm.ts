/** When a session works: changes that come together are taken together, one piece of work follows the other. */

/** Hears of changes, and has them worked on. */
export type Rhythm = {
  /** Takes note of a changed path. */
  readonly hear: (path: string) => void;
  /** Number of changes heard so far. */
  readonly changes: () => number;
  /** Resolves when all that was heard has been worked on. */
  readonly caughtUp: () => Promise<void>;
  readonly isWorking: () => boolean;
  /** Acts after some milliseconds, unless the rhythm ends first. */
  readonly later: (milliseconds: number, act: () => void) => void;
  /** Ends it; work that began goes on. */
  readonly stop: () => void;
};

export type RhythmOptions = {
  /** Works on changed paths. Never rejects. */
  readonly work: (paths: readonly string[]) => Promise<void>;
  /** Called when nothing changed for `idle` milliseconds after the work. */
  readonly rest: () => void;
  readonly idle: number;
};

/** Changes that come within this many milliseconds are taken together. */
const GATHER = 10;

export function createRhythm({ work, rest, idle }: RhythmOptions): Rhythm {
  const timers = new Set<NodeJS.Timeout>();
  let pending = new Set<string>();
  let changes = 0;
  let round: Promise<void> | undefined;
  let resting: NodeJS.Timeout | undefined;
  let isWorking = false;
  let isStopped = false;

  function later(milliseconds: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, milliseconds);
    timers.add(timer);
    return timer;
  }

  async function workUntilQuiet(): Promise<void> {
    while (pending.size > 0 && !isStopped) {
      await new Promise((resolve) => setTimeout(resolve, GATHER));
      const paths = [...pending];
      pending = new Set();
      isWorking = true;
      await work(paths);
      isWorking = false;
    }
    round = undefined;
    if (!isStopped) resting = later(idle, rest);
  }

  return {
    hear(path) {
      pending.add(path);
      changes++;
      if (resting) clearTimeout(resting);
      round ??= workUntilQuiet();
    },
    changes: () => changes,
    caughtUp: () => round ?? Promise.resolve(),
    isWorking: () => isWorking,
    later,
    stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
