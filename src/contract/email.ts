import { domainToASCII } from 'node:url';
import * as z from 'zod';

/** Top-level label of an internationalised domain, which zod's expression does not match. */
const ASCII_FORM = /\.xn--[\da-z-]+$/i;

export function isEmail(value: string): boolean {
  return z.regexes.email.test(value.replace(ASCII_FORM, '.example'));
}

/** The domain becomes ASCII (IDNA), which every mail program accepts; undefined for "ü" and such before the `@`. */
export function publishedEmail(value: string): string | undefined {
  if (isEmail(value)) return value;
  const domain = value.lastIndexOf('@') + 1;
  const published = value.slice(0, domain) + domainToASCII(value.slice(domain));
  return isEmail(published) ? published : undefined;
}
