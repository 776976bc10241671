/** Changes since the last commit, and the answer to a commit, as `api.ts` lists them. */

export type GitState = {
  /** Null when no branch is checked out. */
  readonly branch: string | null;
  /** Author of the next commit, such as `Ada <ada@example.com>`; null when Git has none configured. */
  readonly author: string | null;
  /** Reason why committing is impossible now, such as an unfinished merge; null when it is possible. */
  readonly obstacle: string | null;
};

/** A block of changed lines. */
export type LineChange = {
  /** First line of the block in the old text and in the new one, from 1. */
  readonly oldLine: number;
  readonly newLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
};

/** Changes since the last commit. */
export type ChangesResponse = {
  readonly git: GitState;
  readonly files: readonly ChangedFile[];
  /** Suggested commit message. */
  readonly message: string;
};

/** A file of the content folder that differs from the last commit. */
export type ChangedFile = {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
  /** Digest of the file's bytes, required by `commit`; empty for a removed file. */
  readonly version: string;
  /** The property's title, or the path. */
  readonly title: string;
  readonly errors: number;
  /** Those that the last record lacks. */
  readonly newErrors: number;
  /** Changed photos that a property names, or named before they were removed: they go with it. */
  readonly photos: readonly string[];
  /** Changes by field; one side is undefined when the field or entry is absent there. */
  readonly fields: readonly {
    readonly label: string;
    readonly field: string;
    readonly before?: string | undefined;
    readonly after?: string | undefined;
  }[];
  /** Changes by line; null for a binary file. */
  readonly lines: readonly LineChange[] | null;
};

/**
 * Returns the files to commit, with the photos of chosen properties: a new one with any of them, and a removed one with
 * all that showed it.
 *
 * @param left paths of files that are not chosen.
 */
export function chosenFiles(files: readonly ChangedFile[], left: ReadonlySet<string>): ChangedFile[] {
  const owners = new Map<string, string[]>();
  for (const { path, photos } of files)
    for (const photo of photos) owners.set(photo, [...(owners.get(photo) ?? []), path]);
  const isLeft = (path: string) => left.has(path);
  return files.filter(({ path, kind }) => {
    const own = owners.get(path) ?? [path];
    return kind === 'removed' ? !own.some(isLeft) : !own.every(isLeft);
  });
}

export type CommitResponse = {
  /** Abbreviated commit hash. */
  readonly commit: string;
  readonly branch: string | null;
};
