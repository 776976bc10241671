/**
 * Query parameters of the list operation: names, limits, the order of checks, and regular expressions for all valid
 * encodings. `route()`, the configurations of targets without JavaScript, the problem documents and the OpenAPI
 * document derive from these tables.
 * The expressions use only what PCRE and JavaScript have in common: no lookbehind, no named groups, no flags. They
 * match the raw query (after `?`), which is still percent-encoded; only those of {@link ValueRule} match decoded text.
 */

export type ParameterKey = 'country' | 'city' | 'number' | 'size';

/** Prefixes of parameter names. An unknown name with such a prefix is an error; any other unknown name is ignored. */
export const PARAMETER_FAMILIES = ['filter', 'page'] as const;

export type ParameterFamily = (typeof PARAMETER_FAMILIES)[number];

/** `all`: every size from 1 to {@link MAX_PAGE_SIZE}. */
export type PageSizes = readonly number[] | 'all';

export type ValueRule = {
  /** Expression for a whole valid value after percent-decoding, without anchors. */
  readonly pattern: string;
  /** Inclusive limits of an integer in plain decimal digits. */
  readonly bounds?: { readonly minimum: number; readonly maximum: number };
  /** All valid values; undefined if every value that matches `pattern` is valid. */
  readonly set?: readonly number[];
  readonly problem: 'invalid-country' | 'invalid-page-number' | 'invalid-page-size';
};

export type Parameter = {
  readonly key: ParameterKey;
  readonly family: ParameterFamily;
  readonly name: `${ParameterFamily}[${ParameterKey}]`;
  readonly description: string;
  readonly example: string | number;
  /** Value if the parameter is absent; undefined for no restriction. */
  readonly default?: number;
  /** Undefined if any text is valid. */
  readonly value?: ValueRule;
};

/** These limits are part of the specification of the interface. */
export const DEFAULT_PAGE_SIZE = 25;
export const MAX_PAGE_SIZE = 100;
export const DEFAULT_PAGE_NUMBER = 1;
/** Larger numbers are refused, so that every platform can calculate with a page number. */
export const MAX_PAGE_NUMBER = 999_999_999;
export function pageSizes({ page_sizes }: { readonly page_sizes: PageSizes }): readonly number[] {
  return page_sizes === 'all' ? Array.from({ length: MAX_PAGE_SIZE }, (_, index) => index + 1) : page_sizes;
}

/** Maximum number of bytes after percent-decoding. A longer city counts as unknown. */
export const MAX_VALUE_BYTES = 120;

/** In the order in which they are checked. */
export const PARAMETERS: readonly Parameter[] = [
  {
    key: 'country',
    family: 'filter',
    name: 'filter[country]',
    description:
      'Only properties of this country: an ISO 3166-1 alpha-2 code, two upper-case letters. A code without properties gives an empty list.',
    example: 'IE',
    value: { pattern: '[A-Z][A-Z]', problem: 'invalid-country' },
  },
  {
    key: 'city',
    family: 'filter',
    name: 'filter[city]',
    description: `Only properties of this city: its exact name, as in the city list of its country (\`_catalogue/countries/{country}.json\`). Any other name, or a name of more than ${MAX_VALUE_BYTES} bytes in UTF-8, gives an empty list.`,
    example: 'Galway',
  },
  {
    key: 'number',
    family: 'page',
    name: 'page[number]',
    description: 'Page number. A page past the end is empty.',
    example: DEFAULT_PAGE_NUMBER,
    default: DEFAULT_PAGE_NUMBER,
    value: {
      pattern: '[1-9][0-9]{0,8}',
      bounds: { minimum: 1, maximum: MAX_PAGE_NUMBER },
      problem: 'invalid-page-number',
    },
  },
  {
    key: 'size',
    family: 'page',
    name: 'page[size]',
    description: 'Results per page.',
    example: DEFAULT_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
    value: {
      pattern: '[1-9][0-9]?|100',
      bounds: { minimum: 1, maximum: MAX_PAGE_SIZE },
      problem: 'invalid-page-size',
    },
  },
];

export function parameterOf(key: ParameterKey): Parameter {
  return PARAMETERS.find((parameter) => parameter.key === key)!;
}

/** Undefined if any text is valid. @param sizes page sizes that the catalogue publishes */
export function valueRule(key: ParameterKey, sizes: PageSizes): ValueRule | undefined {
  const { value } = parameterOf(key);
  return value && key === 'size' && sizes !== 'all'
    ? { pattern: sizes.join('|'), set: sizes, problem: value.problem }
    : value;
}

