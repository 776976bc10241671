/** Corrects `53,27 N` to 53.27. Undefined for a text that is ambiguous or not a latitude (at most 90 degrees). */
export function guessLatitude(text: string): string | undefined {
  return coordinate(text, 90, 'N', 'S');
}

/** Corrects `9.05 W` to -9.05. Undefined for a text that is ambiguous or not a longitude (at most 180 degrees). */
export function guessLongitude(text: string): string | undefined {
  return coordinate(text, 180, 'E', 'W');
}

const DEGREES =
  /^(?<before>[NSEW])? ?(?<sign>[+-])?(?<degrees>\d{1,3})(?:[.,](?<fraction>\d{1,30}))? ?(?:°|º|deg)? ?(?:(?<minutes>\d{1,2}(?:[.,]\d{1,9})?) ?['′’] ?)?(?:(?<seconds>\d{1,2}(?:[.,]\d{1,9})?) ?(?:["″”]|''|′′) ?)?(?<behind>[NSEW])?$/i;

const DECIMAL = /^-?[1-9]\d{0,2}(?:\.\d{1,30})?$/;

const DASHES = /[\u2010-\u2013\u2212\ufe63\uff0d]/g;
const EXPONENT = /^[-+]?\d\.\d+e\+?\d$/i;

function coordinate(given: string, limit: number, positive: string, negative: string): string | undefined {
  const text = EXPONENT.test(given) ? String(Number(given)) : given;
  if (DECIMAL.test(text)) return Math.abs(Number(text)) > limit ? undefined : text;
  const found = DEGREES.exec(text.trim().replace(DASHES, '-').replace(/\s+/g, ' '))?.groups;
  if (!found || (found.before && found.behind)) return undefined;
  const { sign, degrees = '', fraction, minutes, seconds } = found;
  const point = (found.before ?? found.behind ?? '').toUpperCase();
  // 9 W is -9, but -9 W is ambiguous.
  if (point !== '' && (!(positive + negative).includes(point) || sign === '-')) return undefined;
  if (minutes === undefined && seconds !== undefined) return undefined;
  if (
    minutes !== undefined &&
    (fraction !== undefined || numberOf(minutes) >= 60 || numberOf(seconds) >= 60)
  ) {
    return undefined;
  }
  const whole = String(Number(degrees));
  const size =
    minutes === undefined
      ? fraction === undefined
        ? whole
        : `${whole}.${fraction}`
      : (Number(degrees) + numberOf(minutes) / 60 + numberOf(seconds) / 3600)
          .toFixed(6)
          .replace(/\.?0+$/, '');
  if (Number(size) > limit) return undefined;
  const isNegative = sign === '-' || (point !== '' && negative.includes(point));
  return isNegative && Number(size) !== 0 ? `-${size}` : size;
}

function numberOf(text = '0'): number {
  return Number(text.replace(',', '.'));
}
