/**
 * Phone numbers for properties that have none of their own. Where a numbering authority keeps a range for films and
 * plays, and libphonenumber counts it as valid, the numbers come from there, so they ring at no one's home.
 */
import { type CountryCode, getExampleNumber, isSupportedCountry } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';

/** E.164 numbers; `#` is any digit. */
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

/**
 * A valid number of the country in E.164 form, or undefined when it has no numbering plan known to libphonenumber.
 *
 * @param choice any whole number: which of the numbers
 */
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
