/** An editing session: watches the content folder, builds a preview after each change, and reports the results. */
import { realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { readConfiguration } from '../build/inputs/configuration.ts';
import { scan } from '../build/inputs/scan.ts';
import { previewFolder } from '../build/output-folder.ts';
import type { Configuration } from '../contract/configuration.ts';
import { describeFailure } from '../errors/errors.ts';
import { type Diagnostic, isError } from '../source/diagnostic.ts';
import { type BuildThread, type BuiltPreview, openBuildThread, type ThreadOptions } from './build-thread.ts';
import { type FileIndex, glance } from './known-files.ts';
import { createLastBuild, type LastBuild } from './last-build.ts';
import { watchContent } from './watch.ts';

export type SessionOptions = Pick<ThreadOptions, 'asOf' | 'baseUrl' | 'jobs'> & {
  readonly content: string;
  /** Output folder; the session writes to `dev` in it. */
  readonly out: string;
  /** Called for each event. */
  readonly listener?: (event: SessionEvent) => void;
  /** Milliseconds without a change before one more build scans for changes that the watch missed. @default 300 */
  readonly idle?: number;
};

export type SessionEvent =
  /** A build found something new. `milliseconds`: since the change. */
  | ({ readonly kind: 'built'; readonly milliseconds: number } & Pick<
      BuiltPreview,
      'outcome' | 'diagnostics' | 'leftOut'
    >)
  /** A build failed for a reason other than the content. */
  | { readonly kind: 'failed'; readonly failure: unknown }
  /** A build waits for the end of another process's build. */
  | { readonly kind: 'waiting'; readonly message: string }
  /** Files changed, and a build read them; null: the watch did not name them. */
  | { readonly kind: 'files'; readonly paths: readonly string[] | null }
  /** A build found nothing that the watch missed. */
  | { readonly kind: 'settled' };

export type Session = Pick<LastBuild, 'shown' | 'drafts' | 'read' | 'record'> & {
  readonly content: string;
  /** Folder of the served files. */
  readonly root: string;
  /** The current configuration, with defaults in place of invalid values. */
  readonly configuration: () => Configuration;
  /** Instant for which the catalogue is built, in milliseconds since 1970. */
  readonly instant: () => number;
  readonly diagnostics: () => readonly Diagnostic[];
  /** Error of the last build; undefined when it succeeded. */
  readonly failure: () => unknown;
  /** Index of all property files in the last build; before the first, of their texts, without diagnostics. */
  readonly index: () => Promise<FileIndex>;
  /** Reports a changed path, without waiting for the watch. */
  readonly notify: (path: string) => void;
  /** Ends the session, after a running build. */
  readonly close: () => Promise<void>;
};

/** Changes within this many milliseconds share one build. */
const DEBOUNCE = 10;
/** Milliseconds before errors are reported: an editor that truncates a file before it writes it causes one for a moment. */
const ERROR_DELAY = 120;
/** Milliseconds between attempts to lock the output. */
const LOCK_RETRY = 500;
/**
 * Stands for a path: a build scans for changes that the watch missed. It throttles each file for 50 ms, and may miss a
 * file that appears in a new folder before that is watched, or a write right after a change of mode.
 */
const RESCAN = '';
/** Ratio of the time between scans at rest to `idle`, or to the time of a scan where that is longer. */
const REST = 20;
/** Longest time between scans at rest, in milliseconds. */
const LONGEST_REST = 30_000;

/**
 * Starts a session: watches the content folder and builds.
 *
 * @throws UsageError without a content folder; EnvironmentError when it cannot be watched.
 */
export async function startSession(options: SessionOptions): Promise<Session> {
  const { listener, idle, out, ...given } = options;
  scan(options.content);
  const content = realpathSync(options.content);
  const folder = previewFolder(out);
  const thread = openBuildThread({ ...given, content, out, preview: true });
  const last = createLastBuild(content, folder, thread.writes);
  const { notify, result, failure, close } = createBuildLoop(thread, { listener, idle });
  let unbuilt: { readonly after: BuiltPreview | undefined; readonly index: Promise<FileIndex> } | undefined;
  const watch = watchContent(content, notify);
  notify(RESCAN);
  return {
    content,
    root: folder.public,
    ...last,
    configuration: () => readConfiguration(content).usable,
    instant: () => result()?.asOf.instant ?? given.asOf?.getTime() ?? Date.now(),
    diagnostics: () => result()?.diagnostics ?? [],
    failure,
    async index() {
      const known = last.index();
      if (known) return known;
      // Without a first build, as with an error of the configuration, read again only after another attempt.
      if (!unbuilt || unbuilt.after !== result()) unbuilt = { after: result(), index: glance(content) };
      return unbuilt.index;
    },
    notify,
    async close() {
      watch.close();
      await close();
    },
  };
}

/** Builds after changes, one build at a time. */
function createBuildLoop(
  thread: BuildThread,
  {
    listener = () => {},
    idle = 300,
  }: { readonly [Key in 'listener' | 'idle']?: SessionOptions[Key] | undefined },
) {
  let pending = new Set<string>();
  let round: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let result: BuiltPreview | undefined;
  let failure: unknown;
  let isSettled = false;
  const closed = new AbortController();
  const isClosed = () => closed.signal.aborted;

  function notify(path: string): void {
    if (isClosed()) return;
    pending.add(path);
    clearTimeout(timer);
    round ??= buildUntilQuiet();
  }

  async function buildUntilQuiet(): Promise<void> {
    let isRescan = false;
    let milliseconds = 0;
    while (pending.size > 0 && !isClosed()) {
      await sleep(DEBOUNCE);
      const paths = [...pending].filter((path) => path !== RESCAN);
      pending = new Set();
      isRescan = paths.length === 0;
      const started = performance.now();
      const isNews = await buildChanges();
      milliseconds = performance.now() - started;
      if (isNews || !isRescan) isSettled = false;
      if (!isRescan) listener({ kind: 'files', paths });
      else if (isNews) listener({ kind: 'files', paths: null });
    }
    round = undefined;
    if (isClosed()) return;
    if (isRescan && !isSettled) listener({ kind: 'settled' });
    isSettled = isRescan;
    const pause = isRescan ? Math.min(REST * Math.max(idle, milliseconds), LONGEST_REST) : idle;
    timer = setTimeout(() => notify(RESCAN), pause);
  }

  /** Builds, and reports the result. Returns whether it differs from the previous one. */
  async function buildChanges(): Promise<boolean> {
    const started = performance.now();
    try {
      const next = await buildUnlocked(thread, listener, closed.signal);
      if (!next) return false;
      const milliseconds = performance.now() - started;
      if (next.diagnostics.some(isError)) await sleep(ERROR_DELAY);
      if (pending.size > 0 && next.diagnostics.some(isError)) return false;
      const isNews = failure !== undefined || !isSame(result, next);
      [result, failure] = [next, undefined];
      const { outcome, diagnostics, leftOut } = next;
      if (isNews) listener({ kind: 'built', milliseconds, outcome, diagnostics, leftOut });
      return isNews;
    } catch (error) {
      const isNews = messageOf(error) !== messageOf(failure);
      failure = error;
      if (isNews) listener({ kind: 'failed', failure });
      return isNews;
    }
  }

  return {
    notify,
    result: () => result,
    failure: () => failure,
    async close() {
      closed.abort();
      clearTimeout(timer);
      await round;
      await thread.close();
    },
  };
}

/** Builds as soon as no other process does; undefined when the session ends first. */
async function buildUnlocked(
  thread: BuildThread,
  listener: (event: SessionEvent) => void,
  closed: AbortSignal,
): Promise<BuiltPreview | undefined> {
  for (let attempt = 0; !closed.aborted; attempt++) {
    try {
      return await thread.run();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'output-locked') throw error;
      if (attempt === 0) listener({ kind: 'waiting', message });
      await sleep(LOCK_RETRY, undefined, { signal: closed }).catch(() => {});
    }
  }
  return undefined;
}

function isSame(one: BuiltPreview | undefined, other: BuiltPreview): boolean {
  const shown = (result: BuiltPreview) => [result.release, result.diagnostics, result.hidden];
  return one !== undefined && isDeepStrictEqual(shown(one), shown(other));
}

function messageOf(failure: unknown): string | undefined {
  return failure === undefined ? undefined : describeFailure(failure).message;
}