export type QueryRule =
  | {
      readonly fault: 'unknown-name';
      readonly family: ParameterFamily;
      readonly problem: `unknown-parameter.${ParameterFamily}`;
    }
  /** A parameter occurs more than once. Here and below, an empty value counts as absent. */
  | {
      readonly fault: 'repetition';
      readonly key: ParameterKey;
      readonly problem: `repeated-parameter.${ParameterKey}`;
    }
  /** A value is not valid percent-encoded UTF-8. */
  | {
      readonly fault: 'bad-encoding';
      readonly key: ParameterKey;
      readonly problem: `malformed-encoding.${ParameterKey}`;
    }
  | { readonly fault: 'bad-value'; readonly key: ParameterKey; readonly problem: ValueRule['problem'] };

/** Every platform checks in this order, and the first check that fails decides the response. */
// Marked pure: a bundler that has inlined the constants computed from this table drops the table.
export const QUERY_RULES: readonly QueryRule[] = /* @__PURE__ */ queryChecks();

function queryChecks(): QueryRule[] {
  return [
    ...PARAMETER_FAMILIES.map((family) => ({
      fault: 'unknown-name' as const,
      family,
      problem: `unknown-parameter.${family}` as const,
    })),
    ...PARAMETERS.map(({ key }) => ({
      fault: 'repetition' as const,
      key,
      problem: `repeated-parameter.${key}` as const,
    })),
    ...PARAMETERS.map(({ key }) => ({
      fault: 'bad-encoding' as const,
      key,
      problem: `malformed-encoding.${key}` as const,
    })),
    ...PARAMETERS.flatMap(({ key, value }) =>
      value ? [{ fault: 'bad-value' as const, key, problem: value.problem }] : [],
    ),
  ];
}

/** Expression for all valid percent-encodings of a text (RFC 3986, 2.1 and 6.2.2). */
export function percentEncodingPattern(text: string): string {
  let pattern = '';
  for (const character of text) {
    const hex = character.charCodeAt(0).toString(16).padStart(2, '0');
    const encoded = hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
    const literal = /[a-z]/.test(character) ? character : `\\${character}`;
    pattern += `(?:${literal}|%${encoded})`;
  }
  return pattern;
}

/** Expression for a query that has the parameter more than once with a value. */
export function repeatedParameterPattern(name: string): string {
  return `(?:^|&)${percentEncodingPattern(name)}=[^&]+&(?:.*&)?${percentEncodingPattern(name)}=[^&]`;
}

/** Expression for an unknown name of the family, such as `filter[contry]`, `page[` or `page[size]x`. */
export function unknownNamePattern(family: ParameterFamily): string {
  const known = parametersOf(family).map(({ name }) => percentEncodingPattern(name.slice(family.length + 1)));
  return `(?:^|&)${percentEncodingPattern(`${family}[`)}(?!(?:${known.join('|')})(?:[=&]|$))`;
}

/** Expression for the start of a raw value that has more than {@link MAX_VALUE_BYTES} bytes after decoding. */
export const LONG_VALUE_PATTERN = `^(?:%[0-9A-Fa-f][0-9A-Fa-f]|[^%&]){${MAX_VALUE_BYTES + 1}}`;

/** Expression for the very end of a text. In PCRE, and so in njs, `$` also matches before a final line break. */
export const END_PATTERN = '(?![\\s\\S])';

/**
 * Expression that finds the next parameter to read: a known one with a value, or an unknown name of a family, such as
 * `page[x]`. After the last parameter, it matches the end of the query. Each family has one capture group for the raw
 * value of each parameter, then one that captures an empty text if the name is unknown.
 */
export function queryParameterPattern(): string {
  const families = PARAMETER_FAMILIES.map((family) => {
    const names = parametersOf(family).map(({ name }) =>
      percentEncodingPattern(name.slice(family.length + 1)),
    );
    const values = names.map((name) => `${name}=([^&]+)`);
    return `${percentEncodingPattern(`${family}[`)}(?:${values.join('|')}|(?!(?:${names.join('|')})(?:[=&]|$))())`;
  });
  return `(?:^|&)(?:${families.join('|')})|$`;
}

export function parametersOf(family: ParameterFamily): Parameter[] {
  return PARAMETERS.filter((parameter) => parameter.family === family);
}
