/** One YAML file: from bytes to a checked property, or to diagnostics. */
import { isUtf8 } from 'node:buffer';
import { type AuthoredProperty, authoredSchema } from '../contract/authored.ts';
import type { Vocabulary } from '../contract/configuration.ts';
import { createSpans, type Diagnostic, diagnose } from './diagnostic.ts';
import { findDoubts } from './doubt.ts';
import { type ExactDocument, readExactly } from './exact-reader.ts';
import { type Fault, kindOfValue, locate, schemaFaults } from './fault.ts';
import { readQuickly } from './quick-reader.ts';

/** The largest file that is read, in bytes. */
export const MAX_FILE_BYTES = 1 << 20;

/** What a file says, or what is wrong with it. */
export type CheckedFile = {
  /** The property; undefined when there is an error. */
  readonly property: AuthoredProperty | undefined;
  readonly diagnostics: Diagnostic[];
};

/** Checks the text of one file. `file`: its path, for the diagnostics. Never throws for bad input. */
export function checkPropertyFile(bytes: Buffer, file: string, vocabulary: Vocabulary): CheckedFile {
  const text = decode(bytes);
  if (text === undefined) return refused(notUtf8(bytes, file));
  const quick = checkValue(readQuickly(text), vocabulary);
  if (quick.property && quick.faults.length === 0) return { property: quick.property, diagnostics: [] };
  const document = readExactly(text, file);
  if (document.diagnostics.length > 0) return { property: undefined, diagnostics: document.diagnostics };
  const { property, faults } = checkValue(document.value, vocabulary);
  if (faults.length === 0 && !property) return refused(notAMapping(document, file));
  return { property, diagnostics: faults.map((fault) => locate(fault, file, document)) };
}

/** Finds places in a file that was checked before, for diagnostics that concern several files. */
export function reopen(bytes: Buffer, file: string): ExactDocument {
  return readExactly(decode(bytes) ?? '', file);
}

function refused(diagnostic: Diagnostic): CheckedFile {
  return { property: undefined, diagnostics: [diagnostic] };
}

function notAMapping(document: ExactDocument, file: string): Diagnostic {
  if (document.value === null || document.value === undefined) return diagnose('empty-file', file, null);
  return diagnose('not-a-mapping', file, document.spanOf([]), { found: kindOfValue(document.value) });
}

/** A property with its doubts, or the faults that keep it from being one; neither when it is no mapping at all. */
function checkValue(
  value: unknown,
  vocabulary: Vocabulary,
): { property: AuthoredProperty | undefined; faults: Fault[] } {
  if (!isMapping(value)) return { property: undefined, faults: [] };
  const raw = withoutEmpty(value);
  const result = authoredSchema.safeParse(raw);
  return result.success
    ? { property: result.data, faults: findDoubts(raw, result.data, vocabulary) }
    : { property: undefined, faults: schemaFaults(result.error, value) };
}

type Mapping = Record<string, unknown>;

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An empty value (`email:`) is an absent one, in the property and in the entries of its lists. */
function withoutEmpty(value: Mapping): Mapping {
  // What was given stays as it is, and is copied only where there is something to leave out: there seldom is.
  if (!hasEmpty(value, true)) return value;
  const full = Object.entries(dropEmpty(value));
  return Object.fromEntries(
    full.map(([key, entry]) => [
      key,
      Array.isArray(entry) ? entry.map((item) => (isMapping(item) ? dropEmpty(item) : item)) : entry,
    ]),
  );
}

function dropEmpty(value: Mapping): Mapping {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null));
}

/** Whether a value is empty. `deep`: or one in the entries of its lists. */
function hasEmpty(value: Mapping, deep = false): boolean {
  for (const key in value) {
    const entry = value[key];
    if (entry === null) return true;
    if (deep && Array.isArray(entry) && entry.some((item) => isMapping(item) && hasEmpty(item))) return true;
  }
  return false;
}

/** The text of UTF-8 bytes, without a byte-order mark; undefined when they are something else. */
function decode(bytes: Buffer): string | undefined {
  if (!isUtf8(bytes)) return undefined;
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.toString('utf8', start);
}

/** The diagnostic of bytes that are not UTF-8, at the first one that does not fit. */
export function notUtf8(bytes: Buffer, file: string): Diagnostic {
  // What does not fit is decoded as U+FFFD, so that encoding it again gives other bytes from there on.
  const text = bytes.toString('utf8');
  const again = Buffer.from(text);
  let bad = 0;
  while (bad < bytes.length && bytes[bad] === again[bad]) bad++;
  const start = bytes.toString('utf8', 0, bad).replace(/\ufffd$/, '').length;
  return diagnose('not-utf8', file, createSpans(text)(start, start + 1), { byte: bad + 1 });
}
