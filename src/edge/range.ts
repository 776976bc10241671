/** A run of bytes: the first, and how many. */
export type Range = { readonly offset: number; readonly length: number };

/**
 * The range that a `Range` header asks for (RFC 9110, 14.1.2) of an entity of `size` bytes.
 *
 * @returns undefined when the header is to be ignored: no single range of bytes, or malformed; `unsatisfiable` when
 * the range starts past the end, which is answered with 416.
 *
 * @example parseRange('bytes=-5', 20) // { offset: 15, length: 5 }
 */
export function parseRange(header: string, size: number): Range | 'unsatisfiable' | undefined {
  const match = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(header.trim());
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  if (match[1] === '') {
    const length = Math.min(Number(match[2]), size);
    return length === 0 ? 'unsatisfiable' : { offset: size - length, length };
  }
  const first = Number(match[1]);
  const last = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1);
  if (match[2] !== '' && Number(match[2]) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { offset: first, length: last - first + 1 };
}
