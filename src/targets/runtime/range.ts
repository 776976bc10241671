import { RANGE_PATTERN } from '../../contract/origin.ts';

/** A run of bytes: the first, and how many. */
export type Range = { readonly offset: number; readonly length: number };

/** A range before the size of the entity is known: from a byte on, up to a number of bytes; or the last bytes. */
export type AskedRange = { readonly offset: number; readonly length?: number } | { readonly suffix: number };

/**
 * The range that a `Range` header asks for (RFC 9110, 14.1.2); undefined when the header is to be ignored: no single
 * range of bytes, or malformed.
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

/** The part of an entity of `size` bytes; `unsatisfiable` when it has none of them, which is answered with 416. */
export function partOf(asked: AskedRange, size: number): Range | 'unsatisfiable' {
  if ('suffix' in asked) {
    const length = Math.min(asked.suffix, size);
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
  }
  if (asked.offset >= size) return 'unsatisfiable';
  return { offset: asked.offset, length: Math.min(asked.length ?? size, size - asked.offset) };
}

/**
 * The range that a `Range` header asks for of an entity of `size` bytes.
 *
 * @returns undefined when the header is to be ignored; `unsatisfiable` when the range starts past the end.
 *
 * @example parseRange('bytes=-5', 20) // { offset: 15, length: 5 }
 */
export function parseRange(header: string, size: number): Range | 'unsatisfiable' | undefined {
  const asked = askedRange(header);
  return asked && partOf(asked, size);
}
