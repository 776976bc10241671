/** Names of files from titles in any script. */
import anyAscii from 'any-ascii';

/**
 * A file-name and host-name part of a text: lower-case ASCII letters, digits and single inner hyphens, at most
 * `longest` characters. Other scripts are written in Latin letters. Empty when the text has no letter at all.
 *
 * @example
 * slugOf('Γκαρσονιέρα στην Αθήνα'); // 'gkarsoniera-sten-athena'
 */
export function slugOf(text: string, longest = 40): string {
  // Each Chinese character is a syllable or more, which would run together with those beside it. An emoji is no word.
  const spaced = text
    .normalize('NFKC')
    .replace(/['’‘´`]/g, '')
    .replace(/\p{Script=Han}/gu, ' $& ')
    .replace(/\p{Extended_Pictographic}/gu, ' ');
  const ascii = anyAscii(spaced).toLowerCase().replace(/['`]/g, '');
  const words = ascii.split(/[^a-z0-9]+/).filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, longest) : `${slug}-${word}`;
    if (longer.length > longest) break;
    slug = longer;
  }
  return /[a-z]/.test(slug) ? slug : '';
}
