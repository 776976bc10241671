/** What a build is asked, what it knows before it reads a property, and what comes of it. */
import type { BuildIdentity } from '../release/manifest.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FoundFiles } from '../source/find-files.ts';
import type { CacheLocation } from './images/shared-cache.ts';
import type { AsOf } from './inputs/as-of.ts';
import type { OutputFolder } from './output-folder.ts';
import type { Listener, Stage, Stopwatch } from './progress.ts';
import type { LayoutAdvice } from './size.ts';
import type { State } from './state/file.ts';
import type { Remembered } from './state/last-release.ts';
import type { FileStamps } from './state/stamps.ts';
import type { Threads } from './threads/pool.ts';
import type { HiddenCounts } from './visible.ts';

/** What to build. `cache`: a cache of images that machines share, behind the one in the output folder. */
export type BuildOptions = CacheLocation & {
  /** The content folder. @default 'content' */
  readonly content?: string;
  /** The output folder. @default 'dist' */
  readonly out?: string;
  /** Overrides `base_url` of the configuration. */
  readonly baseUrl?: string;
  /** The instant that decides which dated properties are shown. @default the time of the commit; outside git, now */
  readonly asOf?: Date;
  /**
   * Builds a preview: with drafts, without what has an error, with lists in the packed layout, which a change rewrites the
   * least of, and without the configuration of targets. It is in the folder `dev` of the output folder: nothing publishes it.
   *
   * @default false
   */
  readonly preview?: boolean;
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
  /** The instant that decided which dated properties are shown. */
  readonly asOf: AsOf;
  /** Numbers of sound properties that are not shown then, by the reason. */
  readonly hidden: HiddenCounts;
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
  readonly found: FoundFiles;
  /** What shows whether the files that were found changed. */
  readonly stamps: FileStamps;
  readonly configurationBytes: Buffer | undefined;
  readonly identity: BuildIdentity;
  readonly asOf: AsOf;
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
