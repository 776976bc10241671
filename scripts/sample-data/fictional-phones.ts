// Numbers from ranges reserved for films and plays, which belong to nobody.
import { type CountryCode, getExampleNumber, isSupportedCountry } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';

/** E.164; `#` is any digit. */
const FICTIONAL: Readonly<Record<string, string>> = {
  // ACMA: (03) 5550 xxxx, the region that Tasmania is in.
  AU: '+61355500###',
  // NANPA: 555-0100 to 555-0199 of every area code.
  CA: '+161355501##',
  US: '+120255501##',
  // Bundesnetzagentur: (0)89 99998-xxx in Munich.
  DE: '+498999998###',
  // ARCEP: 01 99 00 xx xx.
  FR: '+3319900####',
  // Ofcom: 0131 496 0xxx in Edinburgh.
  GB: '+441314960###',
  // PTS: 08-465 004 xx in Stockholm.
  SE: '+468465004##',
};

/** A valid E.164 number; undefined if libphonenumber does not know the country. @param choice any whole number */
export function fictionalPhone(country: string, choice: number): string | undefined {
  const range = FICTIONAL[country];
  if (range === undefined) {
    return isSupportedCountry(country)
      ? getExampleNumber(country as CountryCode, examples)?.number
      : undefined;
  }
  let rest = choice;
  return range.replace(/#/g, () => {
    const digit = rest % 10;
    rest = Math.floor(rest / 10);
    return String(digit);
  });
}
