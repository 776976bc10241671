/**
 * The query parameters of the list operation: names, limits, the order in which a query is judged, and the regular
 * expressions that recognise every legal spelling. `route()`, each configuration without JavaScript, the problem
 * documents and the OpenAPI document derive from these tables.
 *
 * The expressions use only what PCRE, RE2-free engines and JavaScript share: no lookbehind, no named groups, no
 * flags. They apply to the raw query (after `?`), still percent-encoded.
 */

/** A key of {@link PARAMETERS}. */
export type ParameterKey = 'country' | 'city' | 'number' | 'size';

/** The families of names that are ours: another name that begins so is a mistake, not a foreign parameter. */
export const FAMILIES = ['filter', 'page'] as const;

/** A name of {@link FAMILIES}. */
export type Family = (typeof FAMILIES)[number];

/** The page sizes of a catalogue: all of 1 to {@link MAX_PAGE_SIZE}, or a list. */
export type PageSizes = readonly number[] | 'all';

/** What a decoded value must be. */
export type ValueRule = {
  /** Matches it, whole; without anchors. */
  readonly pattern: string;
  /** The same rule for a whole number in plain decimal digits; both ends are allowed. */
  readonly bounds?: { readonly minimum: number; readonly maximum: number };
  /** The same rule as a list, where the bounds have gaps. */
  readonly set?: readonly number[];
  /** The problem of any other value. */
  readonly problem: 'invalid-country' | 'invalid-page-number' | 'invalid-page-size';
};

/** One query parameter of the list operation (specification, "List properties"). */
export type Parameter = {
  readonly key: ParameterKey;
  readonly family: Family;
  /** The name as consumers write it, brackets included. */
  readonly name: `${Family}[${ParameterKey}]`;
  /** What it does, for people. */
  readonly description: string;
  readonly example: string | number;
  /** What applies when it is absent; undefined: no restriction. */
  readonly default?: number;
  /** Undefined: any text is a value. */
  readonly value?: ValueRule;
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

/** The parameters, in the order in which they are judged. */
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
    description: `Only properties of this city: its exact name, as the city list of its country (\`_catalogue/countries/{country}.json\`) has it. Another name, and one of more than ${MAX_VALUE_BYTES} bytes in UTF-8, gives an empty list.`,
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

/**
 * The parameter with a key.
 *
 * @example
 * parameterOf('size').name // 'page[size]'
 */
export function parameterOf(key: ParameterKey): Parameter {
  return PARAMETERS.find((parameter) => parameter.key === key)!;
}

/**
 * What a value must be in a catalogue with these page sizes; undefined where any text is a value.
 *
 * @example
 * valueRule('size', [10, 25]).set // [10, 25]
 */
export function valueRule(key: ParameterKey, sizes: PageSizes): ValueRule | undefined {
  const { value } = parameterOf(key);
  return value && key === 'size' && sizes !== 'all'
    ? { pattern: sizes.join('|'), set: sizes, problem: value.problem }
    : value;
}

/** One check of a query, and the name of the problem that it finds. */
export type QueryCheck =
  /** A name of the family that is not a parameter, with or without a value. */
  | {
      readonly finds: 'unknown-name';
      readonly family: Family;
      readonly problem: `unknown-parameter.${Family}`;
    }
  /** A second value of the parameter. An empty value counts as absent, here and below. */
  | {
      readonly finds: 'repetition';
      readonly key: ParameterKey;
      readonly problem: `repeated-parameter.${ParameterKey}`;
    }
  /** A value that is not percent-encoded UTF-8. */
  | {
      readonly finds: 'bad-encoding';
      readonly key: ParameterKey;
      readonly problem: `malformed-encoding.${ParameterKey}`;
    }
  /** A decoded value that breaks the parameter's {@link ValueRule}. */
  | { readonly finds: 'bad-value'; readonly key: ParameterKey; readonly problem: ValueRule['problem'] };

/**
 * How a query is judged, on every platform: check by check in this order. The first that finds something is the answer.
 */
// Pure, so that a bundle that takes the checks as literals leaves this out.
export const QUERY_CHECKS: readonly QueryCheck[] = /* @__PURE__ */ queryChecks();

function queryChecks(): QueryCheck[] {
  return [
    ...FAMILIES.map((family) => ({
      finds: 'unknown-name' as const,
      family,
      problem: `unknown-parameter.${family}` as const,
    })),
    ...PARAMETERS.map(({ key }) => ({
      finds: 'repetition' as const,
      key,
      problem: `repeated-parameter.${key}` as const,
    })),
    ...PARAMETERS.map(({ key }) => ({
      finds: 'bad-encoding' as const,
      key,
      problem: `malformed-encoding.${key}` as const,
    })),
    ...PARAMETERS.flatMap(({ key, value }) =>
      value ? [{ finds: 'bad-value' as const, key, problem: value.problem }] : [],
    ),
  ];
}

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

/**
 * Finds a second occurrence with a value, from the start of the query.
 *
 * @example
 * new RegExp(repetitionPattern('filter[city]')).test('filter[city]=Cork&filter[city]=Kerry') // true
 */
export function repetitionPattern(name: string): string {
  return `(?:^|&)${spelling(name)}=[^&]+&(?:.*&)?${spelling(name)}=[^&]`;
}

/**
 * Finds an unknown name of the family (`filter[contry]`, `page[`, `page[size]x`).
 *
 * @example
 * new RegExp(unknownPattern('filter')).test('filter[contry]=IE') // true
 */
export function unknownPattern(family: Family): string {
  const known = parametersOf(family).map(({ name }) => spelling(name.slice(family.length + 1)));
  return `(?:^|&)${spelling(`${family}[`)}(?!(?:${known.join('|')})(?:[=&]|$))`;
}

/** Matches the start of a raw value that is longer than {@link MAX_VALUE_BYTES} once decoded. */
export const LONG_VALUE_PATTERN = `^(?:%[0-9A-Fa-f][0-9A-Fa-f]|[^%&]){${MAX_VALUE_BYTES + 1}}`;

/** Matches at the very end of a text: in PCRE, and so in njs, `$` also matches before a last line end. */
export const END_PATTERN = '(?![\\s\\S])';

/**
 * Finds the next name of a family that matters: a parameter that has a value, or an unknown name; or else the end of
 * the query. Groups: for each family, the raw value of each of its parameters, and then an empty one for an unknown name.
 *
 * @example
 * new RegExp(entryPattern()).test('page[size]=25') // true
 */
export function entryPattern(): string {
  const families = FAMILIES.map((family) => {
    const names = parametersOf(family).map(({ name }) => spelling(name.slice(family.length + 1)));
    const values = names.map((name) => `${name}=([^&]+)`);
    return `${spelling(`${family}[`)}(?:${values.join('|')}|(?!(?:${names.join('|')})(?:[=&]|$))())`;
  });
  return `(?:^|&)(?:${families.join('|')})|$`;
}

/**
 * The parameters of a family, in the order of {@link PARAMETERS}.
 *
 * @example
 * parametersOf('page').map(({ name }) => name) // ['page[number]', 'page[size]']
 */
export function parametersOf(family: Family): Parameter[] {
  return PARAMETERS.filter((parameter) => parameter.family === family);
}
