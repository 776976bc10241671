import anyAscii from 'any-ascii';

/** Names of devices, which Windows does not allow for files. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** Lower-case ASCII letters, digits and single hyphens. Transliterates other scripts. Empty if no letter is left. */
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
  // Each Chinese character becomes a word. Emoji are dropped.
  const spaced = text
    .normalize('NFKC')
    .replace(/['’‘´`]/g, '')
    .replace(/\p{Script=Han}/gu, ' $& ')
    .replace(/\p{Extended_Pictographic}/gu, ' ');
  return anyAscii(spaced);
}
