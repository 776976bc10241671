import { UsageError } from '../../errors/errors.ts';
import { nearestWord } from '../../source/did-you-mean.ts';
import { countText } from '../../text/amounts.ts';
import { cutText } from '../../text/shorten.ts';
import { isMapping, type Mapping } from '../../values/mapping.ts';
import { columnMeaning } from '../words/column-names.ts';
import { MAX_RECORD_LENGTH, rowTooLong } from './delimited.ts';
import { parseJsonExactly } from './exact-json.ts';
import { type JsonContainer, MAX_DEPTH, scanJson } from './json-scan.ts';
import {
  type AddNote,
  type ReadingSettings,
  ROW_KEY,
  type Row,
  type Rows,
  type UnreadableRow,
  unreadableRow,
} from './row.ts';
import type { SourceBytes } from './source-bytes.ts';
import { addSourcePlace, createSourcePlaces, sourcePlacesText } from './source-places.ts';
import { decodeChunks, type Encoding } from './text-encoding.ts';
import { isTotalsRow } from './totals-row.ts';

/** Record separator of JSON text sequences (RFC 7464, RFC 8142). */
const SEPARATOR = '\u001e';

export function looksLikeJson(start: string): boolean {
  // JSONP and names without quotes are not JSON, but are taken for it, so that the message says what is wrong.
  return /^[\s\u001e]*(?:\{\s*(?:["'}]|\w+\s*:|$)|\[\s*(?:[[{"\d\]-]|true|false|null|$)|[\w$.]+\(\s*[[{])/.test(
    start,
  );
}

/** @throws UsageError `no-rows`, `not-json`, `row-too-long` */
export async function openJson(
  source: SourceBytes,
  { name }: Encoding,
  settings: ReadingSettings,
  note: AddNote,
): Promise<Rows> {
  const read = () => decodeChunks(source, name);
  let start = '';
  for await (const chunk of read()) {
    start += chunk;
    if (start.length > MAX_RECORD_LENGTH) break;
  }
  const isLines = isOnePerLine(start, source.name);
  const rows = isLines ? () => lineRows(read()) : await documentRows(read, settings, note);
  return async function* () {
    let [others, blank] = [0, 0];
    const twice = createSourcePlaces();
    for await (const row of rows()) {
      const value = row.value && flattened(row.value);
      if (row.value && !isPoint(row.value)) others++;
      if (row.value && row.repeated !== undefined) addSourcePlace(twice, `"${row.repeated}" (${row.at})`);
      if (value && isBlank({ ...value, [ROW_KEY]: '' })) blank++;
      else yield value ? ({ ...row, value } as Row) : row;
    }
    if (blank > 0) note('blank-rows', `${countText(blank, 'blank row')} skipped.`);
    const message = `${countText(others, 'GeoJSON feature')} without a point: the coordinates are not known.`;
    if (others > 0) note('not-a-point', message);
    const shown = `${countText(twice.count, 'row')} with one name twice, such as ${twice.first[0]}: the last value counts.`;
    if (twice.count > 0) note('repeated-name', shown, 'Rename or remove one of the two.');
  };
}

function isOnePerLine(text: string, name: string): boolean {
  if (text.trimStart().startsWith(SEPARATOR)) return true;
  const [, first = '', rest = ''] = /^\s*([^\r\n]*)([\s\S]*)$/.exec(text) ?? [];
  const isNamedSo = /\.(?:ndjson|jsonl|jsonlines|geojsonl|geojsons|ndgeojson)(?:\.gz|\.zip)?$/i.test(name);
  return isMapping(parsed(first))
    ? isNamedSo || rest.trim() !== ''
    : isNamedSo && !text.trimStart().startsWith('[');
}

function parsed(text: string): unknown {
  try {
    return parseWithNfcNames(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON and converts its names to NFC, since column names are compared in NFC. */
function parseWithNfcNames(text: string): unknown {
  const value = parseJsonExactly(text);
  return text.includes('\\u') || text !== text.normalize('NFC') ? withComposedNames(value) : value;
}

function withComposedNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComposedNames);
  if (!isMapping(value)) return value;
  const composed = ([name, inner]: [string, unknown]) => [name.normalize('NFC'), withComposedNames(inner)];
  return Object.fromEntries(Object.entries(value).map(composed));
}

function isBlank(value: unknown): boolean {
  return typeof value === 'object' ? Object.values(value ?? {}).every(isBlank) : value === '';
}

async function* lineRows(chunks: AsyncIterable<string>): AsyncGenerator<Row | UnreadableRow> {
  let rest = '';
  let line = 1;
  let isSeparated: boolean | undefined;
  const row = (text: string) => {
    const lead = /^\s*/.exec(text)![0];
    const at = line + breaksIn(lead);
    line += breaksIn(text) + (isSeparated ? 0 : 1);
    return lead === text ? [] : [rowOf(text.trim(), `line ${at}`, at)];
  };
  for await (const chunk of chunks) {
    const text = rest + chunk;
    isSeparated ??= text.trimStart().startsWith(SEPARATOR);
    const pieces = isSeparated ? text.split(SEPARATOR) : text.split(/\r\n|\n|\r(?!\n|$)/);
    rest = pieces.pop() ?? '';
    if (rest.length > MAX_RECORD_LENGTH) throw rowTooLong(line);
    for (const piece of pieces) yield* row(piece);
  }
  yield* row(rest);
}

function breaksIn(text: string): number {
  return text.match(/\r\n?|\n/g)?.length ?? 0;
}

async function documentRows(
  read: () => AsyncIterable<string>,
  { rows: given, named = [] }: ReadingSettings,
  note: AddNote,
): Promise<Rows> {
  const path = given?.normalize('NFC');
  const containers: JsonContainer[] = [];
  for await (const _ of scanJson(read(), undefined, containers));
  const candidates = containers
    .filter((one) => (one.isList ? one.objects > 0 : hasFields(one, named) || hasRowsByKey(one, containers)))
    .sort(
      (a, b) =>
        Number(hasFields(b, named)) - Number(hasFields(a, named)) ||
        a.depth - b.depth ||
        Number(b.isList) - Number(a.isList) ||
        placesIn(b) - placesIn(a) ||
        b.objects - a.objects,
    );
  const guessed = candidates[0] ?? containers.slice(0, 1).find(({ isList }) => isList);
  const found = path === undefined ? guessed : containers.find((one) => one.path === path);
  if (found) {
    const place = onlyMemberOf(found, path, containers);
    const others = candidates.filter((one) => one !== found && one.depth === found.depth);
    if (path === undefined && others.length > 0) {
      const left = others.map((one) => `"${one.path}" (${countText(one.objects, 'row')})`).join(', ');
      const message = `The rows are taken from "${place.path}", not from ${cutText(left, 200)}.`;
      const help = `For others, set "rows" in the mapping, such as "rows: ${others[0]!.path}".`;
      note('rows-guessed', message, help);
    }
    return () => itemRows(read(), place, note);
  }
  if (path === undefined) return () => wholeRow(read());
  const paths = containers.map((one) => one.path);
  const near = nearestWord(path, paths) ?? candidates[0]?.path;
  const hint = near === undefined ? '' : ` Did you mean "rows: ${near}"?`;
  throw new UsageError('no-rows', `The source has no list of rows at "${path}".${hint}`);
}

/**
 * Whether the members of an object are rows, as in `{ "h-1": {…}, "h-2": {…} }`. At least half of the members must be
 * objects. Several of these objects must have the same field, and must outnumber the members that are named like
 * columns. A single member is a row if several of its fields are named like columns, or if the JSON text has no list of
 * objects.
 */
function hasRowsByKey(
  { items, objects, names, fields }: JsonContainer,
  containers: readonly JsonContainer[],
) {
  if (items === 1 && objects === 1)
    return meaningsOf(fields.keys()) > 1 || !containers.some((one) => one.isList && one.objects > 0);
  const shared = Math.max(0, ...fields.values());
  return objects * 2 >= items && shared > Math.max(1, meaningsOf(names));
}

function meaningsOf(names: Iterable<string>): number {
  return new Set([...names].flatMap((name) => columnMeaning(name)?.meaning ?? [])).size;
}

function hasFields({ isList, fields }: JsonContainer, named: readonly string[]): boolean {
  const isOf = (name: string) => fields.has(name) || (name === ROW_KEY && !isList);
  return named.length > 0 && named.every((name) => isOf(name) || isOf(name.split('.')[0]!));
}

/** Counts the fields that say where a property is. Lists of other things have none. */
function placesIn({ fields }: JsonContainer): number {
  const isPlace = (name: string) =>
    name === 'geometry' || ['latitude', 'longitude', 'point'].includes(columnMeaning(name)?.meaning ?? '');
  return [...fields.keys()].filter(isPlace).length;
}

/** If an object's only member holds the rows, as in `{ "data": { "h-1": {}, "h-2": {} } }`, returns that member. */
function onlyMemberOf(
  found: JsonContainer,
  path: string | undefined,
  containers: readonly JsonContainer[],
): JsonContainer {
  if (path !== undefined || found.isList || found.items > 1) return found;
  const inner = containers.find((one) => one.depth === found.depth + 1 && !one.isList);
  return inner && !inner.isList && hasRowsByKey(inner, containers) ? inner : found;
}

async function* itemRows(
  chunks: AsyncIterable<string>,
  { path, fields }: JsonContainer,
  note: AddNote,
): AsyncGenerator<Row | UnreadableRow> {
  const isShared = [...fields.values()].some((count) => count > 1);
  const isField = (name: string) => (fields.get(name) ?? 0) > (isShared ? 1 : 0);
  const others = createSourcePlaces();
  let count = 0;
  for await (const { text, line, isNamed } of scanJson(chunks, path)) {
    if (!isNamed) {
      yield rowOf(text, `entry ${++count}${lineOf(line)}`, line);
      continue;
    }
    const [[name, value] = ['', undefined]] = Object.entries(Object(parsed(`{${text}}`)));
    const at = name === '' ? `line ${line}` : `entry "${name}"${lineOf(line)}`;
    if (isMapping(value) ? Object.keys(value).some(isField) : name === '')
      yield objectRow(isMapping(value) ? { [ROW_KEY]: name, ...value } : value, at, line, text);
    else addSourcePlace(others, `"${name}"`);
  }
  const message = `${countText(others.count, 'member')} without the fields of the rows skipped: ${cutText(sourcePlacesText(others), 200)}.`;
  if (others.count > 0) note('rows-passed-over', message);
}

function lineOf(line: number): string {
  return line > 1 ? `, line ${line}` : '';
}

async function* wholeRow(chunks: AsyncIterable<string>): AsyncGenerator<Row | UnreadableRow> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length > MAX_RECORD_LENGTH) throw new UsageError('no-rows', 'The source has no list of rows.');
  }
  const row = rowOf(text, 'line 1', 1);
  // A GeoJSON collection without features is an empty table, not one row.
  if (!Array.isArray(row.value?.features)) yield row;
}

function rowOf(text: string, at: string, line: number): Row | UnreadableRow {
  try {
    return objectRow(parseWithNfcNames(text), at, line, text);
  } catch (error) {
    const reason = (error as Error).message.replace(/ in JSON at.*$/, '');
    return unreadableRow(at, line, `This is not JSON: ${reason}.`);
  }
}

function objectRow(value: unknown, at: string, line: number, text: string): Row | UnreadableRow {
  if (!isMapping(value)) return unreadableRow(at, line, 'This is not a JSON object.');
  const isSuspect = (text.match(/"\s*:/g)?.length ?? 0) > namesOf(value);
  const repeated = isSuspect ? repeatedName(text) : undefined;
  return { at, line, value, isTotals: isTotalsRow(Object.values(value)), repeated };
}

function namesOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === MAX_DEPTH) throw new Error('it is nested too deeply');
  const inner = Object.values(value);
  const own = Array.isArray(value) ? 0 : inner.length;
  return inner.reduce((sum: number, one) => sum + namesOf(one, depth + 1), own);
}

function repeatedName(text: string): string | undefined {
  const open = [new Set<string>()];
  for (const [mark, name, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/g)) {
    if (mark === '{' || mark === '[') open.push(new Set());
    else if (mark === '}' || mark === ']') open.pop();
    else if (name !== undefined && colon !== undefined) {
      const plain = String(JSON.parse(name)).normalize('NFC');
      if (open.at(-1)!.has(plain)) return plain;
      open.at(-1)!.add(plain);
    }
  }
  return undefined;
}

function isPoint(value: Mapping): boolean {
  return value.type !== 'Feature' || (isMapping(value.geometry) && value.geometry.type === 'Point');
}

export function isFeature(value: object): boolean {
  return Object.getOwnPropertyDescriptor(value, 'geometry')?.enumerable === false;
}

/**
 * Turns a GeoJSON feature into a row of its properties and its point's coordinates. Mappings can still name the
 * original paths, such as `properties.name`.
 */
function flattened(value: Mapping): Mapping {
  if (value.type !== 'Feature' || !('geometry' in value)) return value;
  const { id, geometry, properties } = value;
  const coordinates = isMapping(geometry) && geometry.type === 'Point' ? geometry.coordinates : undefined;
  const [longitude, latitude] = Array.isArray(coordinates) ? coordinates : [];
  const flat = {
    ...(id !== undefined && { [ROW_KEY]: id }),
    ...(longitude !== undefined && { longitude, latitude }),
    ...(isMapping(properties) ? properties : {}),
  };
  return Object.defineProperties(flat, {
    ...(Object.hasOwn(flat, 'properties') ? {} : { properties: { value: properties } }),
    ...(Object.hasOwn(flat, 'geometry') ? {} : { geometry: { value: geometry } }),
  });
}
