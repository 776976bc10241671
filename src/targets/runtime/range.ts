import { RANGE_PATTERN } from '../../contract/origin.ts';

export type Range = { readonly offset: number; readonly length: number };

/** A range for an entity of unknown size: from an offset, with an optional length; or the last bytes. */
export type AskedRange = { readonly offset: number; readonly length?: number } | { readonly suffix: number };

/**
 * Parses a `Range` header (RFC 9110, 14.1.2); undefined for one to ignore: malformed, or not a single range of bytes.
 *
 * @example askedRange('bytes=6-10') // { offset: 6, length: 5 }
 */
export function askedRange(header: string): AskedRange | undefined {
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

/**
 * Resolves a range for an entity of `size` bytes; `unsatisfiable`, which is answered with 416, when it has none of
 * them.
 */
export function partOf(asked: AskedRange, size: number): Range | 'unsatisfiable' {
  if ('suffix' in asked) {
    const length = Math.min(asked.suffix, size);
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
  }
  if (asked.offset >= size) return 'unsatisfiable';
  return { offset: asked.offset, length: Math.min(asked.length ?? size, size - asked.offset) };
}

/**
 * Parses a `Range` header for an entity of `size` bytes.
 *
 * @returns undefined for a header to ignore; `unsatisfiable` when the range starts past the end.
 *
 * @example parseRange('bytes=-5', 20) // { offset: 15, length: 5 }
 */
export function parseRange(header: string, size: number): Range | 'unsatisfiable' | undefined {
  const asked = askedRange(header);
  return asked && partOf(asked, size);
}
