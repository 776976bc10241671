import { crc32 } from 'node:zlib';
import type { FieldTable } from '../contract/fields.ts';
import type { FieldValues } from '../editing/field-values.ts';
import { setFields } from '../editing/set-fields.ts';
import { readExactly } from '../source/yaml-document.ts';
import { isMapping } from '../values/mapping.ts';
import { caution, failure, type ImportFinding } from './candidate.ts';
import type { FileState } from './ledger.ts';

/** Lines of a field: up to the next line that is not indented. */
const BLOCK = /^([A-Za-z_][\w@-]*):.*(?:\n(?:[ \t-].*)?)*/gm;

function blocksOf(text: string): ReadonlyMap<string, string> {
  const found = text.replaceAll('\r\n', '\n').matchAll(BLOCK);
  return new Map([...found].map(([block, name]) => [name!, block.trimEnd()]));
}

/** Bytes and characters of a digest, in base64: 24 bits, since a ledger has them for each field of each property. */
const BYTES = 3;
const LENGTH = 4;

export function digestsOf(text: string): string {
  return digestsIn([...blocksOf(text).values()]);
}

function digestsIn(blocks: readonly string[]): string {
  const bytes = Buffer.allocUnsafe(blocks.length * BYTES);
  for (const [place, block] of blocks.entries())
    bytes.writeUIntBE(crc32(block) & 0xffffff, place * BYTES, BYTES);
  return bytes.toString('base64');
}

/** `text`: the file with the changes of both; undefined when both changed `fields`, or it cannot be edited. */
type Merged = { readonly text: string | undefined; readonly fields: readonly string[] };

/**
 * Adds the changes of the source to an edited file. A field that the source lost, and the owner changed, stays.
 *
 * @param digests of the file as it was imported; empty when unknown, then every difference counts as a conflict.
 */
export function mergedText(own: string, source: string, digests: string, table: FieldTable): Merged {
  const known = new Set(digests.match(new RegExp(`.{${LENGTH}}`, 'g')));
  const isKnown = (block: string) => known.has(digestsIn([block]));
  const [mine, theirs] = [blocksOf(own), blocksOf(source)];
  const differing = [...new Set([...mine.keys(), ...theirs.keys()])].filter(
    (name) => mine.get(name) !== theirs.get(name),
  );
  if (known.size === 0) return { text: undefined, fields: differing };
  const taken: string[] = [];
  const both: string[] = [];
  for (const name of differing) {
    const [held = '', said = ''] = [mine.get(name), theirs.get(name)];
    if (held === '' ? !isKnown(said) : isKnown(held)) taken.push(name);
    else if (held !== '' && said !== '' && !isKnown(said)) both.push(name);
  }
  if (both.length > 0) return { text: undefined, fields: both };
  const { value } = readExactly(source, '');
  const values = taken.map((name) => [name, (isMapping(value) && value[name]) || null]);
  const set = setFields(own, Object.fromEntries(values) as FieldValues, table);
  return 'refused' in set ? { text: undefined, fields: taken } : { text: set.text, fields: taken };
}

const CONFLICTS = {
  edited: {
    code: 'edited-file',
    message: (path: string, fields: string) =>
      `${path} was changed since it was imported, and the source changed too: ${fields}.`,
  },
  foreign: {
    code: 'foreign-file',
    message: (path: string, fields: string) =>
      `${path} holds this property and says something else; no import wrote it: ${fields}.`,
  },
} as const;

export function conflict(
  path: string,
  state: Extract<FileState, 'edited' | 'foreign'>,
  fields: readonly string[],
): ImportFinding {
  const { code, message } = CONFLICTS[state];
  const help = 'It stays as it is. Change it by hand, or import with --force to replace it.';
  return failure(code, message(path, fields.join(', ')), help);
}

export function mergedFinding(path: string, fields: readonly string[]): ImportFinding {
  const added = fields.length === 0 ? 'nothing else' : fields.join(', ');
  const message = `${path} was changed since it was imported. That stays; the source changed ${added}.`;
  return caution('merged-file', message);
}
