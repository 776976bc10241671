/** `build`: from a content folder to `dist`. */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../folder.ts';
import type { BuildIdentity } from '../release/manifest.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FilePatterns, Found } from '../source/find-files.ts';
import type { CacheLocation } from './images/shared-cache.ts';
import { readIdentity } from './inputs/git-commit.ts';
import { readConfigurationBytes, scan } from './inputs/scan.ts';
import { type Lock, takeLock } from './lock.ts';
import { type OutputFolder, outputFolder, refuseOverlap } from './output-folder.ts';
import { createStopwatch, type Listener, type Stage, type Stopwatch } from './progress.ts';
import type { LayoutAdvice } from './size.ts';
import type { State } from './state/file.ts';
import type { Remembered } from './state/last-release.ts';
import { fileStamps, observationTime } from './state/stamps.ts';
import { diagnosticsIfSettled, digestInputs, heldState, mayBeLost } from './state/trust.ts';
import { openThreads, type Threads } from './threads/pool.ts';

/** What to build. `cache`: a cache of images that machines share, behind the one in the output folder. */
export type BuildOptions = CacheLocation & {
  /** The content folder. @default 'content' */
  readonly content?: string;
  /** The output folder. @default 'dist' */
  readonly out?: string;
  /** Overrides `base_url` of the configuration. */
  readonly baseUrl?: string;
  /** Publishes what has no error, and leaves out the rest. @default false */
  readonly keepGoing?: boolean;
  /** Reads and writes everything, whatever the last build left. @default false */
  readonly force?: boolean;
  /** Compares every file of the output with what was written, and repairs it. @default false */
  readonly checkOutput?: boolean;
  /** Threads; the output does not depend on it. @default what the work is worth, the cores of the machine at most */
  readonly jobs?: number;
  /** Hears of the progress. */
  readonly listener?: Listener;
  /**
   * Ends the build soon after it is aborted, with its reason: before anything is written, or as one that was killed.
   *
   * @default none
   */
  readonly signal?: AbortSignal;
};

/** Numbers of a release. */
export type Counts = {
  readonly properties: number;
  readonly countries: number;
  readonly cities: number;
  readonly pages: number;
  /** Objects of the packed layout. */
  readonly packed: number;
  readonly files: number;
  /** Bytes of pages and totals. */
  readonly pageBytes: number;
  readonly images: number;
};

/** What came of a build. */
export type BuildResult = {
  /** `published`: something was written; `unchanged`: nothing had to be; `refused`: the content has errors. */
  readonly outcome: 'published' | 'unchanged' | 'refused';
  readonly diagnostics: readonly Diagnostic[];
  /** Paths of the files that were left out because of errors, sorted. */
  readonly leftOut: readonly string[];
  /** The name of the release; undefined when the content was refused. */
  readonly release: string | undefined;

  /** Serving targets that cannot serve this catalogue, and why; none of them was named in the configuration. */
  readonly refusedTargets: readonly {
    readonly name: string;
    readonly code: string;
    readonly message: string;
  }[];
  /**
   * Files that were changed, removed or added in the output since it was written, when it was checked: keys below
   * `dist/public`, and paths below `dist` of what stands beside that (`edge/...`).
   */
  readonly damaged: readonly string[];
  readonly counts: Counts | undefined;
  /** To store lists in another layout, when there are many pages. */
  readonly advice: LayoutAdvice | undefined;

  /** Files written and removed below `dist/public`, and images made and taken from the cache. */
  readonly work: {
    readonly written: number;
    readonly removed: number;
    readonly made: number;
    readonly reused: number;
  };
  /** Seconds of each stage. */
  readonly seconds: Partial<Record<Stage, number>>;
};

