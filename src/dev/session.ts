/**
 * An editing session. A saved file is read at once and answered from memory; the output is brought up to date by an
 * ordinary build as soon as nobody saves, on a thread of its own. So the output is always a complete release, and what
 * the watch might have missed is found by that build.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { withBaseUrl } from '../build/build-release.ts';
import { withLogo } from '../build/inputs/logo.ts';
import { readConfigurationBytes, scan } from '../build/inputs/scan.ts';
import { outputFolder } from '../build/output-folder.ts';
import type { ThreadOptions } from '../build/threads/build-thread.ts';
import type { Configuration } from '../contract/configuration.ts';
import { INDEX_KEY } from '../contract/document-keys.ts';
import { MANIFEST_KEY } from '../contract/keys.ts';
import { checkConfiguration } from '../source/configuration-file.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { createBuilder } from './builder.ts';
import { applyChanges, type Held, isAsSeen, isSameRelease, loadMemory, type Memory } from './memory.ts';
import { watchContent } from './watch.ts';

/** What a session works on. */
export type SessionOptions = Pick<ThreadOptions, 'baseUrl' | 'jobs'> & {
  /** The content folder. */
  readonly content: string;
  /** The output folder. */
  readonly out: string;
  /** Hears what happens. */
  readonly listener?: (event: SessionEvent) => void;
  /** Milliseconds without a change before the output is brought up to date. @default 300 */
  readonly idle?: number;
};

/** Something that happened. */
export type SessionEvent =
  /** There is something new to show; the time is that since the change was heard of. */
  | { readonly kind: 'fresh'; readonly milliseconds: number; readonly diagnostics: readonly Diagnostic[] }
  /** The content has errors, or something else is wrong: what was shown before still is. */
  | ({ readonly kind: 'trouble' } & Trouble)
  /** A build of everything that changed has begun. */
  | { readonly kind: 'building' }
  /** Somebody else's build has to end first. */
  | { readonly kind: 'waiting'; readonly message: string }
  /** The output is what a build makes of the content. */
  | { readonly kind: 'settled' };

/** What is wrong: errors of the content, or the failure of a build. */
type Trouble = { readonly diagnostics: readonly Diagnostic[]; readonly failure?: unknown };

/** What can be shown. */
type Shown = {
  /** Another number for every release. */
  readonly generation: number;
  readonly configuration: Configuration;
  /** Answers what may be newer than the output; undefined when nothing is. */
  readonly held: Held | undefined;
};

/** A running session. */
export type Session = {
  /** Undefined until there is a catalogue. */
  readonly shown: () => Shown | undefined;
  /** Undefined while nothing is wrong. */
  readonly trouble: () => Trouble | undefined;
  /** Everything that was found in the content when it was last read, warnings as well. */
  readonly diagnostics: () => readonly Diagnostic[];
  /** Ends it, after a build that runs. The output is a complete release then, perhaps not yet of the last change. */
  readonly close: () => Promise<void>;
};

/** Changes that come within this many milliseconds are taken together. */
const GATHER = 10;
/** The watch keeps quiet about a change within 50 ms of another one of the same file. */
const LOOK_AGAIN = 100;
/** An editor that truncates a file before it writes would be told of an error that is none. */
const PATIENCE = 120;

/**
 * Starts a session: watches, and builds what changed since the last build.
 *
 * @throws UsageError when there is no content folder; EnvironmentError when it cannot be watched.
 */
