/**
 * Keeps what an owner edited in an imported file (fields, draft mark, dates). If the import leaves out a value of the
 * source, the file keeps its own value.
 */
import { crc32 } from 'node:zlib';
import type { FieldTable } from '../../contract/fields.ts';
import type { Terms } from '../../contract/terms.ts';
import type { FieldValues } from '../../editing/field-values.ts';
import type { PropertyValues } from '../../editing/property-text.ts';
import { setFields } from '../../editing/set-fields.ts';
import { readYamlExactly } from '../../source/yaml-document.ts';
import { countText } from '../../text/amounts.ts';
import { cutText } from '../../text/shorten.ts';
import { isMapping } from '../../values/mapping.ts';
import { errorFinding, type ImportFinding, warningFinding } from '../finding.ts';
import { isCoordinateField } from '../mapping/mapping.ts';
import { holdsPrivate } from '../words/private-text.ts';

/** Matches a field with the lines that belong to it: those that are empty, indented or start with a dash. */
const BLOCK = /^([A-Za-z_][\w@-]*):.*(?:\n(?:[ \t-].*)?)*/gm;

function blocksOf(text: string): ReadonlyMap<string, string> {
  const found = text.replaceAll('\r\n', '\n').matchAll(BLOCK);
  return new Map([...found].map(([block, name]) => [name!, block.trimEnd()]));
}

/** Bytes of a digest (4 characters in base64). They are few, since the ledger has a digest for each field. */
const BYTES = 3;

export function digestOf(...blocks: readonly string[]): string {
  const bytes = Buffer.allocUnsafe(BYTES * blocks.length);
  for (const [at, block] of blocks.entries()) bytes.writeUIntBE(crc32(block) & 0xffffff, at * BYTES, BYTES);
  return bytes.toString('base64');
}

export function fieldDigests(yaml: string): string {
  return digestOf(...(yaml.match(BLOCK) ?? []).map((block) => block.trimEnd()));
}

export const digestsIn = (digests: string): readonly string[] => digests.match(/.{4}/g) ?? [];

/** `from`, `to`: shortened for display; '' for no value. If both look the same ("3 photos"), `to` is "others". */
export type FieldChange = { readonly field: string; readonly from: string; readonly to: string };

export function changesBetween(before: string, after: string): FieldChange[] {
  const [old, now] = [blocksOf(before), blocksOf(after)];
  return differing(old, now).map((field) => {
    const [from, to] = [valueText(old.get(field)), valueText(now.get(field))];
    const same = from === to ? 0 : sharedStart(from, to);
    const fromChange = (text: string) =>
      text.slice(same - MAX_SHARED_START / 2).replace(/^[\udc00-\udfff]/, '');
    const cut = (text: string) =>
      cutText(same > MAX_SHARED_START ? `…${fromChange(text)}` : text, MOST_LETTERS);
    return { field, from: cut(from), to: from === to ? 'others' : cut(to) };
  });
}

function sharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
}

/**
 * In UTF-16 units. Values are cut to `MOST_LETTERS`. If the old and the new value share a beginning that is longer than
 * `MAX_SHARED_START`, only the end of that beginning is shown.
 */
const MOST_LETTERS = 40;
const MAX_SHARED_START = 20;

function valueText(block = ''): string {
  const entries = block.match(/^ *- /gm)?.length ?? 0;
  if (entries > 0 && block.startsWith('photo:')) return countText(entries, 'photo');
  const text = block.replace(/^[^:]*:\s*(?:[|>][-+]?\s)?/, '').replace(/\s+/g, ' ');
  return text.trim().replace(/^"(.*)"$|^'(.*)'$/, '$1$2');
}

/**
 * `text`: the file with the source's values of `fields`; undefined if the file cannot be edited, or if the ledger has
 * no digests of its fields. `both`: fields that the owner and the source changed; the file keeps the owner's values. If
 * `text` is undefined, `both` also has fields that perhaps only the source changed. `digests`: what the ledger must
 * record, so that the next merge reports `both` again.
 */
type Merged = {
  readonly text: string | undefined;
  readonly fields: readonly string[];
  readonly removed: readonly string[];
  readonly both: readonly FieldChange[];
  readonly digests: string;
};

/**
 * Merges the source's changes into the owner's file. A field that the owner edited stays, even if the source no longer
 * has the field.
 * @param digests the fields' digests as recorded by the last import; if empty (unknown), each difference is a conflict
 */
