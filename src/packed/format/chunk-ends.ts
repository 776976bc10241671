/** Where the sequence, and the downloads made of it, are cut: a function of the content alone. */

/** Records of a chunk at least, unless the whole sequence has fewer. */
export const MIN_CHUNK = 89;
/** Records of a chunk on average: one mark in 128, and half of them are followed by another one too soon. */
export const MEAN_CHUNK = 256;
/** Records of a chunk at most. */
export const MAX_CHUNK = 1024;

/** The bits that are zero in the hash of one record in 128. */
const MARK = 127;

/**
 * A hash of a text, 32 bits: FNV-1a of its UTF-8 bytes, then the finalizer of MurmurHash3, after which every bit
 * depends on every byte.
 */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) return hashBytes(new TextEncoder().encode(text));
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  return mixed(hash);
}

function hashBytes(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return mixed(hash);
}

function mixed(hash: number): number {
  let bits = hash;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Records in order. An array is one. */
type Records = {
  readonly length: number;
  readonly at: (place: number) => { readonly id: string } | undefined;
};

/**
 * Where the chunks of a sequence end. A record is a mark when the hash of its id has its low bits zero. A chunk ends
 * after a mark that has no other one among the `MIN_CHUNK - 1` records after it, and is that
 * far from both ends of the sequence; a run that is longer than {@link MAX_CHUNK} is divided, see {@link divide}.
 *
 * A record looks in one direction, and no further than to the next mark: so one that comes or goes adds, removes or
 * moves one end, and one or two chunks become others. A least size counted from where the last chunk ended would not
 * keep this: a change could move the ends of all that follow. In a run that is divided a change that also moves an end
 * may make three or four chunks new, which fewer than one in 100,000 random changes do.
 *
 * @returns the index after the last record of each chunk.
 */
export function chunkEnds(sequence: Records): number[] {
  const ends: number[] = [];
  const close = (end: number) => divide(sequence, ends.at(-1) ?? 0, end, ends);
  const total = sequence.length;
  let mark = 0;
  for (let end = MIN_CHUNK; end <= total; end++) {
    // The end of the sequence counts as a mark.
    if (end < total && (textHash(sequence.at(end - 1)!.id) & MARK) !== 0) continue;
    if (mark > 0 && end - mark >= MIN_CHUNK) close(mark);
    mark = end;
  }
  if (total > 0) close(total);
  return ends;
}

/**
 * Puts down the ends of a run: one, or when it is too long, of two parts that are divided in turn. They meet after the
 * record with the least hash in the middle quarter, the first of them.
 */
function divide(sequence: Records, start: number, end: number, ends: number[]): void {
  const length = end - start;
  if (length <= MAX_CHUNK) {
    ends.push(end);
    return;
  }
  let middle = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let at = start + Math.ceil((3 * length) / 8); at <= start + Math.floor((5 * length) / 8); at++) {
    const hash = textHash(sequence.at(at - 1)!.id);
    if (hash >= least) continue;
    least = hash;
    middle = at;
  }
  divide(sequence, start, middle, ends);
  divide(sequence, middle, end, ends);
}
