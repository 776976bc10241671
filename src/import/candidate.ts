/** Validates a property of a source by the checks for content files. */

import type { AuthoredPhoto, AuthoredProperty } from '../contract/authored.ts';
import type { Terms } from '../contract/terms.ts';
import type { PhotoEntry, PropertyFile } from '../editing/property-text.ts';
import { nameUuid } from '../release/uuid-v5.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { checkPropertyFile } from '../source/property-file.ts';

/** A property of a source: authored field names, any values. */
export type RawProperty = Readonly<Record<string, unknown>>;

/** A property of a source, or the failure to read it. */
export type Candidate = {
  /** Place in the source, such as "line 17". */
  readonly at: string;
  /** Undefined when it could not be read. */
  readonly raw: RawProperty | undefined;
  /** Reasons for the failure, and other findings. */
  readonly findings: readonly ImportFinding[];
};

export type ImportFinding = {
  /** Code of a diagnostic, or one of the import's: `not-received`, `malformed-row`, `photo-not-received`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  /** The authored field it concerns; empty for the whole candidate. */
  readonly field: string;
  readonly message: string;
  readonly help: string;
};

/** A valid property, or undefined; and the findings. */
export type Validated = {
  readonly property: AuthoredProperty | undefined;
  readonly findings: readonly ImportFinding[];
};

/** Validates a property by the checks, and with the codes, of content files. */
export function validate(raw: RawProperty, terms: Terms): Validated {
  const lines = Object.entries(raw)
    .filter(([, value]) => value !== undefined && value !== null)
    // JSON is valid YAML, so structure and texts are preserved.
    .map(([key, value]) => `${key}: ${JSON.stringify(withoutNull(value))}\n`);
  const bytes = Buffer.from(lines.join(''));
  const { property, diagnostics } = checkPropertyFile(bytes, '', terms);
  return { property, findings: diagnostics.map(findingOf) };
}

/** Converts a diagnostic of the text made by {@link validate}. */
export function findingOf({ code, severity, span, message, help }: Diagnostic): ImportFinding {
  // Missing fields are reported at the start of the text, where another field is.
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

/** Converts a property for its file, without values that are the default. */
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
