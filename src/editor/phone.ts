/** Formats phone numbers (ITU-T E.123) by each country's numbering plan. */
import {
  AsYouType,
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { hasAreaCode } from '../contract/phone-area-code.ts';

export function formatWhileTyping(text: string): string {
  return text.startsWith('+') ? new AsYouType().input(text) : text;
}

/** `01 605 7700` in Ireland becomes `+353 1 605 7700`. Undefined if not a number, or if it may lack its area code. */
export function toInternationalFormat(text: string, country: string): string | undefined {
  const home = isSupportedCountry(country) ? { defaultCountry: country as CountryCode } : {};
  const number = parsePhoneNumberFromString(text, { ...home, extract: false });
  return number?.isPossible() && hasAreaCode(text, number) ? number.formatInternational() : undefined;
}
