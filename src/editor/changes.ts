import type { FieldValues } from '../editing/field-values.ts';
import { plural } from '../text/words.ts';

export type GitState = {
  readonly branch: string | null;
  /** Author of the next commit, such as `Ada <ada@example.com>`; null when Git has none configured. */
  readonly author: string | null;
  /** Why committing is impossible now, such as an unfinished merge; null when it is possible. */
  readonly obstacle: string | null;
  readonly merge: UnfinishedMerge | null;
};

export type UnfinishedMerge = {
  /** `unmerged`: two versions of a file without a merge, such as after `git stash pop`. */
  readonly kind: 'merge' | 'unmerged' | 'rebase' | 'cherry-pick' | 'revert';
  /** Sentences before and after the links to `open`. */
  readonly lead: string;
  readonly rest: string;
  /** Properties whose files have both versions. */
  readonly open: readonly { readonly path: string; readonly title: string }[];
  /** Conflicts in which one version of the file must be chosen. */
  readonly whole: readonly WholeFileChoice[];
  /** Whether a record finishes it. */
  readonly isReady: boolean;
};

export type WholeFileChoice = {
  readonly path: string;
  readonly title: string;
  /** Identifies both versions and the file. */
  readonly version: string;
  /** Fields that a side changed, empty for files that are not properties; null if it removed the file. */
  readonly yours: FieldValues | null;
  readonly theirs: FieldValues | null;
};

export type LineChange = {
  readonly oldLine: number;
  readonly newLine: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
};

export type ChangesResponse = {
  readonly git: GitState;
  readonly files: readonly ChangedFile[];
  /** Suggestion for a record of all files. */
  readonly message: string;
};

export type ChangedFile = {
  readonly path: string;
  readonly kind: 'added' | 'changed' | 'removed';
  /** Digest of the file's bytes; empty for a removed file. */
  readonly version: string;
  readonly title: string;
  /** Empty if the file is not a property, or has none. */
  readonly city: string;
  readonly errors: number;
  /** Errors that the last commit does not have. */
  readonly newErrors: number;
  /** Changed photos that the property uses or used: they are committed with it. */
  readonly photos: readonly string[];
  /** `before` or `after` is undefined if that side lacks the field or entry. */
  readonly fields: readonly {
    readonly label: string;
    readonly field: string;
    readonly before?: string | undefined;
    readonly after?: string | undefined;
  }[];
  readonly lines: readonly LineChange[] | null;
  /** Whether a side has errors, so that only `lines` have all changes. */
  readonly isPartial?: boolean;
  /** Whether the last record lacks what an unfinished merge brought, so that it cannot be taken back. */
  readonly isMerging?: boolean;
};

/** A new photo is included if any property that uses it is; a removed one, only if all that used it are. */
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

/** `fields`: all that a restore brings back; null for the whole file. */
export type TakeBackResponse = { readonly fields: readonly string[] | null };

export function isPropertyPath(path: string): boolean {
  return /\.ya?ml$/i.test(path) && path !== 'catalogue.yaml';
}

const VERBS = { added: 'Add', changed: 'Change', removed: 'Remove' } as const;

/** A property with more changed fields is described by its title only. */
const MAX_FIELDS = 3;

export function messageFor(files: readonly ChangedFile[]): string {
  const properties = files.filter(({ path }) => isPropertyPath(path));
  if (properties.length === 0) return files.length > 0 ? 'Change files of the catalogue' : '';
  const parts = (Object.keys(VERBS) as ChangedFile['kind'][]).flatMap((kind) => {
    const same = properties.filter((file) => file.kind === kind);
    const [first] = same;
    if (!first) return [];
    return `${VERBS[kind]} ${same.length === 1 ? summarizeChange(first) : plural(same.length, 'property')}`;
  });
  const [start = '', ...rest] = parts;
  return [start, ...rest.map((part) => part.charAt(0).toLowerCase() + part.slice(1))].join(', ');
}

/** Such as "title and phone of Rose Cottage", or only "Rose Cottage" for other changes. */
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
