/** Finds a property's detail in a part: at most 800 KB of JSON lines, ordered by id (docs/release-format.md). */
import { lastIndexPassing } from './binary-search.ts';
import type { DetailPart } from './root.ts';

/** `starts`: offset of each line, then of the end. */
export type ParsedPart = { readonly bytes: Uint8Array; readonly starts: readonly number[] };

/** Offsets in a line, which is `{"id":"`, the id, `",`, and the detail without its opening brace. */
const ID_START = 7;
const DETAIL_START = ID_START + 36 + 2;
const NEW_LINE = 0x0a;
const BRACE = 0x7b;

/** The only part that can contain the property; undefined if none can. */
export function findDetailPart(parts: readonly DetailPart[], id: string): DetailPart | undefined {
  return parts[lastIndexPassing(parts, ({ from }) => from <= id)];
}

/** Does not check the digest. Undefined if the bytes are not the lines of a part. */
export function parsePart(bytes: Uint8Array): ParsedPart | undefined {
  const starts = [0];
  for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, end + 1)) {
    if (end - starts.at(-1)! < DETAIL_START) return undefined;
    starts.push(end + 1);
  }
  return starts.at(-1) === bytes.length ? { bytes, starts } : undefined;
}

/** Undefined if the part lacks the property. */
export function findDetail({ bytes, starts }: ParsedPart, id: string): Uint8Array<ArrayBuffer> | undefined {
  const line = lastIndexPassing(starts, (start) => start < bytes.length && idAt(bytes, start) <= id);
  const start = starts[line];
  return start !== undefined && idAt(bytes, start) === id ? cutOut({ bytes, starts }, line) : undefined;
}

export function* allDetails(details: ParsedPart): Generator<readonly [id: string, detail: Uint8Array]> {
  for (let line = 0; line < details.starts.length - 1; line++)
    yield [idAt(details.bytes, details.starts[line]!), cutOut(details, line)];
}

function cutOut({ bytes, starts }: ParsedPart, line: number): Uint8Array<ArrayBuffer> {
  const [start, end] = [starts[line]! + DETAIL_START, starts[line + 1]! - 1];
  const detail = new Uint8Array(end - start + 1);
  detail[0] = BRACE;
  detail.set(bytes.subarray(start, end), 1);
  return detail;
}

function idAt(bytes: Uint8Array, start: number): string {
  let id = '';
  for (let at = start + ID_START; at < start + DETAIL_START - 2; at++) id += String.fromCharCode(bytes[at]!);
  return id;
}
