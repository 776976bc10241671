/**
 * API between the editor page and `catalogue dev`: JSON under {@link EDIT_API_PATH}, with the cookie that `enter` sets.
 * An error answer is a {@link Failure}.
 *
 * | Request | Body | Answer |
 * |---|---|---|
 * | `POST enter` | none; the token in the header {@link TOKEN_HEADER} | a cookie |
 * | `GET catalogue` | | `CatalogueResponse` of `catalogue-info.ts` |
 * | `GET properties?since=` | | {@link PropertiesResponse} |
 * | `GET property?path=` or `?id=` | | {@link PropertyResponse} |
 * | `GET thumbnail?path=` | | a redirection to a property's thumbnail |
 * | `POST check` | `Body` of `requests.ts` | {@link CheckResponse} |
 * | `POST save` | the same | {@link PropertyResponse} |
 * | `POST restore` | the same | {@link PropertyResponse} |
 * | `POST new` | the same | {@link PropertyResponse} |
 * | `POST copy` | the same | {@link PropertyResponse} |
 * | `POST rename` | the same | {@link PropertyResponse} |
 * | `POST remove` | the same | {@link RemoveResponse} |
 * | `POST photo?path=&name=` | the bytes of an image | {@link PhotoResponse} |
 * | `POST picture?name=` | the bytes of an image | a JPEG or WebP of it, as the request above stores it |
 * | `GET photo?path=` | | a small JPEG or WebP of a photo of the content folder |
 * | `POST streets` | the same | an empty object |
 * | `GET changes` | | `ChangesResponse` of `changes.ts` |
 * | `POST commit` | the same | `CommitResponse` |
 * | `GET remote` | | `RemoteResponse` of `remote.ts` |
 * | `POST look` | the same | `RemoteResponse` |
 * | `POST send` | the same | `RemoteResponse` |
 * | `POST receive` | the same | `ReceiveResponse` |
 * | `POST open-branch` | the same | `RemoteResponse` |
 * | `POST take-back` | the same | an empty object |
 *
 * Paths are relative to the content folder, with `/`. A version is the digest of a file's bytes. Answers to `GET` have
 * an `ETag`.
 */
import type { Authored } from '../editing/field-values.ts';
import type { LineChange } from './changes.ts';

export type { Authored, FieldValues } from '../editing/field-values.ts';

/** Path of a value: names of fields and indexes in lists from 0, such as `['photo', 0, 'description']`. */
export type ValuePath = readonly (string | number)[];

/** Folder of the page: `index.html`, `app.js` and `app.css`. The URL's fragment is the token: `/_edit/#<token>`. */
export const PAGE_PATH = '/_edit/';
/** Prefix of the requests' paths. */
export const EDIT_API_PATH = '/_edit/api/';
export const TOKEN_HEADER = 'catalogue-edit-token';

/** Reason for a failed request. */
export type Failure = {
  /** Stable: see {@link FAILURES}. */
  readonly code: FailureCode;
  /** The problem and its solution, for people. */
  readonly message: string;
  /** Set with `changed-meanwhile`. */
  readonly conflict?: Conflict;
  /** Set with `not-editable`. */
  readonly obstacle?: ReadOnlyReason;
};

/** HTTP status of each {@link Failure} code. */
export const FAILURES = {
  /** The request does not match this API. */
  'bad-request': 400,
  'wrong-token': 401,
  /** The request comes from another site. */
  'foreign-site': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  /** The body took too long to arrive. */
  'too-slow': 408,
  /** The file has another version than the request names. */
  'changed-meanwhile': 409,
  /** A file of this name exists already. */
  'name-taken': 409,
  'too-large': 413,
  'wrong-content-type': 415,
  /** The file cannot be edited safely, or the edits do not fit it. */
  'not-editable': 422,
  /** The photo cannot be used. */
  'bad-photo': 422,
  /** Git refused the commit. */
  'git-failed': 422,
  /** Writing a file failed. */
  'not-written': 500,
} as const;

export type FailureCode = keyof typeof FAILURES;

/** A file that changed after it was read. */
export type Conflict = {
  /** The file's present content; null when the file was deleted. */
  readonly theirs: PropertyResponse | null;
};

/** Reason why the form cannot edit a file; a text editor can. */
export type ReadOnlyReason = {
  readonly reason: string;
  /** Line from 1; null for the file as a whole. */
  readonly line: number | null;
  /** Link that opens the line in an editor: `vscode://file/...`. */
  readonly link: string;
  /** Whether a save with `isSeparating` writes the value into each place that shares it. */
  readonly isShared?: boolean;
};

/** All rows, or the changes since the answer whose mark the request has. */
export type PropertiesResponse = {
  readonly mark: string;
  readonly isWhole: boolean;
  /** Sorted by path. */
  readonly rows: readonly PropertyRow[];
  /** Paths of removed files; empty for all rows. */
  readonly gone: readonly string[];
  /** Number of files, also of photos and settings, that differ from the last commit. */
  readonly changed: number;
  /** Why the preview cannot follow the content, such as an error in the settings; null when it does. */
  readonly problem: string | null;
};

/** Publication: published, never, from a later time on, ended. */
export type PublicationState = 'live' | 'draft' | 'scheduled' | 'ended';

export type PropertyRow = {
  readonly path: string;
  /** Texts are empty when the file lacks them or cannot be read. */
  readonly title: string;
  readonly city: string;
  readonly country: string;
  readonly state: PublicationState;
  readonly errors: number;
  readonly warnings: number;
  /** Compared with the last commit. */
  readonly changed: 'added' | 'changed' | null;
  /** Changes with the row, for the address of the thumbnail; 0 without one. */
  readonly picture: number;
};

export type PropertyResponse = {
  readonly path: string;
  readonly version: string;
  readonly text: string;
  /** Empty when the file cannot be read. */
  readonly values: { readonly [field: string]: Authored };
  /** Null when the form can edit the file. */
  readonly obstacle: ReadOnlyReason | null;
  readonly findings: readonly Finding[];
  readonly state: PublicationState;
  /** Link that opens the file in an editor. */
  readonly link: string;
};

/** A diagnostic of `catalogue check`. */
export type Finding = {
  /** See `docs/diagnostics.md`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Solution; empty when the message contains it. */
  readonly help: string;
  /** The field concerned; null for the file as a whole. */
  readonly field: ValuePath | null;
  /** Line from 1; null for the file as a whole. */
  readonly line: number | null;
  /** Automatic correction: a label for its button, and new values. Null removes a value. */
  readonly fix: {
    readonly label: string;
    readonly changes: readonly { readonly path: ValuePath; readonly value: Authored }[];
  } | null;
};

export type CheckResponse = Pick<PropertyResponse, 'text' | 'values' | 'findings' | 'state'> & {
  readonly lines: readonly LineChange[];
};

export type RemoveResponse = {
  /** Photos that are deleted too, because nothing else uses them. */
  readonly photos: readonly string[];
  /** Photos that are kept, because other properties use them. */
  readonly kept: readonly string[];
};

/**
 * An uploaded photo: shrunk, upright, without metadata. The next save adds it to the property; a photo that no save
 * has named by the end of the session is deleted.
 */
export type PhotoResponse = {
  /** Relative to the content folder. */
  readonly path: string;
  /** Relative to the property's file: the value of `file`. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
};

/**
 * Data of the server-sent event `files` of `/_dev/events`: files changed on the disk, so earlier answers of this API
 * are outdated. The event `state` follows when the served catalogue is updated.
 */
export type FilesEvent = {
  /** Changed files; null when there are too many to list, or the watch did not name them. */
  readonly paths: readonly string[] | null;
};
