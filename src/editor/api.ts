/**
 * What the page that edits a property and `catalogue dev` say to each other: JSON below {@link EDIT_API_PATH}, with the token in
 * the header {@link TOKEN_HEADER}. An answer that is no success is a {@link Failure}.
 *
 * | Request | Body | Answer |
 * |---|---|---|
 * | `GET catalogue` | | `CatalogueAnswer` of `catalogue-info.ts` |
 * | `GET properties` | | {@link PropertiesAnswer} |
 * | `GET property?path=` | | {@link PropertyAnswer} |
 * | `POST check` | `Body` of `requests.ts` | {@link CheckAnswer} |
 * | `POST save` | the same | {@link PropertyAnswer} |
 * | `POST restore` | the same | {@link PropertyAnswer} |
 * | `POST new` | the same | {@link PropertyAnswer} |
 * | `POST copy` | the same | {@link PropertyAnswer} |
 * | `POST rename` | the same | {@link PropertyAnswer} |
 * | `POST remove` | the same | {@link RemoveAnswer} |
 * | `POST photo?path=&name=` | the bytes of an image | {@link PhotoAnswer} |
 * | `GET photo?path=` | | a small JPEG or WebP of a photo of the content folder |
 * | `GET changes` | | `ChangesAnswer` of `changes.ts` |
 * | `POST commit` | the same | `CommitAnswer` |
 *
 * Paths are relative to the content folder, with `/`. A version is the digest of a file's bytes.
 */
import type { Authored } from '../editing/field-values.ts';
import type { LineChange } from './changes.ts';

export type { Authored, FieldValues } from '../editing/field-values.ts';

/** The place of a value: names of fields, and places in lists from 0, such as `['photo', 0, 'description']`. */
export type ValuePath = readonly (string | number)[];

/** Where the page is: `index.html`, `app.js` and `app.css`. Its fragment is the token: `/_edit/#<token>`. */
export const PAGE_PATH = '/_edit/';
/** What the paths of the requests begin with. */
export const EDIT_API_PATH = '/_edit/api/';
/** The header that has the token. */
export const TOKEN_HEADER = 'catalogue-edit-token';

/** Why something was not done. */
export type Failure = {
  /** Permanent: see {@link FAILURES}. */
  readonly code: FailureCode;
  /** What is wrong and what to do, for people. */
  readonly message: string;
  /** With `changed-meanwhile`. */
  readonly conflict?: Conflict;
  /** With `not-editable`. */
  readonly obstacle?: Obstacle;
};

/** Every code of a {@link Failure}, with its status. */
export const FAILURES = {
  /** The request is not what this page describes. */
  'bad-request': 400,
  /** The token is missing or wrong. */
  'wrong-token': 401,
  /** The request comes from another site. */
  'foreign-site': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  /** The body took too long. */
  'too-slow': 408,
  /** The file is not the version that the request names. */
  'changed-meanwhile': 409,
  /** There is a file of this name. */
  'name-taken': 409,
  'too-large': 413,
  'wrong-content-type': 415,
  /** The file cannot be edited safely, or the edits do not fit it. */
  'not-editable': 422,
  /** The photo cannot be used. */
  'bad-photo': 422,
  /** Git refuses. */
  'git-failed': 422,
  /** The file system refuses. */
  'not-written': 500,
} as const;

export type FailureCode = keyof typeof FAILURES;

/** A file that changed since it was read. */
export type Conflict = {
  /** What there is now; null when the file is gone. */
  readonly theirs: PropertyAnswer | null;
};

/** Why a file cannot be edited here: it can be opened in an editor. */
export type Obstacle = {
  /** For people. */
  readonly reason: string;
  /** From 1; null where it is the file as a whole. */
  readonly line: number | null;
  /** Opens the line in an editor: `vscode://file/...`. */
  readonly link: string;
};

/** Every property file, by path. */
export type PropertiesAnswer = { readonly properties: readonly PropertyRow[] };

/** Whether a property is published: now, never, from a later time on, no longer. */
export type PublicationState = 'live' | 'draft' | 'scheduled' | 'ended';

export type PropertyRow = {
  readonly path: string;
  /** Texts are empty where the file does not say, or cannot be read. */
  readonly id: string;
  readonly title: string;
  readonly city: string;
  readonly country: string;
  readonly state: PublicationState;
  readonly errors: number;
  readonly warnings: number;
  /** Since the last commit. */
  readonly changed: 'added' | 'changed' | null;
  /** A URL, or null. */
  readonly thumbnail: string | null;
};

/** A property file. */
export type PropertyAnswer = {
  readonly path: string;
  readonly version: string;
  readonly text: string;
  /** What it says; empty where it cannot be read. */
  readonly values: { readonly [field: string]: Authored };
  /** Null when the file can be edited here. */
  readonly obstacle: Obstacle | null;
  readonly findings: readonly Finding[];
  readonly state: PublicationState;
  /** Opens the file in an editor. */
  readonly link: string;
};

/** What `check` finds. */
export type Finding = {
  /** `docs/diagnostics.md` explains each. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** What to do; empty when the message says it. */
  readonly help: string;
  /** The field that it is about; null for the file as a whole. */
  readonly field: ValuePath | null;
  /** From 1; null for the file as a whole. */
  readonly line: number | null;
  /** The certain remedy: other values, and words for them. Null takes a value out. */
  readonly fix: {
    readonly label: string;
    readonly changes: readonly { readonly path: ValuePath; readonly value: Authored }[];
  } | null;
};

export type CheckAnswer = Pick<PropertyAnswer, 'text' | 'values' | 'findings' | 'state'> & {
  /** The lines that a save would change. */
  readonly lines: readonly LineChange[];
};

export type RemoveAnswer = {
  /** Photos that go with it, since nothing else uses them. */
  readonly photos: readonly string[];
  /** Photos that stay, since other properties use them. */
  readonly kept: readonly string[];
};

/**
 * A photo that was taken in: shrunk, upright, without metadata. No property names it yet: the next save does. What none
 * names when the session ends is removed.
 */
export type PhotoAnswer = {
  /** Relative to the content folder. */
  readonly path: string;
  /** Relative to the file of the property: the value of `file`. */
  readonly file: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
};

/**
 * The event `files` of `/_dev/events` (server-sent): something changed on the disk, and the answers above are new. The
 * event `state` comes when what is served is new.
 */
export type FilesEvent = {
  /** Null when there are too many to name. */
  readonly paths: readonly string[] | null;
};
