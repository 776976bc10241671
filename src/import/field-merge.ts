import { crc32 } from 'node:zlib';
import type { FieldTable } from '../contract/fields.ts';
import type { FieldValues } from '../editing/field-values.ts';
import { setFields } from '../editing/set-fields.ts';
import { readYamlExactly } from '../source/yaml-document.ts';
import { isMapping } from '../values/mapping.ts';
import { errorFinding, type ImportFinding, warningFinding } from './candidate.ts';

/** A field continues until the next line that is not indented. */
const BLOCK = /^([A-Za-z_][\w@-]*):.*(?:\n(?:[ \t-].*)?)*/gm;

function blocksOf(text: string): ReadonlyMap<string, string> {
  const found = text.replaceAll('\r\n', '\n').matchAll(BLOCK);
  return new Map([...found].map(([block, name]) => [name!, block.trimEnd()]));
}

/** Three bytes of a digest, four characters in base64: the ledger has one for each field of each property. */
const BYTES = 3;

function digestOf(...blocks: readonly string[]): string {
  const bytes = Buffer.allocUnsafe(BYTES * blocks.length);
  for (const [at, block] of blocks.entries()) bytes.writeUIntBE(crc32(block) & 0xffffff, at * BYTES, BYTES);
  return bytes.toString('base64');
}

export function fieldDigests(yaml: string): string {
  return digestOf(...(yaml.match(BLOCK) ?? []).map((block) => block.trimEnd()));
}

/** `text` is undefined if both sides changed `fields`, or if the file cannot be edited. */
type Merged = { readonly text: string | undefined; readonly fields: readonly string[] };

/**
 * A field that the owner edited stays, even if the source dropped it.
 * @param digests of the fields as imported; if empty (unknown), every difference is a conflict
 */
export function mergedText(own: string, source: string, digests: string, table: FieldTable): Merged {
  const known = new Set(digests.match(/.{4}/g));
  const isKnown = (block: string) => known.has(digestOf(block));
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
  const { value } = readYamlExactly(source, '');
  const values = taken.map((name) => [name, (isMapping(value) && value[name]) || null]);
  const set = setFields(own, Object.fromEntries(values) as FieldValues, table);
  return 'refused' in set ? { text: undefined, fields: taken } : { text: set.text, fields: taken };
}

export function conflictFinding(
  path: string,
  state: 'edited' | 'foreign',
  fields: readonly string[],
): ImportFinding {
  const what =
    state === 'edited'
      ? 'was changed since it was imported, and the source changed too'
      : 'holds this property and says something else; no import wrote it';
  const help = 'It stays as it is. Change it by hand, or import with --force to replace it.';
  return errorFinding(`${state}-file`, `${path} ${what}: ${fields.join(', ')}.`, help);
}

export function mergedFinding(path: string, fields: readonly string[]): ImportFinding {
  const added =
    fields.length === 0
      ? 'The source changed nothing else'
      : `Of the source, it has the new ${fields.join(', ')}`;
  const message = `${path} was changed since it was imported. Those changes stay. ${added}.`;
  return warningFinding('merged-file', message);
}
