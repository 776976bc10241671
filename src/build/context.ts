/** Types of a build's options, context and result. */
import type { Layout } from '../contract/object-keys.ts';
import type { BuildIdentity } from '../release/manifest.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Findings } from '../source/findings.ts';
import type { HostUse } from './fit.ts';
import type { CacheLocation } from './images/shared-cache.ts';
import type { AsOf } from './inputs/as-of.ts';
import type { OutputFolder } from './output-folder.ts';
import type { Listener, Stage, Stopwatch } from './progress.ts';
import type { LayoutAdvice } from './size.ts';
import type { State } from './state/file.ts';
import type { StoredRelease } from './state/last-release.ts';
import type { FileStamps } from './state/stamps.ts';
import type { Threads } from './threads/pool.ts';
import type { HiddenCounts } from './visible.ts';

/** `cache`: a shared image cache, asked when the output folder's own has no copy. */
export type BuildOptions = CacheLocation & {
  /** The content folder. @default 'content' */
  readonly content?: string;
  /** The output folder. @default 'dist' */
  readonly out?: string;
  readonly baseUrl?: string;
  /** Overrides the configuration's `layout`. */
  readonly layout?: Layout;
  /** Instant that decides which dated properties are shown. @default the time of the commit; outside git, now */
  readonly asOf?: Date;
  /**
   * Builds a preview in the subfolder `dev` of the output folder, which is never published: with drafts, without
   * properties that have errors, in the packed layout (a change rewrites the fewest files) and without configurations
   * of targets.
   *
   * @default false
   */
  readonly preview?: boolean;
  /** Publishes the properties without errors, and leaves out the others. @default false */
  readonly keepGoing?: boolean;
  /** Reads and writes everything, ignoring the state of the last build. @default false */
  readonly force?: boolean;
  /** Compares every output file with the state, and repairs damaged ones. @default false */
  readonly checkOutput?: boolean;
  /**
   * Number of threads; the output does not depend on it. @default as many as the work is worth, at most one per core
   */
  readonly jobs?: number;
  /** Called on progress. */
  readonly listener?: Listener;
  /**
   * Stops the build soon after an abort, which throws the signal's reason. Once writing has started, the output is left
   * as by a killed build.
   *
   * @default none
   */
  readonly signal?: AbortSignal;
};

export type Counts = {
  readonly properties: number;
  readonly countries: number;
  readonly cities: number;
  readonly pages: number;
  /** Objects of the release tree. */
  readonly tree: number;
  readonly files: number;
  readonly pageBytes: number;
  /** Estimated bytes of the output. Photos are included only for a host that limits its bytes. */
  readonly bytes: number;
  readonly images: number;
};

export type BuildResult = {
  /** `published`: something was written; `unchanged`: nothing had changed; `refused`: the content has errors. */
  readonly outcome: 'published' | 'unchanged' | 'refused';
  readonly findings: Findings;
  /** All of them, made when they are first asked for; not enumerable, since there may be millions. */
  readonly diagnostics: readonly Diagnostic[];
  /** Paths of files left out because of errors, sorted. */
  readonly leftOut: readonly string[];
  /** Instant that decided which dated properties are shown. */
  readonly asOf: AsOf;
  /** Number of valid properties not shown, by reason. */
  readonly hidden: HiddenCounts;
  /** Name of the release; undefined when the content was refused. */
  readonly release: string | undefined;

  /** Targets that cannot serve this catalogue, with the reason. None of them is named in the configuration. */
  readonly refusedTargets: readonly {
    readonly name: string;
    readonly code: string;
    readonly message: string;
  }[];
  /**
   * Output files changed, removed or added since they were written, when the output was checked: keys in `dist/public`,
   * and paths below `dist` for others (`edge/...`).
   */
  readonly damaged: readonly string[];
  /** Generated files that somebody changed since, and that differ from what this build would write, as paths below `dist`. */
  readonly kept: readonly string[];
  readonly counts: Counts | undefined;
  /** Use that the release makes of its host; undefined without one. */
  readonly host?: HostUse | undefined;
  /** Advice to use the packed layout; set when there are many pages. */
  readonly advice: LayoutAdvice | undefined;

  /** Number of files written and removed in `dist/public`, and of images made and reused from the cache. */
  readonly work: {
    readonly written: number;
    readonly removed: number;
    readonly made: number;
    readonly reused: number;
  };
  readonly seconds: Partial<Record<Stage, number>>;
};

/** Everything that a build knows before it reads properties. */
export type BuildContext = {
  readonly options: BuildOptions;
  readonly content: string;
  readonly folder: OutputFolder;
  readonly scanned: readonly Diagnostic[];
  /** Returns the sorted paths of all files, once, and drops them: a million paths take 80 MB. */
  readonly takeFiles: () => readonly string[];
  readonly stamps: FileStamps;
  readonly configurationBytes: Buffer | undefined;
  readonly identity: BuildIdentity;
  readonly asOf: AsOf;
  /** Digest of all inputs other than the content. */
  readonly inputs: string;
  /** Files changed since this time may have unchanged stamps (`observationTime`). */
  readonly since: number;
  /** Whether to compare the whole output with the state. */
  readonly checkOutput: boolean;
  /** Whether to generate the configurations of targets again, since somebody changed one. */
  readonly checkEdge: boolean;
  /** State of the last build; undefined when it cannot be used. */
  readonly state: State<StoredRelease> | undefined;
  readonly listener: Listener;
  readonly stopwatch: Stopwatch;
  readonly threads: Threads;
};
