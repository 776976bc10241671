/** One property of a source, before it is a file: judged as a file of the content would be. */

import type { AuthoredPhoto, AuthoredProperty } from '../contract/authored.ts';
import type { Vocabulary } from '../contract/vocabulary.ts';
import type { PhotoEntry, PropertyFile } from '../editing/property-text.ts';
import { nameUuid } from '../release/uuid-v5.ts';
import { type Diagnostic, diagnose } from '../source/diagnostic.ts';
import { checkPropertyFile, MAX_FILE_BYTES } from '../source/property-file.ts';

/** A value as a source gives it: authored keys, any values. */
export type RawProperty = Readonly<Record<string, unknown>>;

/** One property of a source. */
export type Candidate = {
  /** Where it stands, such as "line 17". */
  readonly at: string;
  /** Undefined when it could not be had. */
  readonly raw: RawProperty | undefined;
  /** Why not, and what was found on the way. */
  readonly findings: readonly ImportFinding[];
};

/** What is wrong with a candidate. */
export type ImportFinding = {
  /** A code of a diagnostic, or one of the import: `not-received`, `malformed-row`, `photo-not-received`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** The authored field that it is about; empty for the candidate as a whole. */
  readonly field: string;
  readonly message: string;
  readonly help: string;
};

/** A property, or why the row is not one. */
export type Judged = {
  readonly property: AuthoredProperty | undefined;
  readonly findings: readonly ImportFinding[];
};

/** Judges a value with the checks, and the codes, of content files. */
export function judge(raw: RawProperty, vocabulary: Vocabulary): Judged {
  const lines = Object.entries(raw)
    .filter(([, value]) => value !== undefined && value !== null)
    // JSON is YAML, so that structure and texts of whatever kind arrive as they are.
    .map(([key, value]) => `${key}: ${JSON.stringify(withoutNull(value))}\n`);
  const bytes = Buffer.from(lines.join(''));
  if (bytes.length > MAX_FILE_BYTES) {
    const args = { bytes: bytes.length, limit: MAX_FILE_BYTES };
    return { property: undefined, findings: [findingOf(diagnose('file-too-large', '', null, args))] };
  }
  const { property, diagnostics } = checkPropertyFile(bytes, '', vocabulary);
  return { property, findings: diagnostics.map(findingOf) };
}

/** A diagnostic of the text that {@link judge} made. */
export function findingOf({ code, severity, span, message, help }: Diagnostic): ImportFinding {
  // What is missing is reported at the start of the text, where something else stands.
  const line = code.startsWith('missing-') ? '' : (span?.text ?? '');
  const [, field = ''] = /^([a-z_]+):/.exec(line) ?? [];
  return { code, severity, field, message, help };
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) => (entry === null ? [] : [[key, withoutNull(entry)]])),
  );
}

/** What is written of a property: nothing that follows from the rest. */
export function toPropertyFile(property: AuthoredProperty): PropertyFile {
  const isInOrder = property.photo.every(({ position }, index) => (position ?? index + 1) === index + 1);
  return {
    ...property,
    photo: property.photo.map((photo, index) => toEntry(photo, index, property.id, isInOrder)),
  };
}

function toEntry(
  { file, url = '', thumbnail, description, id, position }: AuthoredPhoto,
  index: number,
  propertyId: string,
  isInOrder: boolean,
): PhotoEntry {
  const isMade = id === undefined || id === nameUuid(file ?? url, propertyId);
  return {
    ...(file !== undefined ? { file } : { url, ...(thumbnail !== undefined && { thumbnail }) }),
    ...(description ? { description } : {}),
    ...(isMade ? {} : { id }),
    ...(isInOrder ? {} : { position: position ?? index + 1 }),
  };
}
