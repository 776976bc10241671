/**
 * API between the editor page and `catalogue dev`: JSON under {@link EDIT_API_PATH}, with the cookie that
 * `exchangeTokenForCookie` sets. An error response is a {@link FailureResponse}.
 *
 * | Request | Body | Response |
 * |---|---|---|
 * | `POST enter` | none; the token in the header {@link TOKEN_HEADER} | a cookie |
 * | `GET catalogue` | | `CatalogueResponse` of `catalogue-info.ts` |
 * | `GET properties?since=` | | {@link PropertiesResponse} |
 * | `GET property?path=` or `?id=` | | {@link PropertyResponse} |
 * | `GET thumbnail?path=` | | a redirection to a property's thumbnail |
 * | `POST check` | `RequestBody` of `requests.ts` | {@link CheckResponse} |
 * | `POST save` | `RequestBody` | {@link PropertyResponse} |
 * | `POST restore` | `RequestBody` | a {@link PropertyResponse}, or an empty object for another file |
 * | `POST create` | `RequestBody` | {@link PropertyResponse} |
 * | `POST copy` | `RequestBody` | {@link PropertyResponse} |
 * | `POST rename` | `RequestBody` | {@link PropertyResponse} |
 * | `POST remove` | `RequestBody` | {@link RemoveResponse} |
 * | `POST add-photo?path=&name=` | the bytes of an image | {@link PhotoResponse} |
 * | `POST convert-photo?name=` | the bytes of an image | the JPEG or WebP that `POST add-photo` would store |
 * | `GET photo?path=&side=` | | a small JPEG or WebP of a photo in the content folder |
 * | `POST set-street-map` | `RequestBody` | an empty object |
 * | `GET changes` | | `ChangesResponse` of `changes.ts` |
 * | `POST commit` | `RequestBody` | `CommitResponse` |
 * | `GET remote` | | `RemoteResponse` of `git-remote.ts` |
 * | `POST fetch` | `RequestBody` | `RemoteResponse` |
 * | `POST push` | `RequestBody` | `RemoteResponse` |
 * | `POST merge` | `RequestBody` | `MergeResponse` |
 * | `POST switch-branch` | `RequestBody` | `RemoteResponse` |
 * | `POST keep-side` | `RequestBody` | an empty object |
 * | `POST revert` | `RequestBody` | `RevertResponse` of `changes.ts` |
 *
 * Paths are relative to the content folder, with `/`. A version is the digest of a file's bytes. JSON responses to
 * `GET` have an `ETag`.
 */
import type { AuthoredValue, FieldValues } from '../editing/field-values.ts';
import type { LineHunk, UnfinishedMerge } from './changes.ts';

export type { AuthoredValue, FieldValues } from '../editing/field-values.ts';

/** Path to a value: names of fields and zero-based indexes of list entries, such as `['photo', 0, 'description']`. */
export type ValuePath = readonly (string | number)[];

/** The URL's fragment is the session's token: `/_edit/#<token>`. */
export const PAGE_PATH = '/_edit/';
export const EDIT_API_PATH = '/_edit/api/';
export const TOKEN_HEADER = 'catalogue-edit-token';

export type FailureResponse = {
  readonly code: FailureCode;
  readonly message: string;
  readonly conflict?: SaveConflict;
  readonly obstacle?: ReadOnlyReason;
};

export const FAILURE_STATUSES = {
  'bad-request': 400,
  'wrong-token': 401,
  'foreign-site': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  /** The body took too long to arrive. */
  'too-slow': 408,
  'changed-meanwhile': 409,
  'name-taken': 409,
  'too-large': 413,
  'wrong-content-type': 415,
  'not-editable': 422,
  'bad-photo': 422,
  'git-failed': 422,
  'not-written': 500,
  /** A fault of the program. */
  failed: 500,
} as const;

export type FailureCode = keyof typeof FAILURE_STATUSES;

