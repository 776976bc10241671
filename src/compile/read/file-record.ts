import type { Visibility } from '../../contract/visibility.ts';
import type { SequenceEntry } from '../../release/sequence.ts';
import type { CrossFileInput } from '../../source/cross-file-finding.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { PhotoFile } from '../../source/photo-file.ts';

export type PhotoUse = PhotoFile & {
  /** Index in the property's list of photos. */
  readonly index: number;
  /** Whether the thumbnail is made from this photo. */
  readonly thumbnail: boolean;
};

/** Where a detail is in a thread's temporary file (spool). */
export type SpoolLocation = { readonly spool: number; readonly offset: number; readonly length: number };

export type RecordEntry = SequenceEntry & {
  readonly path: string;
  /** Undefined if the entry is from the last build. */
  readonly spooled?: SpoolLocation | undefined;
  /** Index of the published record that has this entry. Set by `orderCatalogue`; undefined if no record has it. */
  publishedIndex?: number | undefined;
};

/** Values that checks across files compare. Invalid ones are undefined. */
export type CrossFileValues = Omit<CrossFileInput, 'path'>;

export type FileRecord = {
  readonly path: string;
  /** Digest of the file. Empty if the file is unreadable or too large, or without `ReadTask.reusableDigests`. */
  readonly digest: string;
  readonly diagnostics: readonly Diagnostic[];

  /** Undefined: the property is always shown. */
  readonly visibility?: Visibility | undefined;
  /** Undefined for a file with errors or an incomplete draft, and for all files if nothing will be published. */
  readonly entry?: RecordEntry | undefined;
  /** Undefined if there is an `entry`, which has the same values, or if the file is unreadable. */
  readonly crossFileValues?: CrossFileValues | undefined;
  /** True if `digest` is the one in `ReadTask.reusableDigests`. Then only `path` and `digest` have values. */
  readonly hasReusableDigest?: boolean;
  readonly media: readonly PhotoUse[];
};

export function crossFileValuesOf({ entry, crossFileValues }: FileRecord): CrossFileValues | undefined {
  return entry ?? crossFileValues;
}

/** Copies each value by name, since a spread would lose the values of a `RecordRow`, which are getters. */
export function recordWith(
  { path, digest, diagnostics, visibility, entry, crossFileValues, media }: FileRecord,
  other: Partial<FileRecord>,
): FileRecord {
  return { path, digest, diagnostics, visibility, entry, crossFileValues, media, ...other };
}
