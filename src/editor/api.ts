/**
 * API between the editor page and `catalogue dev`: JSON under {@link EDIT_API_PATH}, with the cookie that
 * `exchangeToken` sets. An error response is a {@link FailureResponse}.
 *
 * | Request | Body | Response |
 * |---|---|---|
 * | `POST enter` | none; the token in the header {@link TOKEN_HEADER} | a cookie |
 * | `GET catalogue` | | `CatalogueResponse` of `catalogue-info.ts` |
 * | `GET properties?since=` | | {@link PropertiesResponse} |
 * | `GET property?path=` or `?id=` | | {@link PropertyResponse} |
 * | `GET thumbnail?path=` | | a redirection to a property's thumbnail |
 * | `POST check` | `RequestBody` of `requests.ts` | {@link CheckResponse} |
 * | `POST save` | the same | {@link PropertyResponse} |
 * | `POST restore` | the same | an object |
 * | `POST new` | the same | {@link PropertyResponse} |
 * | `POST copy` | the same | {@link PropertyResponse} |
 * | `POST rename` | the same | {@link PropertyResponse} |
 * | `POST remove` | the same | {@link RemoveResponse} |
 * | `POST photo?path=&name=` | the bytes of an image | {@link PhotoResponse} |
 * | `POST picture?name=` | the bytes of an image | a JPEG or WebP of it, as the request above stores it |
 * | `GET photo?path=&side=` | | a small JPEG or WebP of a photo of the content folder |
 * | `POST streets` | the same | an empty object |
 * | `GET changes` | | `ChangesResponse` of `changes.ts` |
 * | `POST commit` | the same | `CommitResponse` |
 * | `GET remote` | | `RemoteResponse` of `remote.ts` |
 * | `POST look` | the same | `RemoteResponse` |
 * | `POST send` | the same | `RemoteResponse` |
 * | `POST receive` | the same | `ReceiveResponse` |
 * | `POST open-branch` | the same | `RemoteResponse` |
 * | `POST keep-side` | the same | an empty object |
 * | `POST take-back` | the same | `TakeBackResponse` of `changes.ts` |
 *
 * Paths are relative to the content folder, with `/`. A version is the digest of a file's bytes. Responses to `GET`
 * have an `ETag`.
 */
import type { AuthoredValue, FieldValues } from '../editing/field-values.ts';
import type { LineChange, UnfinishedMerge } from './changes.ts';

export type { AuthoredValue, FieldValues } from '../editing/field-values.ts';

/** Names of fields and indexes in lists, from 0: `['photo', 0, 'description']`. */
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
} as const;

export type FailureCode = keyof typeof FAILURE_STATUSES;

export type SaveConflict = {
  readonly theirs: PropertyResponse | null;
};

/** Why the form cannot change a file, which a text editor still can. */
export type ReadOnlyReason = {
  readonly reason: string;
  readonly line: number | null;
  /** Opens the line in an editor: `vscode://file/...`. */
  readonly link: string;
  /** Whether a YAML alias shares the value between places. A save with `isSeparating` gives each its own. */
  readonly isShared?: boolean;
  readonly isMerging?: boolean;
  /** The versions of a merge that was not finished. A save with `isMerging` changes fields of `yours`. */
  readonly versions?: ConflictedValues;
};

export type ConflictedValues = {
  readonly base: FieldValues;
  readonly yours: FieldValues;
  readonly theirs: FieldValues;
  /** Null if Git knows of no merge. */
  readonly kind: UnfinishedMerge['kind'] | 'stash' | null;
  /** What Git calls both versions. */
  readonly names: readonly [yours: string, theirs: string];
};

/** `isWhole`: all rows. Otherwise only the changes since the response whose `mark` the request sent as `since`. */
export type PropertiesResponse = {
  readonly mark: string;
  readonly isWhole: boolean;
  readonly rows: readonly PropertyRow[];
  /** Paths of removed files; empty when `isWhole`. */
  readonly gone: readonly string[];
  /** Number of files, also of photos and settings, that differ from the last commit. */
  readonly changed: number;
  /** Why the preview shows an older catalogue, such as an error in the settings; null when it is up to date. */
  readonly problem: string | null;
};

export type PublicationState = 'live' | 'draft' | 'scheduled' | 'ended';

export type PropertyRow = {
  readonly path: string;
  /** Texts are empty when missing or unreadable. */
  readonly title: string;
  readonly city: string;
  readonly country: string;
  readonly state: PublicationState;
  readonly errors: number;
  readonly warnings: number;
  /** Compared with the last commit. */
  readonly changed: 'added' | 'changed' | null;
  /** Cache key for the thumbnail's URL, which changes with the photo; 0 without a photo. */
  readonly picture: number;
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
  /** From 1; null for the whole file. */
  readonly line: number | null;
  /** Automatic correction. A null value removes the field. */
  readonly fix: {
    readonly label: string;
    readonly changes: readonly { readonly path: ValuePath; readonly value: AuthoredValue }[];
  } | null;
};

export type CheckResponse = Pick<PropertyResponse, 'text' | 'values' | 'findings' | 'state'> & {
  readonly lines: readonly LineChange[];
};

export type RemoveResponse = {
  readonly photos: readonly string[];
  readonly kept: readonly string[];
};

/** Resized, without metadata. A photo that no save refers to is deleted when the session ends. */
export type PhotoResponse = {
  readonly path: string;
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
};

/** Data of the event `files` of `/_dev/events`: earlier responses are stale. The event `state` follows the build. */
export type FilesEvent = {
  /** Null when there are too many to list, or the file watcher did not name them. */
  readonly paths: readonly string[] | null;
};
