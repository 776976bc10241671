/** Where recorded changes are, and what colleagues sent, as `api.ts` lists them. */
import type { Authored } from '../editing/field-values.ts';

export type RemoteResponse = {
  /** Null when no branch is checked out. */
  readonly branch: string | null;
  /** The branch that all share. */
  readonly main: string;
  /** Other branches of this computer whose records the main one lacks. */
  readonly apart: readonly string[];
  /** Name of the place to which records are sent; null without one. */
  readonly remote: string | null;
  readonly unsent: number;
  /** Number of records of colleagues that are not here yet. */
  readonly newer: number;
  /** Who changed what in those, in a sentence for each person. */
  readonly news: readonly string[];
  /** Why the last look for newer changes failed; null when it did not. */
  readonly problem: string | null;
  /** Address at which a request to join the main branch is made; null where there is none. */
  readonly request: string | null;
  /** Whether the published catalogue has the last record; null when that cannot be known. */
  readonly isLive: boolean | null;
  /** Whether the catalogue has an address other than this computer. */
  readonly hasAddress: boolean;
};

/** A field, or a whole file, that two sides changed differently. */
export type ReceivedConflict = {
  /** Names it in the choices of the next request. */
  readonly key: string;
  readonly path: string;
  readonly title: string;
  /** Null for the whole file. */
  readonly field: string | null;
  /** Undefined when this side lacks it. */
  readonly yours: Authored | undefined;
  readonly theirs: Authored | undefined;
};

export type ReceiveResponse = {
  /** What the conflicts were found in: choices for anything newer are asked again. */
  readonly mark: string;
  /** What has to be chosen first: nothing was changed. Empty when the changes are here. */
  readonly conflicts: readonly ReceivedConflict[];
};

export type ConflictSide = 'yours' | 'theirs';
