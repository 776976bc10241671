import { integerBetween, pick, type Random } from './random.ts';

/** `#` is a digit, `@` a letter. Other countries have no postal codes. */
export const POSTAL_CODES: Readonly<Record<string, string>> = {
  AR: 'C####',
  AT: '6###',
  AU: '3###',
  BE: '2###',
  BG: '1###',
  BR: '2####-###',
  CA: 'K#A #B#',
  CH: '1###',
  CN: '1#####',
  CO: '11####',
  CZ: '1## ##',
  DE: '8####',
  DK: '2###',
  DO: '1####',
  EE: '1####',
  ES: '28###',
  FI: '0####',
  FR: '75###',
  GB: 'EH# #@@',
  GR: '1## ##',
  HR: '1####',
  HU: '1###',
  ID: '1####',
  IE: 'D## A#F#',
  IN: '1#####',
  IS: '1##',
  IT: '0####',
  JP: '1##-####',
  KR: '0####',
  LK: '1####',
  MA: '2####',
  MX: '0####',
  NL: '1### @@',
  NO: '0###',
  NZ: '6###',
  PA: '0###',
  PE: '15###',
  PH: '1###',
  PL: '0#-###',
  PT: '1###-###',
  RO: '0#####',
  RU: '1#####',
  SE: '1## ##',
  SI: '1###',
  TH: '1####',
  TR: '3####',
  UA: '0####',
  US: '1####',
  VN: '1#####',
  ZA: '8###',
};

export function madeUpPostalCode(random: Random, country: string): string | undefined {
  return POSTAL_CODES[country]?.replace(/[#@]/g, (place) =>
    place === '#'
      ? String(integerBetween(random, 0, 9))
      : pick(random, ['A', 'B', 'D', 'E', 'G', 'H', 'L', 'N']),
  );
}
