import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { devFolder } from '../../compile/output-folder.ts';
import type { Configuration } from '../../contract/configuration.ts';
import { describeFailure } from '../../errors/errors.ts';
import { undefinedIfMissing } from '../../files/files-and-folders.ts';
import { readConfiguration } from '../../source/configuration-file.ts';
import { type Diagnostic, isError } from '../../source/diagnostic.ts';
import { scanContent } from '../../source/scan-content.ts';
import { watchRepository } from '../git/watch-repository.ts';
import { type BuildReader, createBuildReader } from './build-reader.ts';
import {
  type BuildThread,
  type BuildThreadOptions,
  openBuildThread,
  type TransferableResult,
} from './build-thread.ts';
import { createUncheckedFileIndex, type FileIndex } from './file-index.ts';
import { watchContent } from './watch.ts';

export type SessionOptions = Pick<BuildThreadOptions, 'asOf' | 'baseUrl' | 'jobs'> & {
  readonly content: string;
  /** Output folder. The session writes to its subfolder `dev`. */
  readonly out: string;
  readonly listener?: (event: SessionEvent) => void;
  /** Milliseconds without a change before a build looks for changes that the watch missed. @default 300 */
  readonly idle?: number;
};

export type SessionEvent =
  /**
   * The result of a build differs from the one before, or follows a failure. `milliseconds`: the build's duration,
   * including the wait for the lock.
   */
  | ({ readonly kind: 'built'; readonly milliseconds: number } & Pick<
      TransferableResult,
      'outcome' | 'diagnostics' | 'leftOut'
    >)
  /** A build failed for a reason other than the content. */
  | { readonly kind: 'failed'; readonly failure: unknown }
  | { readonly kind: 'waiting'; readonly message: string }
  /** `paths`: changed files that a build has read; null if the watch named none, empty if only Git's state changed. */
  | { readonly kind: 'files'; readonly paths: readonly string[] | null }
  /** A rescan found nothing new. Only tests wait for it. */
  | { readonly kind: 'settled' };

export type Session = Pick<BuildReader, 'shown' | 'drafts' | 'readConsistently' | 'fileRecord'> & {
  /** Real path, which changes when a link on the way to the folder is switched. */
  readonly content: string;
  readonly root: string;
  /** The settings as last written, with defaults in place of invalid ones. */
  readonly configuration: () => Configuration;
  /** `asOf` of the last build; before the first build, the option `asOf`, or else now. Milliseconds since 1970. */
  readonly instant: () => number;
  readonly diagnostics: () => readonly Diagnostic[];
  /** What the last build threw; undefined if it threw nothing. Faults of the content are diagnostics instead. */
  readonly failure: () => unknown;
  /** Index of the last build. Before the first one, it has only the texts of files, without diagnostics. */
  readonly index: () => Promise<FileIndex>;
  /** Builds after a change to `path`, even if the watch does not report it. */
  readonly notify: (path: string) => void;
  /** As {@link notify}, if it is unknown which files changed. */
  readonly rescan: () => void;
  /** Stops watching, and waits for a running build. */
  readonly close: () => Promise<void>;
};

/** Milliseconds from a change to the build, so that one build reads all changes made at once. */
const DEBOUNCE = 10;
/** Milliseconds before errors are reported: an editor that empties a file before it writes causes brief errors. */
const ERROR_DELAY = 120;
/** Milliseconds until the next attempt when another process has locked the output. */
const LOCK_RETRY = 500;
/** Pending path that requests a rescan: the watch misses some files of new folders, and some quick second writes. */
const RESCAN = '';
/**
 * While nothing changes, the pause between two scans is this factor times `idle`, or times the duration of the last
 * scan if that is longer.
 */
const PAUSE_FACTOR = 20;
/** Maximum pause between scans, in milliseconds. */
const MAX_PAUSE = 30_000;

