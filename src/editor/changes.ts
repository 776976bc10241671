import type { FieldValues } from '../editing/field-values.ts';
import { countText } from '../text/amounts.ts';

export type GitState = {
  readonly branch: string | null;
  /** Author of the next commit, such as `Ada <ada@example.com>`; null when Git has none configured. */
  readonly author: string | null;
  /** Why committing is impossible now, such as an unfinished merge; null when it is possible. */
  readonly obstacle: string | null;
  readonly merge: UnfinishedMerge | null;
};

export type UnfinishedMerge = {
  /** `unmerged`: a file has two versions although no merge or rebase is unfinished, such as after `git stash pop`. */
  readonly kind: 'merge' | 'unmerged' | 'rebase' | 'cherry-pick' | 'revert';
  /** `lead` is shown before the links to the properties in `open`, `rest` after them. */
  readonly lead: string;
  readonly rest: string;
  /** Properties whose files have conflict markers. */
  readonly open: readonly { readonly path: string; readonly title: string }[];
  /** Conflicts in which the user must choose one version of the whole file. */
  readonly whole: readonly WholeFileChoice[];
  /** Whether nothing is left to choose, so that the next commit finishes the merge. */
  readonly isReady: boolean;
};

export type WholeFileChoice = {
  readonly path: string;
  readonly title: string;
  /** Digest of both versions and of the file on disk. */
  readonly version: string;
  /**
   * `yours`, `theirs`: fields that this side changed; empty if the file is not a property, null if this side removed
   * the file.
   */
  readonly yours: FieldValues | null;
  readonly theirs: FieldValues | null;
};

export type LineHunk = {
  readonly oldLine: number;
  readonly newLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
};

export type ChangesResponse = {
  readonly git: GitState;
  readonly files: readonly ChangedFile[];
  /** Suggested commit message: for a merge, Git's own; otherwise one about all `files`. */
  readonly message: string;
};

export type ChangedFile = {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
  /** Digest of the file's bytes; empty for a removed file. */
  readonly version: string;
  readonly title: string;
  /** Empty if the file is not a property or has no city. */
  readonly city: string;
  readonly errors: number;
  /** Number of errors that the file did not have in the last commit. */
  readonly newErrors: number;
  /** Paths of changed photos that the property uses or used. They are committed with it. */
  readonly photos: readonly string[];
  /** `before` or `after` is undefined if that side lacks the field or entry. */
  readonly fields: readonly {
    readonly label: string;
    readonly field: string;
    readonly before?: string | undefined;
    readonly after?: string | undefined;
  }[];
  readonly lines: readonly LineHunk[] | null;
  /** Whether the old or the new file has errors: then `fields` may lack changes that `lines` has. */
  readonly isPartial?: boolean;
  /** Whether an unfinished merge changed the file, so that reverting to the last commit would lose those changes. */
  readonly isMerging?: boolean;
};

/**
 * Returns the files to commit: all but `leftOut`. Also leaves out a new or changed photo if `leftOut` has all the
 * properties that show it, and a removed photo if `leftOut` has any property that showed it.
 */
export function chosenFiles(files: readonly ChangedFile[], leftOut: ReadonlySet<string>): ChangedFile[] {
  const owners = new Map<string, string[]>();
  for (const { path, photos } of files)
    for (const photo of photos) owners.set(photo, [...(owners.get(photo) ?? []), path]);
  const isLeft = (path: string) => leftOut.has(path);
  return files.filter(({ path, kind }) => {
    const own = owners.get(path) ?? [path];
    return kind === 'removed' ? !own.some(isLeft) : !own.every(isLeft);
  });
}

export type CommitResponse = {
  readonly commit: string;
  readonly branch: string | null;
};

/** `fields`: names of the fields that Undo would restore; null for the whole file. */
export type RevertResponse = { readonly fields: readonly string[] | null };

export function isPropertyPath(path: string): boolean {
  return /\.ya?ml$/i.test(path) && path !== 'catalogue.yaml';
}

const VERBS = { added: 'Add', changed: 'Change', removed: 'Remove' } as const;

/** If a property has more changed fields, the commit message gives only its title. */
const MAX_FIELDS = 3;

export function commitMessageFor(files: readonly ChangedFile[]): string {
  const properties = files.filter(({ path }) => isPropertyPath(path));
  if (properties.length === 0) return files.length > 0 ? 'Change files of the catalogue' : '';
  const parts = (Object.keys(VERBS) as ChangedFile['kind'][]).flatMap((kind) => {
    const same = properties.filter((file) => file.kind === kind);
    const [first] = same;
    if (!first) return [];
    return `${VERBS[kind]} ${same.length === 1 ? summarizeChange(first) : countText(same.length, 'property')}`;
  });
  const [start = '', ...rest] = parts;
  return [start, ...rest.map((part) => part.charAt(0).toLowerCase() + part.slice(1))].join(', ');
}

/** Returns "title and phone of Rose Cottage", or "Rose Cottage" for a new, removed or much changed property. */
export function summarizeChange({
  kind,
  title,
  fields,
}: Pick<ChangedFile, 'kind' | 'title' | 'fields'>): string {
  const labels = [...new Set(fields.map(({ label }) => label.toLowerCase()))];
  if (kind !== 'changed' || labels.length === 0 || labels.length > MAX_FIELDS) return title;
  const last = labels.at(-1)!;
  const names = labels.length === 1 ? last : `${labels.slice(0, -1).join(', ')} and ${last}`;
  return `${names} of ${title}`;
}
