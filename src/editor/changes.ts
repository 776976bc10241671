/** What changed since the last commit, and the next commit, as `api.ts` describes their requests. */

/** The repository. */
export type GitState = {
  /** Null where no branch is checked out. */
  readonly branch: string | null;
  /** Who commits, such as `Ada <ada@example.com>`; null when git does not know. */
  readonly author: string | null;
  /** Why nothing can be committed now, such as a merge that is not finished; null when something can. */
  readonly obstacle: string | null;
};

/** A stretch of lines that differs. */
export type LineChange = {
  /** Line before which the stretch begins, from 1, in the old text and in the new one. */
  readonly oldLine: number;
  readonly newLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
};

/** What changed since the last commit. */
export type ChangesAnswer = {
  readonly git: GitState;
  readonly files: readonly ChangedFile[];
  /** For the commit. */
  readonly message: string;
};

/** A file of the content folder that differs from the last commit. */
export type ChangedFile = {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
  /** Digest of its bytes; empty when it is removed. `commit` asks for it. */
  readonly version: string;
  /** What people call it: the title of the property, or its path. */
  readonly title: string;
  /** Number of errors in it. */
  readonly errors: number;
  /** Field by field; undefined on one side where the field, or the entry, is not there. */
  readonly fields: readonly {
    readonly label: string;
    readonly before?: string | undefined;
    readonly after?: string | undefined;
  }[];
  /** Line by line; null for a file that is no text. */
  readonly lines: readonly LineChange[] | null;
};

export type CommitAnswer = {
  /** Abbreviated name of the commit. */
  readonly commit: string;
  readonly branch: string | null;
};