export async function startSession(options: SessionOptions): Promise<Session> {
  const { baseUrl, jobs, out, idle = 300, listener = () => {} } = options;
  scan(options.content);
  const content = realpathSync(options.content);
  const folder = outputFolder(out);
  const builder = createBuilder(
    { content, out, ...(baseUrl !== undefined && { baseUrl }), ...(jobs !== undefined && { jobs }) },
    (message) => listener({ kind: 'waiting', message }),
  );
  const pending = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  /** Number of changes heard of: tells whether something changed meanwhile. */
  let changes = 0;
  let memory: Memory | undefined;
  let shown: Shown | undefined;
  let trouble: Trouble | undefined;
  let latest: readonly Diagnostic[] = [];
  /** Whether only a build can tell what the content is. */
  let needsBuild = true;
  let working: Promise<void> | undefined;
  let gathering = false;
  let settling: NodeJS.Timeout | undefined;
  let closed = false;

  const watch = await watchContent(content, onChange);
  const { configuration } = checkConfiguration(readConfigurationBytes(content));
  // What an earlier build left is shown until there is something newer.
  if (configuration && existsSync(join(folder.public, MANIFEST_KEY))) {
    shown = { generation: 0, configuration: withBaseUrl(configuration, baseUrl), held: undefined };
  }
  pending.add('');
  wake();
  return {
    shown: () => shown,
    trouble: () => trouble,
    diagnostics: () => latest,
    async close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      await watch.close();
      await builder.close();
      await working;
    },
  };

  function later(milliseconds: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, milliseconds);
    timers.add(timer);
    return timer;
  }

  function onChange(path: string): void {
    pending.add(path);
    changes++;
    wake();
  }

  function wake(): void {
    if (gathering || working || closed) return;
    if (settling) clearTimeout(settling);
    gathering = true;
    later(GATHER, () => {
      gathering = false;
      working = work().finally(() => {
        working = undefined;
        if (pending.size > 0) wake();
        else if (!closed) settling = later(idle, settle);
      });
    });
  }

  async function work(): Promise<void> {
    const started = performance.now();
    const paths = [...pending];
    pending.clear();
    try {
      const isRead = memory !== undefined && !needsBuild && (await read(memory, paths, started));
      if (!isRead) await buildAll(started);
    } catch (error) {
      needsBuild = true;
      report({ diagnostics: [], failure: error });
    }
  }

  /** Reads what changed. False when memory is not enough. */
  async function read(before: Memory, paths: readonly string[], started: number): Promise<boolean> {
    const applied = await applyChanges(before, paths);
    if (applied.kind === 'build') return false;
    memory = applied.memory;
    later(LOOK_AGAIN, () => {
      for (const [path, line] of applied.seen) if (!isAsSeen(content, path, line)) onChange(path);
    });
    if (applied.held) show(memory.configuration, applied.held, applied.diagnostics, started);
    else refuse(applied.diagnostics);
    return true;
  }

  async function buildAll(started: number): Promise<void> {
    const before = changes;
    needsBuild = true;
    listener({ kind: 'building' });
    const result = await builder.run();
    if (!result) return;
    if (result.outcome === 'refused') {
      if (changes === before) refuse(result.diagnostics);
      return;
    }
    load(result.diagnostics, started);
    needsBuild = false;
  }

  /** Takes what the last build left. */
  function load(diagnostics: readonly Diagnostic[], started: number): void {
    const checked = checkConfiguration(readConfigurationBytes(content)).configuration;
    // It changed again, and will be read again.
    if (!checked) return;
    const { configuration } = withLogo(content, withBaseUrl(checked, baseUrl));
    const loaded = loadMemory(content, configuration, folder);
    memory = loaded?.memory;
    show(configuration, loaded?.held, diagnostics, started);
  }

  function show(
    configuration: Configuration,
    held: Held | undefined,
    diagnostics: readonly Diagnostic[],
    started: number,
  ): void {
    trouble = undefined;
    latest = diagnostics;
    const before = isDeepStrictEqual(shown?.configuration, configuration) ? shown?.held : undefined;
    const isSame = held !== undefined && before !== undefined && isSameRelease(held, before);
    shown = { generation: (shown?.generation ?? 0) + (isSame ? 0 : 1), configuration, held };
    listener({ kind: 'fresh', milliseconds: performance.now() - started, diagnostics });
  }

  function refuse(diagnostics: readonly Diagnostic[]): void {
    const before = changes;
    later(PATIENCE, () => {
      if (changes === before) report({ diagnostics });
    });
  }

  function report(found: Trouble): void {
    trouble = found;
    if (found.failure === undefined) latest = found.diagnostics;
    listener({ kind: 'trouble', ...found });
  }

  /** Brings the output up to date, and looks whether memory is of the same content. */
  async function settle(): Promise<void> {
    if (working || closed || trouble || needsBuild) return;
    const before = changes;
    const started = performance.now();
    const media = shown?.held?.media;
    try {
      const result = await builder.run();
      if (!result || closed || changes !== before) return;
      if (result.outcome === 'refused') {
        needsBuild = true;
        return refuse(result.diagnostics);
      }
      if (memory && media && releaseIn(folder.public) === shown?.held?.id()) memory = { ...memory, media };
      else load(result.diagnostics, started);
      listener({ kind: 'settled' });
    } catch (error) {
      needsBuild = true;
      report({ diagnostics: [], failure: error });
    }
  }
}

/** The name of the release in a folder. */
function releaseIn(root: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(root, INDEX_KEY), 'utf8')) as { release?: string }).release;
  } catch {
    return undefined;
  }
}
