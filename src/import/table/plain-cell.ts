/** Numbers with larger exponents are left as they are. */
const MAX_EXPONENT = 400;

export function plainNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:[.,](\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === '' || Math.abs(Number(power)) > MAX_EXPONENT) return text;
  const point = whole.length + Number(power);
  const digits = (whole + fraction)
    .padEnd(point, '0')
    .padStart(whole.length + fraction.length - Math.min(point, 0), '0');
  const place = Math.max(point, 0);
  const plain = `${digits.slice(0, place) || '0'}.${digits.slice(place)}`
    .replace(/^0+(?=\d)/, '')
    .replace(/\.?0*$/, '');
  return plain === '0' ? plain : sign + plain;
}

/** The exponent needs a sign, since `12E5` may be a code. */
const EXPONENT = /^-?(\d+)(?:([.,])(\d+))?e([+-]\d{1,3})$/i;
/**
 * A cell such as 1.2E+05 is read as a whole number if its exponent is at most this, or at most its number of decimals.
 * Otherwise, it may be a phone number that lost digits.
 */
const MAX_ROUNDED_EXPONENT = 5;

/** Matches links of cells such as `=HYPERLINK("https://…","Book now")`, whatever the language of the function. */
const LINK =
  /^=[\p{L}\d_.]{0,20}(?:hyper|hiper|iper|image)[\p{L}_.]{0,20}\(\s*"((?:[^"]|"")+)"\s*(?:[,;].*)?\)$/isu;

export function linkOfFormula(text: string): string | undefined {
  return LINK.exec(text)?.[1]?.replaceAll('""', '"');
}

export function plainCell(text: string): string {
  if (!/^-?\d|^\\N$|^=/.test(text)) return text;
  if (text === '\\N') return '';
  const formula = linkOfFormula(text) ?? /^="((?:[^"]|"")*)"$/.exec(text)?.[1]?.replaceAll('""', '"');
  if (formula !== undefined) return formula;
  if (text.length > 40) return text;
  const [, , mark = '.', fraction = '', power = ''] = EXPONENT.exec(text) ?? [];
  if (power === '') return /^-0+(?:[.,]0+)?$/.test(text) ? text.slice(1) : text;
  const isWhole = Number(power) <= Math.max(MAX_ROUNDED_EXPONENT, fraction.length);
  return isWhole ? plainNumber(text).replace('.', mark) : text;
}
