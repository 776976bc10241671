import type { Authored } from '../editing/field-values.ts';

export type RemoteResponse = {
  readonly branch: string | null;
  readonly main: string;
  /** Other local branches with commits that the main branch lacks. */
  readonly apart: readonly string[];
  readonly remote: string | null;
  /** Numbers of commits: local ones to push, and fetched ones to merge. */
  readonly unsent: number;
  readonly newer: number;
  /** Who changed what in the newer commits: a sentence for each person. */
  readonly news: readonly string[];
  readonly problem: string | null;
  /** URL where a merge request can be opened; null if the hosting service is unknown. */
  readonly request: string | null;
  /** Whether the published catalogue has the last commit; null when unknown. */
  readonly isLive: boolean | null;
  /** Whether the configured base URL is not this computer. */
  readonly hasAddress: boolean;
};

export type ReceivedConflict = {
  readonly key: string;
  readonly path: string;
  readonly title: string;
  readonly field: string | null;
  readonly yours: Authored | undefined;
  readonly theirs: Authored | undefined;
};

export type ReceiveResponse = {
  /** Identifies the versions compared. A choice made for other versions is asked again. */
  readonly mark: string;
  readonly conflicts: readonly ReceivedConflict[];
};

export type ConflictSide = 'yours' | 'theirs';
