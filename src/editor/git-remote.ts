import type { AuthoredValue } from '../editing/field-values.ts';
import type { UnfinishedMerge } from './changes.ts';

export type RemoteResponse = {
  readonly branch: string | null;
  readonly main: string;
  /** Other local branches with commits that the main branch lacks. */
  readonly unmergedBranches: readonly string[];
  readonly remote: string | null;
  /** Numbers of commits: `unsent` to push, `newer` to merge. */
  readonly unsent: number;
  readonly hasRecords: boolean;
  /** Files and folders beside the content folder that are in no commit, such as `package.json` and `.github/`. */
  readonly unrecorded: readonly string[];
  readonly newer: number;
  /** A sentence for each author of newer commits. If many files changed, a last one says how many are not named. */
  readonly newerSummaries: readonly string[];
  readonly problem: string | null;
  /** URL that opens a merge request; null on the main branch, before a push, or for an unknown hosting service. */
  readonly mergeRequestUrl: string | null;
  readonly merge: UnfinishedMerge | null;
  /** Whether the last commit is published; null when unknown. */
  readonly isLive: boolean | null;
  /** URL of a guide to hosting, while the base URL is on this computer; otherwise null. */
  readonly hostingGuide: string | null;
};

export type ReceivedConflict = {
  readonly key: string;
  readonly path: string;
  readonly title: string;
  /**
   * Null if whole files conflict. Then `yours` and `theirs` are the text of the file, a photo as a `data:` URL, or the
   * size of any other file; undefined if that side removed the file.
   */
  readonly field: string | null;
  readonly yours: AuthoredValue | undefined;
  readonly theirs: AuthoredValue | undefined;
};

export type MergeResponse = {
  /** Identifies the compared versions. Choices sent with another mark are ignored. */
  readonly mark: string;
  readonly conflicts: readonly ReceivedConflict[];
};

export type ConflictSide = 'yours' | 'theirs';
