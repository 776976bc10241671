import {
  COUNTRIES,
  COUNTRY_CURRENCIES,
  COUNTRY_ROWS,
  CURRENCIES,
  CURRENCY_ROWS,
} from '../contract/country-and-currency-tables.ts';
import { memoize, memoizeBounded, memoizeByObject } from '../values/memoize.ts';
import { ownValue } from '../values/own-value.ts';
import { differByOneLetter as isOneLetterOff } from './did-you-mean.ts';

type Rows = Readonly<Record<string, readonly string[]>>;
type Names = Readonly<Record<string, string>>;
type Index = ReadonlyMap<string, string>;

/**
 * Drops letter case, accents, spaces, punctuation and, if other words remain, "and", "of" and "the". Spells out "St"
 * as "saint".
 */
export function foldName(text: string): string {
  const words = text
    .slice(0, MAX_LENGTH)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\bst\b/g, 'saint');
  const letters = (part: string) => part.replace(/[\p{M}\p{Pd}\s.,'’‘ʻ()&]/gu, '');
  return letters(words.replace(/\b(?:and|of|the)\b/g, '')) || letters(words);
}

const MAX_LENGTH = 100;

function indexOf(rows: Rows, ...places: number[]): () => Index {
  const names = (row: readonly string[]) => row.filter((_cell, place) => !places.includes(place));
  const pairs = () =>
    Object.entries(rows).flatMap(([code, row]) => names(row).map((name) => [foldName(name), code] as const));
  let index: Index | undefined;
  return () => (index ??= new Map(pairs()));
}

const countriesByName = indexOf(COUNTRY_ROWS, 1);

/**
 * Names in these languages are accepted, in addition to the English and native names in {@link COUNTRY_ROWS} and
 * {@link CURRENCY_ROWS}.
 */
const OTHER_NAME_LANGUAGES = ['de', 'fr', 'es', 'it', 'nl', 'pt', 'pl'];
const AMBIGUOUS: ReadonlySet<string> = new Set(['congo']);

/** Names that mean several codes have the code ''. */
function foreignNames(type: 'region' | 'currency', codes: Names): Index {
  const index = new Map<string, string>();
  for (const language of OTHER_NAME_LANGUAGES) {
    const names = new Intl.DisplayNames(language, { type });
    for (const code of Object.keys(codes)) {
      const name = foldName(type === 'region' ? names.of(code)! : withoutPlurals(names.of(code)!));
      const known = index.get(name);
      index.set(name, (known === undefined || known === code) && !AMBIGUOUS.has(name) ? code : '');
    }
  }
  return index;
}

/** Turns `francs suisses` into `franc suisse`. */
const withoutPlurals = (text: string) => text.replace(/(?<=\p{L}{3})s(?!\p{L})/gu, '');

let foreign: Index | undefined;

function foreignCountries(): Index {
  // In Spanish, one of the two Congos is called "Congo", which is also how the name of the other one starts.
  const isStartOfAnother = (name: string, code: string) =>
    [...countriesByName()].some(([other, its]) => its !== code && other.startsWith(name));
  const named = () => [...foreignNames('region', COUNTRIES)];
  foreign ??= new Map(named().filter(([name, code]) => code !== '' && !isStartOfAnother(name, code)));
  return foreign;
}

let foreignCurrencies: Index | undefined;
const currenciesByName = indexOf(CURRENCY_ROWS, 1, 2);

/** One-letter country signs of vehicles (UN Convention on Road Traffic, 1968), which tables use as country codes. */
const VEHICLE_SIGNS: Names = {
  ...{ A: 'AT', B: 'BE', D: 'DE', E: 'ES', F: 'FR', H: 'HU', I: 'IT', L: 'LU', N: 'NO', P: 'PT', S: 'SE' },
};

/**
 * Accepts alpha-2 and alpha-3 codes in any letter case, {@link VEHICLE_SIGNS}, English, native and former names, and
 * names in {@link OTHER_NAME_LANGUAGES}.
 */
export const findCountryByName = memoizeBounded((text): string | undefined => {
  const found = named(text, COUNTRIES, countriesByName()) ?? ownValue(VEHICLE_SIGNS, text.trim());
  return found ?? (text.trim().length > 3 ? foreignCountries().get(foldName(text)) : undefined);
});

/**
 * Accepts a code in any letter case, a name or a symbol. A name or symbol that several currencies share, such as `$`,
 * `kr` or `pound`, means the country's own currency.
 */
export function findCurrencyByName(text: string, country: unknown): string | undefined {
  return currencyIn(`${findCountryByName(String(country)) ?? ''}:${text}`);
}

const currencyIn = memoizeBounded((key): string | undefined => {
  const country = key.slice(0, key.indexOf(':'));
  const text = key.slice(country.length + 1);
  const own = COUNTRY_CURRENCIES[country] ?? '';
  if (sharedNamesOf(own).includes(foldName(text))) return own;
  // A name beside its code: "Euro (EUR)".
  const [code = ''] = /\b[A-Z]{3}\b/.exec(text) ?? [];
  const rest = text.replace(code, '');
  if (
    Object.hasOwn(CURRENCIES, code) &&
    (sharedNamesOf(code).includes(foldName(rest)) || currencyNamed(rest) === code)
  )
    return code;
  return currencyNamed(text);
});

function currencyNamed(text: string): string | undefined {
  const found = named(text, CURRENCIES, currenciesByName());
  if (found !== undefined || text.trim().length < 4) return found;
  foreignCurrencies ??= foreignNames('currency', CURRENCIES);
  return foreignCurrencies.get(foldName(withoutPlurals(text))) || undefined;
}

const sharedNamesOf = memoize((currency): readonly string[] => {
  const [name = '', sign = ''] = CURRENCY_ROWS[currency] ?? [];
  const word = foldName(name.split(' ').at(-1)!);
  const symbol = foldName(sign);
  // People write `E£` as `£`, and `R$` as `$`.
  return [symbol, symbol.replace(/^.(?=\p{Sc}$)/u, ''), word, `${word}s`].filter(Boolean);
});

function named(text: string, codes: Names, index: Index): string | undefined {
  const upper = text.trim().toUpperCase();
  if (Object.hasOwn(codes, upper)) return upper;
  const folded = foldName(text);
  return index.get(folded) ?? index.get(folded.replace(/(?<=.{3})s$/, ''));
}

export function successorCurrency(code: string): string | undefined {
  const wanted = code.trim().toUpperCase();
  return wanted.length === CODE_LENGTH ? successorOf(wanted) : undefined;
}

const CODE_LENGTH = 3;
const successorOf = memoizeBounded((code) =>
  Object.keys(CURRENCY_ROWS).find((one) => CURRENCY_ROWS[one]![2]!.split(' ').includes(code)),
);

export const findSimilarCountry = memoizeBounded((text): string | undefined =>
  onlyNameOneTypoAway(text, foldedNames(COUNTRIES), countriesByName()),
);

/** Finds the only currency with a name one typo away, or with a code that has two letters swapped. */
export const findSimilarCurrency = memoizeBounded((text): string | undefined => {
  const wanted = foldName(text);
  const codes = Object.keys(CURRENCY_ROWS).filter((code) => isSwapped(wanted, code.toLowerCase()));
  return codes.length > 0
    ? only(codes)
    : onlyNameOneTypoAway(text, foldedNames(CURRENCIES), currenciesByName());
});

type Named = readonly (readonly [name: string, code: string])[];

/**
 * Groups names by length, so that a name is compared only with names of about the same length. In an import,
 * comparing with all names would take a tenth of the time of each refused row.
 */
const byLength = memoizeByObject((names: Named): readonly Named[] => {
  const groups: Named[] = [];
  for (const one of names) groups[one[0].length] = [...(groups[one[0].length] ?? []), one];
  return groups;
});

const foldedNames = memoizeByObject(
  (names: Names): Named => Object.entries(names).map(([code, name]) => [foldName(name), code]),
);
const namesIn = memoizeByObject((index: Index): Named => [...index]);

/** With one letter changed, a shorter text is too often another word. */
const LONG_ENOUGH = 6;
const MIN_LETTERS_SWAPPED = 5;

function onlyNameOneTypoAway(text: string, english: Named, index: Index): string | undefined {
  const wanted = foldName(text);
  if (wanted.length < MIN_LETTERS_SWAPPED) return undefined;
  const slips = (names: Named) =>
    [-1, 0, 1].flatMap((more) =>
      (byLength(names)[wanted.length + more] ?? []).flatMap(([name, code]) =>
        isSwapped(wanted, name) ||
        (wanted.length >= LONG_ENOUGH && wanted[0] === name[0] && isOneLetterOff(wanted, name))
          ? code
          : [],
      ),
    );
  const found = slips(english);
  return only(found.length > 0 ? found : slips(namesIn(index)));
}

function only(codes: readonly string[]): string | undefined {
  return new Set(codes).size === 1 ? codes[0] : undefined;
}

function isSwapped(one: string, other: string): boolean {
  if (one.length !== other.length || one === other) return false;
  let place = 0;
  while (one[place] === other[place]) place++;
  return one.slice(0, place) + one[place + 1] + one[place] + one.slice(place + 2) === other;
}
