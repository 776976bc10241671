/** Letters that Unicode does not decompose into an ASCII letter and a mark. */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
};

/**
 * A file-name and host-name part of a text: lower-case ASCII letters, digits and single inner hyphens, at most
 * `longest` characters. Empty when the text has no letter that can be written so.
 */
export function slugOf(text: string, longest = 40): string {
  const ascii = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’‘´`]/gu, '')
    .replace(/[^\0-\x7f]/gu, (letter) => TRANSLITERATIONS[letter] ?? ' ');
  const words = ascii.split(/[^a-z0-9]+/).filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, longest) : `${slug}-${word}`;
    if (longer.length > longest) break;
    slug = longer;
  }
  return /[a-z]/.test(slug) ? slug : '';
}
