import { domainToASCII } from 'node:url';
import * as z from 'zod';

/** Top-level label of an internationalised domain, which zod's expression does not match. */
const ASCII_FORM = /\.xn--[\da-z-]+$/i;

export function isEmail(value: string): boolean {
  return z.regexes.email.test(value.replace(ASCII_FORM, '.example'));
}

/**
 * Converts an address to its published form, with an internationalised domain in ASCII (IDNA), which every mail program
 * accepts.
 *
 * @returns undefined for an invalid address, and for one with non-ASCII letters before the `@`.
 *
 * @example
 * publishedEmail('info@möwe-haus.de') // 'info@xn--mwe-haus-n4a.de'
 */
export function publishedEmail(value: string): string | undefined {
  if (isEmail(value)) return value;
  const domain = value.lastIndexOf('@') + 1;
  const published = value.slice(0, domain) + domainToASCII(value.slice(domain));
  return isEmail(published) ? published : undefined;
}
