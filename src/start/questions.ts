import type { Readable, Writable } from 'node:stream';
import { text as ask, autocomplete, cancel, intro, isCancel, select } from '@clack/prompts';
import { configurationSchema } from '../contract/configuration.ts';
import { COUNTRIES, COUNTRY_CURRENCIES, CURRENCIES } from '../contract/country-and-currency-tables.ts';
import { HOST_NAMES, HOSTS, type HostName } from '../contract/hosts.ts';
import { foldToLetters } from '../contract/unicode.ts';
import { ownValue } from '../values/own-value.ts';
import type { StarterSettings } from './starter.ts';

export type PromptStreams = { readonly input?: Readable; readonly output?: Writable };

/** Each question has a default. Undefined if the user cancels (Ctrl+C). */
export async function askStartQuestions(
  given: Partial<StarterSettings>,
  usual: StarterSettings,
  streams: PromptStreams = {},
): Promise<StarterSettings | undefined> {
  intro('A new catalogue', streams);
  const line = (message: string, defaultValue: string, key: 'title' | 'base_url') =>
    askText({
      message,
      defaultValue,
      placeholder: defaultValue,
      ...streams,
      validate: (value) => settingProblem(key, value || defaultValue),
    });
  try {
    const title = given.title ?? (await line('Title', usual.title, 'title'));
    const baseUrl =
      given.baseUrl ??
      (await line(
        'Address for its users, such as https://stays.example; keep this one to try it here',
        usual.baseUrl,
        'base_url',
      ));
    const host = given.host ?? (await askHost(streams));
    const country =
      given.country ?? (await askCode('Country of the first property', COUNTRIES, [usual.country], streams));
    const currency =
      given.currency ??
      (await askCode('Currency', CURRENCIES, [mainCurrencyOf(country) ?? usual.currency], streams));
    return { title, baseUrl, host, country, currency };
  } catch (error) {
    if (error !== CANCELLED) throw error;
    cancel('Nothing was written.', streams);
    return undefined;
  }
}

const CANCELLED = Symbol('cancelled');

const ROWS = 8;

async function answered<Answer>(answer: Promise<Answer>): Promise<Exclude<Answer, symbol | undefined>> {
  const value = await answer;
  if (isCancel(value)) throw CANCELLED;
  return (value ?? '') as Exclude<Answer, symbol | undefined>;
}

function askText(question: Parameters<typeof ask>[0]): Promise<string> {
  return answered(ask(question));
}

async function askHost(streams: PromptStreams): Promise<HostName | undefined> {
  const options = [
    { value: '' as const, label: 'not decided yet' },
    ...HOST_NAMES.map((value) => ({ value, label: `${HOSTS[value].title} (${value})` })),
  ];
  const message = 'Host, where it will be served';
  const host = await answered(
    select<HostName | ''>({ message, options, maxItems: HOST_NAMES.length + 1, ...streams }),
  );
  return host || undefined;
}

function askCode(
  message: string,
  table: Readonly<Record<string, string>>,
  first: readonly string[],
  streams: PromptStreams,
): Promise<string> {
  const rest = Object.keys(table)
    .filter((code) => !first.includes(code))
    .sort((a, b) => (foldToLetters(table[a]!) < foldToLetters(table[b]!) ? -1 : 1));
  const options = [...first, ...rest].map((value) => ({ value, label: `${table[value]} (${value})` }));
  return answered(
    autocomplete({
      message: `${message} (type a part of its name)`,
      maxItems: ROWS,
      options: byCodeFirst(options),
      filter: () => true,
      ...streams,
    }),
  );
}

type Choice = { readonly value: string; readonly label: string };

function byCodeFirst(options: readonly Choice[]) {
  return function (this: { readonly userInput: string }): Choice[] {
    const typed = foldToLetters(this.userInput);
    const found = options.filter(({ label }) => foldToLetters(label).includes(typed));
    const isCode = ({ value }: Choice) => value.toLowerCase() === typed;
    return [...found.filter(isCode), ...found.filter((option) => !isCode(option))];
  };
}

export function mainCurrencyOf(country: string): string | undefined {
  return ownValue(COUNTRY_CURRENCIES, country);
}

export function settingProblem(key: 'title' | 'base_url', value = ''): string | undefined {
  const result = configurationSchema.shape[key].safeParse(value);
  const message = result.error?.issues[0]?.message;
  return message && `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
