/** Formats of phone numbers (ITU-T E.123), by what is known of the countries' plans. */
import {
  AsYouType,
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/** A number that begins with `+`, with the spaces that it has up to here; any other text as it is. */
export function asTyped(text: string): string {
  return text.startsWith('+') ? new AsYouType().input(text) : text;
}

/**
 * A number as it is written abroad: `01 605 7700` in Ireland is `+353 1 605 7700`. Undefined for any other text.
 *
 * @param country ISO 3166-1 alpha-2 code of the country that a number without `+` is of.
 */
export function international(text: string, country: string): string | undefined {
  const home = isSupportedCountry(country) ? { defaultCountry: country as CountryCode } : {};
  const number = parsePhoneNumberFromString(text, { ...home, extract: false });
  return number?.isPossible() ? number.formatInternational() : undefined;
}
