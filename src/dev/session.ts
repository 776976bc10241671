/** An editing session: builds what is saved, drafts included, into a folder of its own, and tells what came of it. */
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
  /** Hears what happens. */
  readonly listener?: (event: SessionEvent) => void;
  /** Milliseconds without a change before a build looks for changes that the watch missed. @default 300 */
  readonly idle?: number;
};

/** Something that happened. */
export type SessionEvent =
  /** A build found something new. `milliseconds`: since the change was heard of. */
  | ({ readonly kind: 'built'; readonly milliseconds: number } & Pick<
      BuildResult,
      'outcome' | 'diagnostics' | 'leftOut'
    >)
  /** A build failed, for another reason than the content. */
  | { readonly kind: 'failed'; readonly failure: unknown }
  /** The build of another process has to end first. */
  | { readonly kind: 'waiting'; readonly message: string }
  /** Files changed, and a build read them. */
  | { readonly kind: 'files'; readonly paths: readonly string[] }
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
  /** Has a changed path built without waiting for the watch. */
  readonly hear: (path: string) => void;
  /** Ends it, after a build that runs. */
  readonly close: () => Promise<void>;
};

/** Changes that come within this many milliseconds are taken together. */
const GATHER = 10;
/** A program that truncates a file before it writes it would hear of an error that is gone at once. */
const PATIENCE = 120;
/** Milliseconds until the session looks again whether another build has ended. */
const LOCKED_RETRY = 500;
/** Stands for a path: a build looks for changes that the watch missed. It keeps quiet for 50 ms after each change. */
const LOOK = '';

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
  const thread = openBuildThread({ ...given, content, out, drafts: true, keepGoing: true });
  const last = createLastBuild(folder, thread.writes);
  const { hear, result, failure, close } = createBuildLoop(thread, { listener, idle });
  let unbuilt: Promise<Records> | undefined;
  const watch = await watchContent(content, hear);
  hear(LOOK);
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
    hear,
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

  function hear(path: string): void {
    if (isClosed()) return;
    pending.add(path);
    clearTimeout(timer);
    round ??= buildUntilQuiet();
  }

  async function buildUntilQuiet(): Promise<void> {
    let isLook = false;
    while (pending.size > 0 && !isClosed()) {
      await sleep(GATHER);
      const paths = [...pending].filter((path) => path !== LOOK);
      pending = new Set();
      isLook = paths.length === 0;
      await buildChanges();
      if (!isLook) listener({ kind: 'files', paths });
    }
    round = undefined;
    if (isClosed()) return;
    if (isLook) listener({ kind: 'settled' });
    else timer = setTimeout(() => hear(LOOK), idle);
  }

  async function buildChanges(): Promise<void> {
    const started = performance.now();
    try {
      const next = await buildUnlocked();
      if (!next) return;
      const milliseconds = performance.now() - started;
      if (next.diagnostics.some(isError)) await sleep(PATIENCE);
      if (pending.size > 0 && next.diagnostics.some(isError)) return;
      const isNews = failure !== undefined || !isSame(result, next);
      [result, failure] = [next, undefined];
      const { outcome, diagnostics, leftOut } = next;
      if (isNews) listener({ kind: 'built', milliseconds, outcome, diagnostics, leftOut });
    } catch (error) {
      const isNews = messageOf(error) !== messageOf(failure);
      failure = error;
      if (isNews) listener({ kind: 'failed', failure });
    }
  }

  /** Builds when no other process does; undefined when the session ends first. */
  async function buildUnlocked(): Promise<BuildResult | undefined> {
    for (let attempt = 0; !isClosed(); attempt++) {
      try {
        return await thread.run();
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code !== 'output-locked') throw error;
        if (attempt === 0) listener({ kind: 'waiting', message });
        await sleep(LOCKED_RETRY, undefined, { signal: closed.signal }).catch(() => {});
      }
    }
    return undefined;
  }

  return {
    hear,
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

function isSame(one: BuildResult | undefined, other: BuildResult): boolean {
  const shown = (result: BuildResult) => [result.release, result.diagnostics, result.hidden];
  return one !== undefined && isDeepStrictEqual(shown(one), shown(other));
}

function messageOf(failure: unknown): string | undefined {
  return failure === undefined ? undefined : describeFailure(failure).message;
}
