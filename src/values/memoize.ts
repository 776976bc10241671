export function memoizeLast<T>(find: (key: string) => T): (key: string) => T {
  let last: { readonly key: string; readonly answer: T } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, answer: find(key) };
    return last.answer;
  };
}

export function memoize<T>(find: (key: string) => T): (key: string) => T {
  return remembering(new Map<string, T>(), find);
}

const MAX_REMEMBERED = 10_000;
/** Rows share policies of this length. With 100, an import whose rows share them took a tenth longer. */
const MAX_LENGTH = 300;

/**
 * For words that occur in many rows of a table. Drops all results when there are {@link MAX_REMEMBERED}. Does not
 * remember results for keys longer than {@link MAX_LENGTH}.
 */
export function memoizeBounded<T>(find: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    if (key.length > MAX_LENGTH) return find(key);
    const before = known.get(key);
    if (before !== undefined || known.has(key)) return before!;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const found = find(key);
    known.set(detachedCopy(key), found);
    return found;
  };
}

/** JavaScript engines copy a substring of up to this many UTF-16 units. A longer substring refers to the original. */
const MAX_COPIED_LENGTH = 12;

/** Copies a text, since a substring would keep the whole original in memory. */
export function detachedCopy(text: string): string {
  return text.length <= MAX_COPIED_LENGTH ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** Each result lives as long as its argument. */
export function memoizeByObject<Key extends object, T>(find: (key: Key) => T): (key: Key) => T {
  return remembering(new WeakMap<Key, T>(), find);
}

type Known<Key, T> = { get(key: Key): T | undefined; set(key: Key, value: T): unknown };

function remembering<Key, T>(found: Known<Key, T>, find: (key: Key) => T): (key: Key) => T {
  return (key) => {
    let known = found.get(key);
    if (known === undefined) {
      known = find(key);
      found.set(key, known);
    }
    return known;
  };
}
