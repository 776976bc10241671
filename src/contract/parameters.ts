/**
 * The query parameters of the list operation: names, limits, and the regular expressions that recognise every
 * legal spelling of them. `route()` and every configuration that has no JavaScript are made from this table.
 *
 * The expressions use only what PCRE, RE2-free engines and JavaScript share: no lookbehind, no named groups, no
 * flags. They apply to the raw query (after `?`), still percent-encoded.
 */

/** A key of {@link PARAMETERS}. */
export type ParameterKey = 'country' | 'city' | 'number' | 'size';

/** One query parameter of the list operation (specification, "List properties"). */
export type Parameter = {
  readonly key: ParameterKey;
  /** The name as consumers write it, brackets included. */
  readonly name: string;
  /** What the decoded value must match, whole; without anchors. Undefined: any text. */
  readonly value?: string;
};

/** Page size when `page[size]` is absent (specification, "Limits"). */
export const DEFAULT_PAGE_SIZE = 25;
/** The largest `page[size]` (specification, "Limits"). */
export const MAX_PAGE_SIZE = 100;
/** Page number when `page[number]` is absent (specification, "Limits"). */
export const DEFAULT_PAGE_NUMBER = 1;
/** The largest `page[number]`; larger ones are refused, so that every platform can count with it. */
export const MAX_PAGE_NUMBER = 999_999_999;
/** The longest value that is looked at, in bytes after percent-decoding; a longer city is an unknown city. */
export const MAX_VALUE_BYTES = 120;

/** The parameters, in the order in which their faults are reported. */
export const PARAMETERS: readonly Parameter[] = [
  { key: 'country', name: 'filter[country]', value: '[A-Z][A-Z]' },
  { key: 'city', name: 'filter[city]' },
  { key: 'number', name: 'page[number]', value: '[1-9][0-9]{0,8}' },
  { key: 'size', name: 'page[size]', value: '[1-9][0-9]?|100' },
];

/** The families of names that are ours: another name that begins so is a mistake, not somebody else's parameter. */
export const FAMILIES = ['filter', 'page'] as const;

/** A name of {@link FAMILIES}. */
export type Family = (typeof FAMILIES)[number];

/**
 * The expression of one text in every legal percent-encoding of its characters (RFC 3986, 2.1 and 6.2.2).
 *
 * @example spelling('a[') // '(?:a|%61)(?:\\[|%5[bB])'
 */
export function spelling(text: string): string {
  let pattern = '';
  for (const character of text) {
    const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
    const encoded = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    const literal = /[a-z]/.test(character) ? character : `\\${character}`;
    pattern += `(?:${literal}|%${encoded})`;
  }
  return pattern;
}

/** Finds a second occurrence with a value, from the start of the query. */
export function repetitionPattern(name: string): string {
  return `(?:^|&)${spelling(name)}=[^&]+&(?:.*&)?${spelling(name)}=[^&]`;
}

/** Finds a name of the family that is none of its parameters (`filter[contry]`, `page[`, `page[size]x`). */
export function unknownPattern(family: Family): string {
  const known = parametersOf(family).map(({ name }) => spelling(name.slice(family.length + 1)));
  return `(?:^|&)${spelling(`${family}[`)}(?!(?:${known.join('|')})(?:[=&]|$))`;
}

/** Matches the start of a raw value that is longer than {@link MAX_VALUE_BYTES} once decoded. */
export const LONG_VALUE_PATTERN = `^(?:%[0-9A-Fa-f][0-9A-Fa-f]|[^%&]){${MAX_VALUE_BYTES + 1}}`;

/** Matches at the very end of a text: in PCRE, and so in njs, `$` also matches before a last line end. */
export const END_PATTERN = '(?![\\s\\S])';

/**
 * Finds the next name of a family that matters: a parameter that has a value, or a name that is none; or else the end
 * of the query. Groups: for each family, the raw value of each of its parameters, and then an empty one for another
 * name.
 */
export function entryPattern(): string {
  const families = FAMILIES.map((family) => {
    const names = parametersOf(family).map(({ name }) => spelling(name.slice(family.length + 1)));
    const values = names.map((name) => `${name}=([^&]+)`);
    return `${spelling(`${family}[`)}(?:${values.join('|')}|(?!(?:${names.join('|')})(?:[=&]|$))())`;
  });
  return `(?:^|&)(?:${families.join('|')})|$`;
}

function parametersOf(family: Family): Parameter[] {
  return PARAMETERS.filter((parameter) => parameter.name.startsWith(`${family}[`));
}

/**
 * Matches the whole of a query of the form that most clients send, and the empty text in others: filters before pages, each parameter at most once and
 * its value well-formed, short and, but for the city's, without any encoding; brackets raw or encoded. Such a query
 * needs no further look, which is most of the cost where regular expressions are slow.
 *
 * Groups of values: for each family its parameters in the order of the table, then in the opposite order.
 */
export function usualPattern(): string {
  const parts = FAMILIES.map((family) => {
    const ofFamily = parametersOf(family).map(({ name, value }) => {
      const spelled = name.replace(/[[\]]/g, (bracket) =>
        bracket === '[' ? '(?:\\[|%5[Bb])' : '(?:\\]|%5[Dd])',
      );
      return `(?:${spelled}=(${value ?? `[^&]{1,${MAX_VALUE_BYTES}}`})(?:&|$))`;
    });
    return `(?:${ofFamily.map((part) => `${part}?`).join('')}|${ofFamily.reverse().join('')})`;
  });
  return `^${parts.join('')}$|`;
}

/** The expression of a `page[size]` that the catalogue has: all of 1 to 100, or just the sizes listed. */
export function sizePattern(sizes: readonly number[] | 'all'): string {
  return sizes === 'all' ? '[1-9][0-9]?|100' : sizes.join('|');
}
