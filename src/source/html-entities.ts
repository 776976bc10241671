const TABLE: readonly (readonly [first: number, names: string])[] = [
  [
    0xa0,
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml',
  ],
  [0x391, 'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho'],
  [0x3a3, 'Sigma Tau Upsilon Phi Chi Psi Omega'],
  [
    0x3b1,
    'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega',
  ],
  [0x22, 'quot'],
  [0x26, 'amp apos'],
  [0x3c, 'lt'],
  [0x3e, 'gt'],
  [0x100, 'Amacr amacr Abreve abreve Aogon aogon Cacute cacute'],
  [0x10c, 'Ccaron ccaron Dcaron dcaron Dstrok dstrok'],
  [0x118, 'Eogon eogon Ecaron ecaron'],
  [0x11e, 'Gbreve gbreve'],
  [0x130, 'Idot imath'],
  [0x141, 'Lstrok lstrok Nacute nacute'],
  [0x147, 'Ncaron ncaron'],
  [0x150, 'Odblac odblac OElig oelig'],
  [0x158, 'Rcaron rcaron Sacute sacute'],
  [0x15e, 'Scedil scedil Scaron scaron'],
  [0x164, 'Tcaron tcaron'],
  [0x16e, 'Uring uring Udblac udblac'],
  [0x178, 'Yuml Zacute zacute Zdot zdot Zcaron zcaron'],
  [0x192, 'fnof'],
  [0x2c6, 'circ'],
  [0x2dc, 'tilde'],
  [0x2002, 'ensp emsp'],
  [0x2009, 'thinsp'],
  [0x200c, 'zwnj zwj lrm rlm'],
  [0x2013, 'ndash mdash'],
  [0x2018, 'lsquo rsquo sbquo'],
  [0x201c, 'ldquo rdquo bdquo'],
  [0x2020, 'dagger Dagger bull'],
  [0x2026, 'hellip'],
  [0x2030, 'permil'],
  [0x2032, 'prime Prime'],
  [0x2039, 'lsaquo rsaquo'],
  [0x203e, 'oline'],
  [0x2044, 'frasl'],
  [0x20ac, 'euro'],
  [0x2122, 'trade'],
  [0x2190, 'larr uarr rarr darr harr'],
  [0x2212, 'minus'],
  [0x221e, 'infin'],
  [0x2248, 'asymp'],
  [0x2260, 'ne'],
  [0x2264, 'le ge'],
  [0x2660, 'spades'],
  [0x2663, 'clubs'],
  [0x2665, 'hearts diams'],
];

const NAMED: ReadonlyMap<string, number> = new Map(
  TABLE.flatMap(([first, names]) => names.split(' ').map((name, index) => [name, first + index] as const)),
);

/** Bytes 0x80 to 0x9f of windows-1252, which browsers use for numeric references (HTML, 13.2.5.80). */
const WINDOWS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Browsers read the names at the end of this expression without a semicolon too, except in a URL. */
const ENTITY =
  /&(?:(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,8}\d{0,2}));|(amp|lt|gt|quot|nbsp)(?![\w=;]))/g;

export function hasEntity(text: string): boolean {
  return text.includes('&') && decodeEntities(text) !== text;
}

/**
 * Decodes each entity once; unknown entities stay. Entities of special spaces become plain spaces. Entities of soft
 * hyphens, zero-width spaces and direction marks are dropped.
 */
export function decodeEntities(text: string): string {
  return text.replace(
    ENTITY,
    (written, decimal?: string, hexadecimal?: string, closed?: string, open?: string) => {
      const name = closed ?? open;
      const code = name
        ? (NAMED.get(name) ?? NAMED.get(name.toLowerCase()))
        : Number.parseInt(decimal ?? hexadecimal ?? '', decimal ? 10 : 16);
      if (code === undefined || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return written;
      if (code === 0xa0 || (code >= 0x2002 && code <= 0x200a) || code === 0x202f) return ' ';
      if (code === 0xad || code === 0x200e || code === 0x200f || code === 0x200b) return '';
      return WINDOWS[code - 0x80] ?? String.fromCodePoint(code);
    },
  );
}