export function mergedText(own: string, source: string, digests: string, table: FieldTable): Merged {
  const known = new Set(digestsIn(digests));
  // The last import may have had the same number with more or fewer trailing zeros.
  const isKnown = (block: string) => [block, ...sameNumbers(block)].some((one) => known.has(digestOf(one)));
  const [ownBlocks, importedBlocks] = [blocksOf(own), blocksOf(source)];
  const names = differing(ownBlocks, importedBlocks);
  const open = (names: readonly string[]) =>
    changesBetween(own, source).filter(({ field }) => names.includes(field));
  if (known.size === 0) return { ...NOTHING_TAKEN, both: open(names), digests };
  const taken: string[] = [];
  const both: string[] = [];
  for (const name of names) {
    const [before = '', now = ''] = [ownBlocks.get(name), importedBlocks.get(name)];
    if (before === '' ? !isKnown(now) : isKnown(before)) taken.push(name);
    else if (before !== '' && now !== '' && !isKnown(now)) both.push(name);
  }
  const { value } = readYamlExactly(source, '');
  const values = taken.map((name) => [name, (isMapping(value) && value[name]) || null]);
  const set = setFields(own, Object.fromEntries(values) as FieldValues, table);
  if ('refused' in set) return { ...NOTHING_TAKEN, both: open([...taken, ...both]), digests };
  const fresh = [...importedBlocks].flatMap(([name, block]) =>
    both.includes(name) ? [] : [digestOf(block)],
  );
  const old = new Set([...ownBlocks.values(), ...importedBlocks.values()].map((block) => digestOf(block)));
  const kept = [...known].filter((digest) => !old.has(digest));
  const removed = taken.filter((name) => !importedBlocks.has(name));
  return { text: set.text, fields: taken, removed, both: open(both), digests: [...fresh, ...kept].join('') };
}

function sameNumbers(block: string): string[] {
  const [, written] = NUMBER_BLOCK.exec(block) ?? [];
  if (written === undefined) return [];
  const plain = block.slice(0, -written.length) + withoutLastZeros(written);
  return plain.includes('.') ? [plain, `${plain}0`] : [plain, `${plain}.0`, `${plain}.00`];
}

const NOTHING_TAKEN = { text: undefined, fields: [], removed: [] } as const;

/** Maximum number of fields whose values a message shows. */
const MAX_SHOWN_FIELDS = 5;

export function conflictFinding(
  path: string,
  state: 'edited' | 'foreign',
  both: readonly FieldChange[],
  ...taken: Parameters<typeof takenOf>
): ImportFinding {
  const what =
    state === 'edited'
      ? 'was changed since it was imported, and the source changed the same field'
      : 'holds this property and says something else; no import wrote it';
  const shown = both.slice(0, MAX_SHOWN_FIELDS).map(({ field, from, to }) => {
    return `${field} is ${from || 'missing'} in the file, ${to || 'missing'} in the source`;
  });
  const more = both.slice(MAX_SHOWN_FIELDS).map(({ field }) => field);
  const rest = more.length > 0 ? [`${more.join(', ')} differ too`] : [];
  const message = `${path} ${what}: ${[...shown, ...rest].join('; ')}.${takenOf(...taken)}`;
  return errorFinding(`${state}-file`, message, HOW_TO_END);
}

const HOW_TO_END =
  'The file keeps its values. To end this, make them the same in the file or in the source. --force replaces the whole file.';

export function mergedFileFinding(path: string, ...taken: Parameters<typeof takenOf>): ImportFinding {
  const added = takenOf(...taken) || ' The source changed nothing else.';
  const message = `${path} was changed since it was imported. Those changes stay.${added}`;
  return warningFinding('merged-file', message);
}

function takenOf(fields: readonly string[] = [], removed: readonly string[] = []): string {
  const isNew = (field: string) => !removed.includes(field);
  const parts = [
    [fields.filter(isNew), 'it has the new'],
    [removed, 'it has no longer'],
  ] as const;
  const clauses = parts.flatMap(([names, what]) => (names.length > 0 ? [`${what} ${names.join(', ')}`] : []));
  return clauses.length === 0 ? '' : ` As in the source, ${clauses.join(', and ')}.`;
}

/** Values kept from the file, by field. */
export type KeptValues = ReadonlyMap<string, unknown>;

/** Matches a number, as a whole block. */
const NUMBER_BLOCK = /^[\w@-]+: (-?\d+(?:\.\d+)?)$/;

const withoutLastZeros = (number: string) => number.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');

/**
 * If a number of the source equals the file's number, keeps the file's form, such as 89.00 for 89. A doubtful postal
 * code gets the leading zero that it has in the file, since a spreadsheet may have dropped the zero.
 */
