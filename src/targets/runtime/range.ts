import { RANGE_PATTERN } from '../../contract/origin-status.ts';

export type ByteRange = { readonly offset: number; readonly length: number };

/** The range as requested, before the size of the file is known: from `offset`, or the last `suffix` bytes. */
export type RequestedRange =
  | { readonly offset: number; readonly length?: number }
  | { readonly suffix: number };

/** Undefined for a header to ignore (RFC 9110, 14.1.2): malformed, or not one range of bytes. */
export function parseRequestedRange(header: string): RequestedRange | undefined {
  const text = header.trim();
  if (!RANGE.test(text)) return undefined;
  const [first, end] = text.slice('bytes='.length).split('-');
  if (first === '') return { suffix: Number(end) };
  const offset = Number(first);
  if (end === '') return { offset };
  const last = Number(end);
  return last < offset ? undefined : { offset, length: last - offset + 1 };
}

const RANGE = new RegExp(RANGE_PATTERN);

/** `unsatisfiable` (416): the file has no byte of the range. */
export function resolveRange(asked: RequestedRange, size: number): ByteRange | 'unsatisfiable' {
  if ('suffix' in asked) {
    const length = Math.min(asked.suffix, size);
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
  }
  if (asked.offset >= size) return 'unsatisfiable';
  return { offset: asked.offset, length: Math.min(asked.length ?? size, size - asked.offset) };
}

/** Undefined for a header to ignore. `unsatisfiable` (416): the file has no byte of the range. */
export function parseRangeHeader(header: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const asked = parseRequestedRange(header);
  return asked && resolveRange(asked, size);
}
