import { domainToASCII } from 'node:url';
import * as z from 'zod';

/** An internationalised top-level domain in ASCII, such as `.xn--p1ai`, which zod's expression does not match. */
const ASCII_FORM = /\.xn--[\da-z-]+$/i;

/** Maximum length in characters (RFC 5321, 4.5.3.1: a path has 256, including two angle brackets). */
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

export function isEmail(value: string): boolean {
  if (value.length > MAX_LENGTH || value.lastIndexOf('@') > MAX_LOCAL_LENGTH) return false;
  return z.regexes.email.test(value.replace(ASCII_FORM, '.example'));
}

/**
 * Converts the domain to ASCII (IDNA), which every mail program accepts. Undefined if the result is still invalid, for
 * example because of an "ü" before the `@`.
 */
export function normalizeEmail(value: string): string | undefined {
  if (isEmail(value)) return value;
  const domain = value.lastIndexOf('@') + 1;
  const published = value.slice(0, domain) + domainToASCII(value.slice(domain));
  return isEmail(published) ? published : undefined;
}
