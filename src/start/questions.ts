/** Asks a person for what is to be known of a new catalogue. */
import type { Readable, Writable } from 'node:stream';
import { cancel, intro } from '@clack/prompts';
import { configurationSchema } from '../contract/configuration.ts';
import { COUNTRIES, COUNTRY_CURRENCIES, CURRENCIES } from '../contract/tables.ts';
import { askCode, askText, GIVEN_UP } from '../editing/questions.ts';
import type { Start } from './starter.ts';

/** Where questions go, and where answers come from. */
export type Streams = { readonly input?: Readable; readonly output?: Writable };

/** Asks for what is not given, each with what is usual. @returns undefined when the person gives up (Ctrl+C). */
export async function askStart(
  given: Partial<Start>,
  usual: Start,
  streams: Streams = {},
): Promise<Start | undefined> {
  intro('A new catalogue', streams);
  const line = (message: string, initialValue: string, key: 'title' | 'base_url') =>
    askText({ message, initialValue, validate: (value) => settingProblem(key, value), ...streams });
  try {
    const title = given.title ?? (await line('Title', usual.title, 'title'));
    const baseUrl =
      given.baseUrl ??
      (await line('Address that it will have; this one is for this machine', usual.baseUrl, 'base_url'));
    const country =
      given.country ?? (await askCode('Country of the first property', COUNTRIES, [usual.country], streams));
    const currency =
      given.currency ??
      (await askCode('Currency', CURRENCIES, [currencyOf(country) ?? usual.currency], streams));
    return { title, baseUrl, country, currency };
  } catch (error) {
    if (error !== GIVEN_UP) throw error;
    cancel('Nothing was written.', streams);
    return undefined;
  }
}

/** The currency of a country; undefined for one that has none of its own. */
export function currencyOf(country: string): string | undefined {
  return Object.hasOwn(COUNTRY_CURRENCIES, country) ? COUNTRY_CURRENCIES[country] : undefined;
}

/** What is wrong with the value of a setting; undefined when it is sound. */
export function settingProblem(key: 'title' | 'base_url', value = ''): string | undefined {
  const result = configurationSchema.shape[key].safeParse(value);
  const message = result.error?.issues[0]?.message;
  return message && `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
