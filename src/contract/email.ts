/** E-mail addresses. */
import { domainToASCII } from 'node:url';
import * as z from 'zod';

/** The last label of an internationalised domain, which the library's expression does not know. */
const ASCII_FORM = /\.xn--[\da-z-]+$/i;

/**
 * Whether a text is one plain address in ASCII.
 *
 * @example
 * isEmail('stay@rosecottage.example') // true
 */
export function isEmail(value: string): boolean {
  return z.regexes.email.test(value.replace(ASCII_FORM, '.example'));
}

/**
 * The form in which an address is published: an internationalised domain in its ASCII form (IDNA), which every mail program
 * takes.
 *
 * @returns undefined for a text that is no address, and for one with other letters than ASCII before the `@`.
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
