import anyAscii from 'any-ascii';

/** Names of devices, which no file on Windows can have. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * Makes a slug for file and host names: lower-case ASCII letters, digits and single inner hyphens, at most `longest`
 * characters. Transliterates other scripts. Empty when the result has no letter.
 *
 * @example
 * slugOf('Γκαρσονιέρα στην Αθήνα'); // 'gkarsoniera-sten-athena'
 */
export function slugOf(text: string, longest = 40): string {
  const ascii = /^[ -~]*$/.test(text) ? text : transliterated(text);
  const words = ascii
    .toLowerCase()
    .replace(/['`]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? word.slice(0, longest) : `${slug}-${word}`;
    if (longer.length > longest) break;
    slug = longer;
  }
  if (DEVICE.test(slug)) return `${slug}-1`;
  return /[a-z]/.test(slug) ? slug : '';
}

function transliterated(text: string): string {
  // Spaces separate Chinese characters, which are transliterated to a syllable or more each. Emoji are dropped.
  const spaced = text
    .normalize('NFKC')
    .replace(/['’‘´`]/g, '')
    .replace(/\p{Script=Han}/gu, ' $& ')
    .replace(/\p{Extended_Pictographic}/gu, ' ');
  return anyAscii(spaced);
}
