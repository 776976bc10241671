/** The order of lists (`docs/decisions.md`, "The list"). */

/** Removes case, accents and compatibility forms: NFKD without combining marks, in lower case. */
export function foldText(text: string): string {
  // Most names are ASCII and need no normalisation.
  return /^[ -~]*$/.test(text)
    ? text.toLowerCase()
    : text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/**
 * Comparing these keys with `<` gives the order of lists: country, folded city, city, folded title, title, id, each by
 * Unicode code point. U+0000 separates these parts, which contain no control characters.
 */
export function sortKey(summary: { country: string; city: string; title: string; id: string }): string {
  const { country, city, title, id } = summary;
  return byCodePoint(`${country}\0${foldText(city)}\0${city}\0${foldText(title)}\0${title}\0${id}`);
}

export function compareByCodePoint(one: string, other: string): number {
  const [a, b] = [byCodePoint(one), byCodePoint(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Moves surrogates above U+E000..U+FFFF, so that comparing UTF-16 units compares code points. */
function byCodePoint(text: string): string {
  if (!/[\ud800-\uffff]/.test(text)) return text;
  return text.replace(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}
