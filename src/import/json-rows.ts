import { UsageError } from '../errors/errors.ts';
import { nearestWord } from '../source/did-you-mean.ts';
import { plural } from '../text/words.ts';
import { isMapping, type Mapping } from '../values/mapping.ts';
import { MAX_RECORD_LENGTH, rowTooLong } from './delimited.ts';
import { type JsonContainer, MAX_DEPTH, scanJson } from './json-scan.ts';
import { ROW_KEY } from './mapping.ts';
import {
  type AddNote,
  isTotalsRow,
  malformedRow,
  parseJsonExactly,
  type ReadingSettings,
  type Row,
  type Rows,
  type UnreadableRow,
} from './row.ts';
import type { SourceBytes } from './source-bytes.ts';
import { decodeChunks, type Encoding } from './text-encoding.ts';

/** Record separator of JSON text sequences (RFC 7464, RFC 8142). */
const SEPARATOR = '\u001e';

export function isJson(start: string): boolean {
  return /^[\s\u001e]*(?:\{\s*(?:"|\}|$)|\[\s*(?:[[{"\d\]-]|true|false|null|$))/.test(start);
}

/** @throws UsageError `no-rows`, `not-json`, `row-too-long` */
export async function openJson(
  source: SourceBytes,
  { name }: Encoding,
  { rows: path }: ReadingSettings,
  note: AddNote,
): Promise<Rows> {
  const read = () => decodeChunks(source, name);
  let start = '';
  for await (const chunk of read()) {
    start += chunk;
    if (start.length > MAX_RECORD_LENGTH) break;
  }
  const isLines = isOnePerLine(start, source.name);
  const rows = isLines ? () => lineRows(read()) : await documentRows(read, path, note);
  return async function* () {
    let others = 0;
    const twice: string[] = [];
    for await (const row of rows()) {
      if (row.value && !isPoint(row.value)) others++;
      if (row.value && row.repeated !== undefined) twice.push(`"${row.repeated}" (${row.at})`);
      yield row.value ? { ...row, value: flattened(row.value) } : row;
    }
    const message = `${plural(others, 'GeoJSON feature')} without a point: the coordinates are not known.`;
    if (others > 0) note({ code: 'not-a-point', message });
    const shown = `${plural(twice.length, 'row')} with one name twice, such as ${twice[0]}: the last value counts.`;
    if (twice.length > 0)
      note({ code: 'repeated-name', message: shown, help: 'Rename or remove one of the two.' });
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
    return parseJsonExactly(text);
  } catch {
    return undefined;
  }
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
  path: string | undefined,
  note: AddNote,
): Promise<Rows> {
  const containers: JsonContainer[] = [];
  for await (const _ of scanJson(read(), undefined, containers));
  const candidates = containers
    .filter((one) => (one.isList ? one.objects > 0 : hasRowsByKey(one, containers)))
    .sort((a, b) => a.depth - b.depth || Number(b.isList) - Number(a.isList) || b.objects - a.objects);
  const top = containers[0]!;
  const found =
    path === undefined
      ? (candidates[0] ?? (top.isList ? top : undefined))
      : containers.find((one) => one.path === path);
  if (found) {
    const place = wrapped(found, path, containers);
    const [, other] = candidates;
    if (path === undefined && place.path !== '' && other?.depth === place.depth) {
      const message = `The rows are taken from "${place.path}".`;
      const help = `For others, set "rows" in the mapping, such as "rows: ${other.path}".`;
      note({ code: 'rows-guessed', message, help });
    }
    return () => itemRows(read(), place.path);
  }
  if (path === undefined) return () => wholeRow(read());
  const paths = containers.map((one) => one.path);
  const near = nearestWord(path, paths) ?? candidates[0]?.path;
  const hint = near === undefined ? '' : ` Did you mean "rows: ${near}"?`;
  throw new UsageError('no-rows', `The source has no list of rows at "${path}".${hint}`);
}

/** Whether members are rows: objects that share field names. A single one is a row only if no list has objects. */
function hasRowsByKey(container: JsonContainer, containers: readonly JsonContainer[]): boolean {
  const { path, depth, items, objects } = container;
  if (objects < items) return false;
  if (items === 1) return !containers.some((one) => one.isList && one.objects > 0);
  const within = path === '' ? '' : `${path}.`;
  const [first, second] = containers.filter((one) => one.depth === depth + 1 && one.path.startsWith(within));
  return first?.names.some((name) => second?.names.includes(name)) ?? false;
}

/** For `{ "data": { "h-1": {}, "h-2": {} } }`: descends into an object whose only member holds the rows. */
function wrapped(
  found: JsonContainer,
  path: string | undefined,
  containers: readonly JsonContainer[],
): JsonContainer {
  if (path !== undefined || found.isList || found.items > 1) return found;
  const inner = containers.find((one) => one.depth === found.depth + 1 && !one.isList);
  return inner && !inner.isList && inner.objects === inner.items ? inner : found;
}

async function* itemRows(chunks: AsyncIterable<string>, path: string): AsyncGenerator<Row | UnreadableRow> {
  let count = 0;
  for await (const { text, line, isNamed } of scanJson(chunks, path))
    yield isNamed ? namedRow(text, line) : rowOf(text, `entry ${++count}${lineOf(line)}`, line);
}

function lineOf(line: number): string {
  return line > 1 ? `, line ${line}` : '';
}

function namedRow(text: string, line: number): Row | UnreadableRow {
  const [[name, value] = ['', undefined]] = Object.entries(Object(parsed(`{${text}}`)));
  const at = name === '' ? `line ${line}` : `entry "${name}"${lineOf(line)}`;
  return objectRow(isMapping(value) ? { [ROW_KEY]: name, ...value } : value, at, line, text);
}

async function* wholeRow(chunks: AsyncIterable<string>): AsyncGenerator<Row | UnreadableRow> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    if (text.length > MAX_RECORD_LENGTH) throw new UsageError('no-rows', 'The source has no list of rows.');
  }
  const row = rowOf(text, 'line 1', 1);
  // GeoJSON without features is an empty table, not one row.
  if (!Array.isArray(row.value?.features)) yield row;
}

function rowOf(text: string, at: string, line: number): Row | UnreadableRow {
  try {
    return objectRow(parseJsonExactly(text), at, line, text);
  } catch (error) {
    const reason = (error as Error).message.replace(/ in JSON at.*$/, '');
    return unreadable(at, line, `This is not JSON: ${reason}.`);
  }
}

function objectRow(value: unknown, at: string, line: number, text: string): Row | UnreadableRow {
  if (!isMapping(value)) return unreadable(at, line, 'This is not a JSON object.');
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
      if (open.at(-1)!.has(name)) return JSON.parse(name) as string;
      open.at(-1)!.add(name);
    }
  }
  return undefined;
}

function unreadable(at: string, line: number, message: string): UnreadableRow {
  return { at, line, value: undefined, finding: malformedRow(message, '') };
}

function isPoint(value: Mapping): boolean {
  return value.type !== 'Feature' || (isMapping(value.geometry) && value.geometry.type === 'Point');
}

export function isFeature(value: object): boolean {
  return Object.getOwnPropertyDescriptor(value, 'geometry')?.enumerable === false;
}

/**
 * Replaces a GeoJSON feature by its properties and the coordinates of its point. Original paths, such as
 * `properties.name`, still work in mappings.
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
