/** Random queries from the relevant pieces; the same seed makes the same queries. */
import { bytes } from './case.ts';
import type { Fixture } from './fixture.ts';

/** A source of numbers from 0 to below 1 (mulberry32). */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const NAMES = ['filter[country]', 'filter[city]', 'page[number]', 'page[size]'];
const ODD_NAMES = [
  ...['filter[', 'filter[]', 'filter', 'filter[contry]', 'page[siz]', 'page[', 'page', 'filter[city]]'],
  ...['filter[city][]', 'utm', '', '?', 'page[number', ' filter[city]', 'Filter[city]', 'filter%[city]'],
  'page[size]\0',
];
const ODD_VALUES = [
  ...['', '', 'FR', 'GB', 'fr', 'ZZ', '0', '1', '2', '10', '25', '99', '100', '101', '01', '-1', '999999999'],
  ...['1000000000', 'Paris', '..', 'A B', ' ', '\0', '\n', '=', '%', '%4', '%zz', '%C3', '%ff', '%80%80'],
  ...['%ED%A0%80', '%F4%90%80%80', '%E2%82', '%C0%AF', '%F0%9F%8F%9D'],
  'a'.repeat(119),
  'a'.repeat(121),
  '%41'.repeat(120),
  `${'b'.repeat(118)}%C3%A9`,
  `${'+'.repeat(120)}%`,
];

/** A query, one character a byte, all of it legal in a request line. */
export function randomQuery(random: () => number, fixture: Fixture): string {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  const count = Math.floor(random() * 6);
  const pairs: string[] = [];
  for (let index = 0; index < count; index++) {
    const name = spelled(bytes(random() < 0.85 ? pick(NAMES) : pick(ODD_NAMES)), random);
    const chance = random();
    const value =
      chance < 0.35
        ? spelled(bytes(pick(fixture.cities)), random)
        : chance < 0.9
          ? ready(pick(ODD_VALUES), random)
          : Array.from({ length: Math.floor(random() * 8) }, () =>
              pick([
                ...['%', '%4', '1', 'F', 'R', '%46', '%c3', '%A9', '&', '=', '+', '[', ']', '%5b', ';', '?'],
                ...['/', "'"],
              ]),
            ).join('');
    pairs.push(random() < 0.05 ? name : `${name}=${value}`);
  }
  return pairs.join('&');
}

/** Each byte raw when that is valid and unambiguous, otherwise percent-encoded. */
function spelled(text: string, random: () => number): string {
  const rate = random() < 0.5 ? 0 : random();
  return [...text]
    .map((byte) => {
      if (byte === ' ' && random() < 0.5) return '+';
      const isPlain = /[A-Za-z0-9._~!$'()*,;:@/?[\]-]/.test(byte);
      if (isPlain && random() >= rate) return byte;
      const digits = byte.charCodeAt(0).toString(16).padStart(2, '0');
      return `%${random() < 0.5 ? digits : digits.toUpperCase()}`;
    })
    .join('');
}

/** A value that is partly encoded already: only bytes that would break the request line are encoded. */
function ready(value: string, random: () => number): string {
  return /[^!-~]/.test(value) ? spelled(value, random) : value;
}