function withOwnNumbers(
  text: string,
  source: PropertyValues,
  found: readonly ImportFinding[],
): PropertyValues {
  const own = text === '' ? new Map<string, string>() : blocksOf(text);
  const equal = Object.entries(source).flatMap(([name, value]) => {
    const [, written = ''] = NUMBER_BLOCK.exec(own.get(name) ?? '') ?? [];
    if (written === '' || typeof value !== 'string' || written === value) return [];
    return withoutLastZeros(written) === withoutLastZeros(value) ? [[name, written]] : [];
  });
  const zip_code = `0${source.zip_code}`;
  const isDoubtful = found.some(({ code }) => code === 'doubtful-postal-code');
  if (isDoubtful && own.get('zip_code')?.replace(/["']/g, '') === `zip_code: ${zip_code}`)
    equal.push(['zip_code', zip_code]);
  return equal.length === 0 ? source : { ...source, ...Object.fromEntries(equal) };
}

/** Keeps the owner's draft mark and dates. If the import left out a value of the source, the file's value stays. */
export function withOwnValues(
  text: string,
  source: PropertyValues,
  found: readonly ImportFinding[],
  { fields }: Terms,
): { readonly file: PropertyValues; readonly kept: KeptValues } {
  const imported = withOwnNumbers(text, source, found);
  const lost = found.flatMap(({ field, lossSentence }) => (lossSentence === undefined ? [] : [field]));
  if (lost.length === 0 && !VISIBILITY_FIELDS.some((name) => text.includes(name)))
    return { file: imported, kept: new Map() };
  const own = Object(readYamlExactly(text, '').value) as Record<string, unknown>;
  const isNew = (name: string) => !own[name] && imported[name as 'city'];
  const isCompleted = [...fields.all].some(([name, { required }]) => required && isNew(name));
  const isKept = (name: 'draft' | 'live_from' | 'live_until') =>
    typeof own[name] === 'string' && !imported[name] && !(isCompleted && name === 'draft');
  const isUnplaced = lost.some(isCoordinateField) && own.latitude && own.longitude;
  const others = lost.filter((name) => !isCoordinateField(name));
  const kept = new Map<string, unknown>();
  for (const name of isUnplaced ? [...lost, 'latitude', 'longitude'] : others) {
    const value = completed(imported[name as 'photo'], own[name], found, name);
    if (value !== undefined && !holdsPrivate(value, name)) kept.set(name, value);
  }
  const visibility = VISIBILITY_FIELDS.filter(isKept).map((name) => [name, own[name]]);
  // With the file's coordinates, the property is complete, so the file's draft mark replaces the import's.
  const draft = isUnplaced && found.some(isUnfinished) ? { draft: own.draft } : {};
  return { file: { ...imported, ...draft, ...Object.fromEntries([...kept, ...visibility]) }, kept };
}

/**
 * If the import left out entries of a list, returns the list with the file's entries in their places. Undefined if the
 * file's list is not as long as the source's.
 */
function completed(imported: unknown, own: unknown, found: readonly ImportFinding[], name: string): unknown {
  if (!own || [own].flat().length === 0) return undefined;
  if (!imported || [imported].flat().length === 0) return own;
  if (!Array.isArray(imported) || !Array.isArray(own)) return undefined;
  const places = found.flatMap(({ field, entry }) => (field === name && entry !== undefined ? [entry] : []));
  if (places.length + imported.length !== own.length) return undefined;
  const rest = [...imported];
  return own.map((entry, place) => (places.includes(place) ? entry : rest.shift()));
}

const isUnfinished = ({ code, field }: ImportFinding) =>
  code === 'unfinished-draft' && field === 'coordinates';

/**
 * Makes messages say that a value is left out, or which value the file keeps instead. Drops the finding about missing
 * coordinates if the file keeps its coordinates.
 */
export function withKeptValues(findings: readonly ImportFinding[], kept: KeptValues): ImportFinding[] {
  return findings.flatMap(({ lossSentence, entry, ...finding }) => {
    if (kept.has('latitude') && isUnfinished(finding)) return [];
    const value = kept.get(finding.field);
    if (lossSentence === undefined) return [finding];
    if (value === undefined) return [{ ...finding, message: `${finding.message} ${lossSentence}` }];
    const parts = entry === undefined ? [value].flat() : Object.values((value as readonly object[])[entry]!);
    const text = cutText(parts.join(', ').replace(/\s+/g, ' '), 40);
    return [{ ...finding, message: `${finding.message} The file keeps "${text}".`, isKept: true }];
  });
}

const VISIBILITY_FIELDS = ['draft', 'live_from', 'live_until'] as const;
