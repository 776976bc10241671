/** Cleans texts of the sources as the catalogue wants them. */

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ordf: 'ª',
  ordm: 'º',
  iexcl: '¡',
  iquest: '¿',
  middot: '·',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  euro: '€',
};

/** The combining marks that the names of accented letters in HTML end in. */
const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  uml: '\u0308',
  tilde: '\u0303',
  cedil: '\u0327',
  ring: '\u030a',
};

/** Invisible: zero-width characters (but for the joiners that emoji and some scripts need), direction marks, soft hyphens. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffd\p{Cs}]/gu;

/**
 * One line of text: HTML entities decoded, control and invisible characters removed, NFC, runs of white space as one
 * space, trimmed.
 */
export function cleanText(raw = ''): string {
  return decodeEntities(raw)
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
}

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
    (entity, decimal, hexadecimal, name) => {
      if (name !== undefined) return namedCharacter(name) ?? entity;
      const codePoint = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
      return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '';
    },
  );
}

function namedCharacter(name: string): string | undefined {
  const accented = /^([a-z])(acute|grave|circ|uml|tilde|cedil|ring)$/i.exec(name);
  if (accented) return `${accented[1]}${ACCENTS[accented[2] as string]}`.normalize('NFC');
  return NAMED_ENTITIES[name];
}