export type SaveConflict = {
  readonly theirs: PropertyResponse | null;
};

/** Why the form cannot change a file. A text editor still can. */
export type ReadOnlyReason = {
  readonly reason: string;
  readonly line: number | null;
  /** Opens the line in an editor: `vscode://file/...`. */
  readonly link: string;
  /** Whether fields share a value by a YAML anchor. A save with `isSeparating` writes the value into each of them. */
  readonly isShared?: boolean;
  readonly isMerging?: boolean;
  /** The versions in a file that has conflict markers. A save with `isMerging` writes `yours` with the new values. */
  readonly versions?: ConflictedValues;
};

export type ConflictedValues = {
  readonly base: FieldValues;
  readonly yours: FieldValues;
  readonly theirs: FieldValues;
  /**
   * What left the conflict markers: `stash` for `git stash pop`, otherwise Git's unfinished operation. Null if Git has
   * neither an unfinished operation nor an unmerged file.
   */
  readonly kind: UnfinishedMerge['kind'] | 'stash' | null;
  /** Names in the conflict markers, such as `HEAD` and `origin/main`. */
  readonly names: readonly [yours: string, theirs: string];
};

/** With `isWhole`, `rows` has all properties, else only those changed since the `mark` that the request sent. */
export type PropertiesResponse = {
  readonly mark: string;
  readonly isWhole: boolean;
  readonly rows: readonly PropertyRow[];
  /** Paths of the files removed since the `mark` that the request sent; to be ignored when `isWhole`. */
  readonly gone: readonly string[];
  /**
   * Number of files that differ from the last commit, without the photos of changed properties. If more than 200 files
   * differ, these photos count too.
   */
  readonly changed: number;
  /** Why the preview shows an older catalogue, such as an error in the settings; null when it is up to date. */
  readonly problem: string | null;
};

export type PublicationState = 'live' | 'draft' | 'scheduled' | 'ended';

export type PropertyRow = {
  readonly path: string;
  /** `title`, `city` and `country` are empty if missing or unreadable. */
  readonly title: string;
  readonly city: string;
  readonly country: string;
  readonly state: PublicationState;
  readonly errors: number;
  readonly warnings: number;
  /** How the file differs from the last commit; null if it does not, or without a Git repository. */
  readonly changed: 'added' | 'changed' | null;
  /** Cache key in the thumbnail's URL: another number whenever the row changes; 0 without a photo. */
  readonly thumbnailVersion: number;
};

export type PropertyResponse = {
  readonly path: string;
  readonly version: string;
  readonly text: string;
  readonly values: { readonly [field: string]: AuthoredValue };
  readonly obstacle: ReadOnlyReason | null;
  readonly findings: readonly Finding[];
  readonly state: PublicationState;
  readonly link: string;
};

export type Finding = {
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Empty when the message already says how to fix it. */
  readonly help: string;
  readonly field: ValuePath | null;
  /** From 1; null if the finding is about the whole file. */
  readonly line: number | null;
  /** Automatic correction; null if there is none. A `value` of null removes the field. */
  readonly fix: {
    readonly label: string;
    readonly changes: readonly { readonly path: ValuePath; readonly value: AuthoredValue }[];
  } | null;
};

export type CheckResponse = Pick<PropertyResponse, 'text' | 'values' | 'findings' | 'state'> & {
  readonly lines: readonly LineHunk[];
};

export type RemoveResponse = {
  readonly photos: readonly string[];
  readonly kept: readonly string[];
};

/** The photo is resized and without metadata. It is deleted at the end of the session if no property uses it. */
export type PhotoResponse = {
  readonly path: string;
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
};

/** Data of the event `files` of `/_dev/events`, which is sent when earlier responses are stale. */
export type FilesEvent = {
  /** Empty if only Git's state changed; null if there are too many, or the file watcher did not name them. */
  readonly paths: readonly string[] | null;
};
