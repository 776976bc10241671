import type { Layout } from '../contract/object-keys.ts';
import type { BuildIdentity } from '../release/root-contents.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Findings } from '../source/findings.ts';
import type { HostLimitsAndCosts } from './host-limits.ts';
import type { SharedCacheLocation } from './images/find-shared-cache.ts';
import type { AsOf } from './inputs/as-of.ts';
import type { OutputFolder } from './output-folder.ts';
import type { Listener, Stage, Stopwatch } from './progress.ts';
import type { Counts, LayoutAdvice } from './release-size.ts';
import type { FileStamps } from './state/content-stamps.ts';
import type { StoredRelease } from './state/last-release.ts';
import type { BuildState } from './state/state-file.ts';
import type { Threads } from './threads/pool.ts';
import type { HiddenCounts } from './visible-at.ts';

/** `cache`: shared image cache, for images that the output folder's own cache lacks. */
export type BuildOptions = SharedCacheLocation & {
  readonly content?: string;
  /** @default 'dist' */
  readonly out?: string;
  readonly baseUrl?: string;
  /** Overrides the configuration's `layout`. */
  readonly layout?: Layout;
  /** Instant that decides which dated properties are shown. @default the commit's time; without Git, now */
  readonly asOf?: Date;
  /**
   * Builds for `catalogue dev`, in the subfolder `dev` of `out`. Unlike a preview of `catalogue publish`, such a build
   * is never published. It includes complete drafts and leaves out properties with errors. It uses the packed layout,
   * where a change rewrites the fewest files, and has no target configurations. @default false
   */
  readonly preview?: boolean;
  /**
   * Leaves out properties with errors instead of refusing the content. If the configuration has errors, the build
   * refuses the content anyway. @default false
   */
  readonly keepGoing?: boolean;
  /** Ignores the state of the last build: reads and writes everything. @default false */
  readonly force?: boolean;
  /** Number of threads; does not affect the output. @default as many as the work justifies, at most one per core */
  readonly jobs?: number;
  readonly listener?: Listener;
  /**
   * After an abort, the build stops soon and throws the signal's reason. If it was already writing, the output is
   * incomplete until the next build. @default none
   */
  readonly signal?: AbortSignal;
};

export type BuildResult = {
  /**
   * `published`: the build wrote all files that differ, if any. `unchanged`: it found nothing to do. `refused`: the
   * content or the configuration has errors.
   */
  readonly outcome: 'published' | 'unchanged' | 'refused';
  readonly findings: Findings;
  /** Computed on first access and not enumerable, since there may be millions. */
  readonly diagnostics: readonly Diagnostic[];
  /** Sorted paths of the files left out because of errors. */
  readonly leftOut: readonly string[];
  readonly asOf: AsOf;
  /** Numbers of valid properties that are not shown, by reason. */
  readonly hidden: HiddenCounts;
  /** Undefined if the content was refused. */
  readonly release: string | undefined;

  /** Targets of `targets: all` that cannot serve this catalogue. (If `targets` names such a target, `build` throws.) */
  readonly refusedTargets: readonly {
    readonly name: string;
    readonly code: string;
    readonly message: string;
  }[];
  /**
   * Keys of files in `dist/public` that somebody changed or removed since the last build, or added under a key that
   * only builds use. A build looks for such files only if `BuildContext.comparesOutput`, so it may miss added files. In
   * a release of more than 10,000 files, it may also miss overwritten files. Empty if the build does not use the last
   * build's state, for example with `force`.
   */
  readonly damaged: readonly string[];
  /** Target configurations that were edited, and therefore neither overwritten nor removed. Paths below `dist`. */
  readonly kept: readonly string[];
  readonly counts: Counts | undefined;
  /** Undefined if the configuration names no host, or if the content was refused. */
  readonly host?: HostLimitsAndCosts | undefined;
  /** Suggests the packed layout if there are many pages. Undefined unless the outcome is `published`. */
  readonly advice: LayoutAdvice | undefined;

  /** Numbers of files written and removed in `dist/public`, and of images made and reused. */
  readonly work: {
    readonly written: number;
    readonly removed: number;
    readonly made: number;
    readonly reused: number;
  };
  readonly seconds: Partial<Record<Stage, number>>;
};

/** Everything that is known before properties are read. */
export type BuildContext = {
  readonly options: BuildOptions;
  readonly content: string;
  readonly folder: OutputFolder;
  readonly scanned: readonly Diagnostic[];
  /** Returns the sorted paths of all files (80 MB for a million), and keeps no copy: call it once. */
  readonly takeFiles: () => readonly string[];
  readonly stamps: FileStamps;
  readonly configurationBytes: Buffer | undefined;
  readonly identity: BuildIdentity;
  readonly asOf: AsOf;
  /** Digest of all inputs except the content. */
  readonly inputs: string;
  /**
   * Milliseconds since 1970. If a file changes after this time, its stamp might stay the same
   * (`currentFileSystemTime`).
   */
  readonly since: number;
  /**
   * Whether to compare all output files with the state: with `force`, after a restart of the machine, or if output
   * files other than target configurations changed.
   */
  readonly comparesOutput: boolean;
  /** Whether to generate all target configurations again, because one was edited or removed. */
  readonly renewsEdge: boolean;
  /** Undefined with `force`, and if there is no usable state (`readUsableState`). */
  readonly state: BuildState<StoredRelease> | undefined;
  readonly listener: Listener;
  readonly stopwatch: Stopwatch;
  readonly threads: Threads;
};
