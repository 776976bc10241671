/** An editing session: watches the content folder, builds a preview after each change, and reports the results. */
import { realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { BuildResult } from '../build/context.ts';
import { readConfiguration } from '../build/inputs/configuration.ts';
import { scan } from '../build/inputs/scan.ts';
import { previewFolder } from '../build/output-folder.ts';
import type { Configuration } from '../contract/configuration.ts';
import { describeFailure } from '../errors.ts';
import { type Diagnostic, isError } from '../source/diagnostic.ts';
import { type BuildThread, openBuildThread, type ThreadOptions } from './build-thread.ts';
import { createLastBuild, type LastBuild, type Records, readContent } from './last-build.ts';
import { watchContent } from './watch.ts';

/** What a session works on. */
export type SessionOptions = Pick<ThreadOptions, 'asOf' | 'baseUrl' | 'jobs'> & {
  /** The content folder. */
  readonly content: string;
  /** The output folder; the session writes to the folder `dev` in it. */
  readonly out: string;
  /** Called for each event. */
  readonly listener?: (event: SessionEvent) => void;
  /** Milliseconds without a change before one more build scans for changes that the watch missed. @default 300 */
  readonly idle?: number;
};

/** Something that happened. */
export type SessionEvent =
  /** A build found something new. `milliseconds`: since the change. */
  | ({ readonly kind: 'built'; readonly milliseconds: number } & Pick<
      BuildResult,
      'outcome' | 'diagnostics' | 'leftOut'
    >)
  /** A build failed, for another reason than the content. */
  | { readonly kind: 'failed'; readonly failure: unknown }
  /** The build of another process has to end first. */
  | { readonly kind: 'waiting'; readonly message: string }
  /** Files changed, and a build read them; null: the watch did not name them. */
  | { readonly kind: 'files'; readonly paths: readonly string[] | null }
  /** A build found nothing that the watch missed. */
  | { readonly kind: 'settled' };

/** A running session. */
export type Session = Pick<LastBuild, 'shown' | 'drafts' | 'read'> & {
  /** Absolute path of the content folder, without links. */
  readonly content: string;
  /** Folder that is served. */
  readonly root: string;
  /** The configuration as it can be used now: its defaults in place of what is wrong. */
  readonly configuration: () => Configuration;
  /** The instant whose catalogue it shows, in milliseconds since 1970. */
  readonly instant: () => number;
  /** Everything that the last build found in the content. */
  readonly diagnostics: () => readonly Diagnostic[];
  /** Why the last build failed; undefined when it did not. */
  readonly failure: () => unknown;
  /** Records of every property file as the last build read them; before the first one, as they are. */
  readonly records: () => Promise<Records>;
  /** Reports a changed path, without waiting for the watch. */
  readonly notify: (path: string) => void;
  /** Ends it, after a build that runs. */
  readonly close: () => Promise<void>;
};

/** Milliseconds within which changes are built together. */
const DEBOUNCE = 10;
/** Milliseconds before errors are reported: an editor that truncates a file before it writes it causes one for a moment. */
const ERROR_DELAY = 120;
/** Milliseconds between attempts to lock the output. */
const LOCK_RETRY = 500;
/** Stands for a path: a build scans for changes that the watch missed, since it throttles each file for 50 ms. */
const RESCAN = '';

/**
 * Starts a session: watches, and builds.
 *
 * @throws UsageError when there is no content folder; EnvironmentError when it cannot be watched.
 */
export async function startSession(options: SessionOptions): Promise<Session> {
  const { listener, idle, out, ...given } = options;
  scan(options.content);
  const content = realpathSync(options.content);
  const folder = previewFolder(out);
  const thread = openBuildThread({ ...given, content, out, preview: true });
  const last = createLastBuild(folder, thread.writes);
  const { notify, result, failure, close } = createBuildLoop(thread, { listener, idle });
  let unbuilt: Promise<Records> | undefined;
  const watch = await watchContent(content, notify);
  notify(RESCAN);
  return {
    content,
    root: folder.public,
    ...last,
    configuration: () => readConfiguration(content).usable,
    instant: () => result()?.asOf.instant ?? given.asOf?.getTime() ?? Date.now(),
    diagnostics: () => result()?.diagnostics ?? [],
    failure,
    async records() {
      const known = last.records();
      if (known) return known;
      unbuilt ??= readContent(content).finally(() => {
        unbuilt = undefined;
      });
      return unbuilt;
    },
    notify,
    async close() {
      await watch.close();
      await close();
    },
  };
}

/** Builds after changes, one build after the other. */
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
  let result: BuildResult | undefined;
  let failure: unknown;
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
    while (pending.size > 0 && !isClosed()) {
      await sleep(DEBOUNCE);
      const paths = [...pending].filter((path) => path !== RESCAN);
      pending = new Set();
      isRescan = paths.length === 0;
      const isNews = await buildChanges();
      if (!isRescan) listener({ kind: 'files', paths });
      else if (isNews) listener({ kind: 'files', paths: null });
    }
    round = undefined;
    if (isClosed()) return;
    if (isRescan) listener({ kind: 'settled' });
    else timer = setTimeout(() => notify(RESCAN), idle);
  }

  /** Builds, and reports the result. Returns whether it is another one than before. */
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

/** Builds when no other process does; undefined when the session ends first. */
async function buildUnlocked(
  thread: BuildThread,
  listener: (event: SessionEvent) => void,
  closed: AbortSignal,
): Promise<BuildResult | undefined> {
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

function isSame(one: BuildResult | undefined, other: BuildResult): boolean {
  const shown = (result: BuildResult) => [result.release, result.diagnostics, result.hidden];
  return one !== undefined && isDeepStrictEqual(shown(one), shown(other));
}

function messageOf(failure: unknown): string | undefined {
  return failure === undefined ? undefined : describeFailure(failure).message;
}