/** All that a build knows before it reads a property. */
export type BuildContext = {
  readonly options: BuildOptions;
  readonly content: string;
  readonly folder: OutputFolder;
  readonly found: Found;
  /** What shows whether the files changed. */
  readonly stamps: string;
  readonly configurationBytes: Buffer | undefined;
  readonly identity: BuildIdentity;
  /** Digest of all that decides the output besides the content. */
  readonly inputs: string;
  /** From this time on files may have changed unseen (`observationTime`). */
  readonly since: number;
  /** Whether the whole output is compared with what was written. */
  readonly checkOutput: boolean;
  /** What the last build left; undefined when it cannot be relied upon. */
  readonly state: State<Remembered> | undefined;
  readonly listener: Listener;
  readonly stopwatch: Stopwatch;
  readonly threads: Threads;
};

/** Files that one thread reads in what is left of the start of another one, while this one loads what it needs. */
const FILES_PER_PREPARED_THREAD = 300;

const nothing = { written: 0, removed: 0, made: 0, reused: 0 };

/**
 * Builds `dist`. Any error in the content leaves `dist` as it was; a build that is killed leaves it for the next one
 * to repair.
 *
 * @throws UsageError for options or a configuration that cannot be; EnvironmentError, or an error of the file system,
 *   when the machine is at fault.
 *
 * @example
 * const { outcome, diagnostics } = await build({ content: 'content', out: 'dist' });
 */
export async function build(options: BuildOptions = {}): Promise<BuildResult> {
  let lock: Lock | undefined;
  const listener: Listener = (event) => {
    options.signal?.throwIfAborted();
    lock?.beat();
    options.listener?.(event);
  };
  const stopwatch = createStopwatch(listener);
  const content = resolve(options.content ?? 'content');
  const folder = outputFolder(options.out ?? 'dist');
  stopwatch.start('scan');
  const configurationBytes = readConfigurationBytes(content);
  refuseOverlap(content, folder.root);
  lock = takeLock(folder.lock);
  const threads = openThreads(options.jobs);
  try {
    const since = observationTime(content, folder.lock);
    const inputs = digestInputs(options.baseUrl, configurationBytes);
    const { force = false } = options;
    const checkOutput = options.checkOutput || mayBeLost(folder);
    const state = force ? undefined : heldState(content, folder, inputs, checkOutput);
    // Git answers while files are looked for.
    const asked = readIdentity(content);
    const found = scan(content, state ? state.summary.configuration : await readPatterns(configurationBytes));
    const stamps = fileStamps(found.files);
    const identity = await asked;

    const diagnostics =
      state && !checkOutput ? diagnosticsIfSettled(state, { content, found, stamps, identity }) : undefined;
    if (state && diagnostics) {
      const { counts, leftOut, refusedTargets, release } = state.summary;
      return {
        outcome: 'unchanged',
        diagnostics,
        leftOut,
        release,
        refusedTargets,
        damaged: [],
        counts: counts as Counts,
        advice: undefined,
        work: nothing,
        seconds: stopwatch.stop(),
      };
    }
    if (!state) threads.prepare('read', found.files.length / FILES_PER_PREPARED_THREAD);
    // A build that has nothing to do needs none of this.
    const { buildRelease } = await import('./build-release.ts');
    return await buildRelease({
      options,
      content,
      folder,
      found,
      stamps,
      configurationBytes,
      identity,
      inputs,
      since,
      checkOutput,
      state,
      listener,
      stopwatch,
      threads,
    });
  } finally {
    await threads.stop();
    rmSync(folder.staging, { recursive: true, force: true });
    lock.release();
  }
}

/** The patterns of the files to read; what reads a configuration is loaded only where there is one to read. */
async function readPatterns(configuration: Buffer | undefined): Promise<FilePatterns | undefined> {
  if (!configuration) return undefined;
  const { checkConfiguration } = await import('../source/configuration-file.ts');
  return checkConfiguration(configuration).usable;
}

/** Writes one file below a folder, with the folders that it needs. */
export function writeDocument(root: string, key: string, text: string | Buffer): void {
  const path = join(root, key);
  makeFolder(dirname(path));
  writeFileSync(path, text);
}