/** @throws UsageError without a content folder; EnvironmentError when it cannot be watched */
export async function startSession(options: SessionOptions): Promise<Session> {
  const { listener = () => {}, idle = 300, out, ...given } = options;
  scanContent(options.content);
  const content = resolve(options.content);
  let real = content;
  const folder = devFolder(out);
  const thread = openBuildThread({ ...given, content, out, preview: true });
  const last = createBuildReader(content, folder, thread.writes);
  const { notify, result, failure, close } = createBuildLoop(thread, listener, idle);
  let unbuilt:
    | { readonly after: TransferableResult | undefined; readonly index: Promise<FileIndex> }
    | undefined;
  const watch = watchContent(content, notify);
  const repository = watchRepository(content, () => listener({ kind: 'files', paths: [] }));
  const rescan = () => notify(RESCAN);
  rescan();
  return {
    get content() {
      real = undefinedIfMissing(() => realpathSync(content)) ?? real;
      return real;
    },
    root: folder.public,
    ...last,
    configuration: () => readConfiguration(content).usable,
    instant: () => result()?.asOf.instant ?? given.asOf?.getTime() ?? Date.now(),
    diagnostics: () => result()?.diagnostics ?? [],
    failure,
    async index() {
      const known = last.index();
      if (known) return known;
      // No build has succeeded yet, for example because the settings have errors. Reads the files after each attempt.
      if (!unbuilt || unbuilt.after !== result())
        unbuilt = { after: result(), index: createUncheckedFileIndex(content) };
      return unbuilt.index;
    },
    notify,
    rescan,
    async close() {
      watch.close();
      (await repository).close();
      await close();
    },
  };
}

function createBuildLoop(thread: BuildThread, listener: (event: SessionEvent) => void, idle: number) {
  let pending = new Set<string>();
  let round: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let result: TransferableResult | undefined;
  let failure: unknown;
  /** Whether listeners know that the last rescan found nothing new. */
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
    let last = { isRescan: false, milliseconds: 0 };
    while (pending.size > 0 && !isClosed()) last = await buildPending();
    round = undefined;
    if (isClosed()) return;
    const { isRescan, milliseconds } = last;
    if (isRescan && !isSettled) listener({ kind: 'settled' });
    isSettled = isRescan;
    const pause = isRescan ? Math.min(PAUSE_FACTOR * Math.max(idle, milliseconds), MAX_PAUSE) : idle;
    timer = setTimeout(() => notify(RESCAN), pause);
  }

  async function buildPending(): Promise<{ readonly isRescan: boolean; readonly milliseconds: number }> {
    await sleep(DEBOUNCE);
    const paths = [...pending].filter((path) => path !== RESCAN);
    pending = new Set();
    const isRescan = paths.length === 0;
    const started = performance.now();
    if ((await buildChanges()) || !isRescan) {
      isSettled = false;
      listener({ kind: 'files', paths: isRescan ? null : paths });
    }
    return { isRescan, milliseconds: performance.now() - started };
  }

  /** Returns whether listeners have heard of something new. */
  async function buildChanges(): Promise<boolean> {
    const started = performance.now();
    try {
      const next = await buildUnlocked(thread, listener, closed.signal);
      if (!next) return false;
      const milliseconds = performance.now() - started;
      if (next.diagnostics.some(isError)) await sleep(ERROR_DELAY);
      if (pending.size > 0 && next.diagnostics.some(isError)) return false;
      const hasNews = failure !== undefined || !isSame(result, next);
      [result, failure] = [next, undefined];
      const { outcome, diagnostics, leftOut } = next;
      if (hasNews) listener({ kind: 'built', milliseconds, outcome, diagnostics, leftOut });
      return hasNews;
    } catch (error) {
      const hasNews = messageOf(error) !== messageOf(failure);
      failure = error;
      if (hasNews) listener({ kind: 'failed', failure });
      return hasNews;
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

async function buildUnlocked(
  thread: BuildThread,
  listener: (event: SessionEvent) => void,
  closed: AbortSignal,
): Promise<TransferableResult | undefined> {
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

function isSame(one: TransferableResult | undefined, other: TransferableResult): boolean {
  const shown = (result: TransferableResult) => [result.release, result.diagnostics, result.hidden];
  return one !== undefined && isDeepStrictEqual(shown(one), shown(other));
}

function messageOf(failure: unknown): string | undefined {
  return failure === undefined ? undefined : describeFailure(failure).message;
}
