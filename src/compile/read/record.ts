import type { Visibility } from '../../contract/visibility.ts';
import type { Entry } from '../../release/sequence.ts';
import type { PlacedFile } from '../../source/cross-finding.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { PhotoFile } from '../../source/photo-file.ts';

export type MediaUse = PhotoFile & {
  /** Index in the property's list of photos. */
  readonly index: number;
  /** The thumbnail is made from this photo. */
  readonly thumbnail: boolean;
};

/** Location of a detail in a temporary file (spool). */
export type SpoolLocation = { readonly spool: number; readonly offset: number; readonly length: number };

export type RecordEntry = Entry & {
  readonly path: string;
  /** Undefined if the entry is from the last build. */
  readonly staged?: SpoolLocation | undefined;
  /** Among the published records of this build; set by ordering them. Undefined before, and if none has this entry. */
  publishedIndex?: number | undefined;
};

/** Contains only the valid values. */
export type CheckedAcrossFiles = Omit<PlacedFile, 'path'>;

export type FileRecord = {
  readonly path: string;
  /** Digest of the file's bytes. Empty if the file is unreadable or no later build compares it. */
  readonly digest: string;
  readonly diagnostics: readonly Diagnostic[];

  /** Undefined: always shown. */
  readonly visibility?: Visibility | undefined;
  /** Undefined for a file with errors, or if nothing will be published. */
  readonly entry?: RecordEntry | undefined;
  /** Used when `entry` is undefined. */
  readonly placed?: CheckedAcrossFiles | undefined;
  /** The file has the known digest, so the other values are left empty. */
  readonly unchanged?: boolean;
  readonly media: readonly MediaUse[];
};

export function placedOf({ entry, placed }: FileRecord): CheckedAcrossFiles | undefined {
  return entry ?? placed;
}

/** Not a spread: a row's values are getters. */
export function recordWith(
  { path, digest, diagnostics, visibility, entry, placed, media }: FileRecord,
  other: Partial<FileRecord>,
): FileRecord {
  return { path, digest, diagnostics, visibility, entry, placed, media, ...other };
}
