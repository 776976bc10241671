/** The result of reading one file. */
import type { Visibility } from '../../contract/visibility.ts';
import type { Entry } from '../../release/sequence.ts';
import type { PlacedFile } from '../../source/cross-finding.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { PhotoFile } from '../../source/photo-file.ts';

export type MediaUse = PhotoFile & {
  /** Index in the YAML file's list of photos. */
  readonly index: number;
  /** Whether the property's thumbnail is made from this photo. */
  readonly thumbnail: boolean;
};

/** Location of a detail in a temporary file (spool). */
export type Staged = { readonly spool: number; readonly offset: number; readonly length: number };

export type RecordEntry = Entry & {
  readonly path: string;
  /** Location of the detail; undefined for a published one. */
  readonly staged?: Staged | undefined;
  /** Index among the published records of this build, once they are ordered. */
  place?: number | undefined;
};

/** Values for checks across files, as far as they are valid. */
export type CheckedAcrossFiles = Omit<PlacedFile, 'path'>;

export type FileRecord = {
  readonly path: string;
  /** Digest of the file's bytes; empty when it could not be read or no later build compares it. */
  readonly digest: string;
  readonly diagnostics: readonly Diagnostic[];

  /** Dates and draft state; undefined: always shown. */
  readonly visibility?: Visibility | undefined;
  /** Undefined when there is an error or nothing will be published. */
  readonly entry?: RecordEntry | undefined;
  /** Id, country and city, when `entry` is absent. */
  readonly placed?: CheckedAcrossFiles | undefined;
  /** The file has the known digest; the other values are empty. */
  readonly unchanged?: boolean;
  readonly media: readonly MediaUse[];
};

/** Returns a copy of a record with other values. */
export function recordWith(
  { path, digest, diagnostics, visibility, entry, placed, media }: FileRecord,
  other: Partial<FileRecord>,
): FileRecord {
  return { path, digest, diagnostics, visibility, entry, placed, media, ...other };
}
