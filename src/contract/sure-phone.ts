/** Fast check for clearly valid phone numbers, from the same table as libphonenumber's. */
import metadata from 'libphonenumber-js/metadata.max';
import { remember, rememberLast } from '../remember.ts';

/** Number range of one kind: mobile, fixed line and so on. */
type DigitRange = { readonly pattern: RegExp; readonly lengths: readonly number[] | undefined };

/** Numbers of a country, without its calling code. */
type NumberingPlan = {
  /** Leading digits that distinguish countries with the same calling code. */
  readonly start: RegExp | undefined;
  readonly pattern: RegExp;
  readonly lengths: readonly number[];
  readonly ranges: readonly DigitRange[];
};

/** The countries with one calling code. */
type Zone = {
  readonly plans: readonly NumberingPlan[];
  /** Possible national prefix, which is not part of the number. */
  readonly prefix: RegExp | undefined;
};

/**
 * Tells whether a number of digits, spaces and hyphens is clearly valid. Follows the library's rules for such numbers,
 * with expressions compiled once: the library compiles them for each number, which took a fifth of all checks.
 * Remembers the last result, since each number is checked twice, for an error and for a warning: the second time took 2
 * % of `check`.
 *
 * @returns false for all other numbers, which the library decides.
 *
 * @example
 * isSurelyValid('+353 1 605 7700') // true
 */
export const isSurelyValid = rememberLast((value: string): boolean => {
  if (!/^\+[0-9 -]+$/.test(value)) return false;
  const digits = value.replace(/[^0-9]/g, '');
  for (let length = 1; length <= 3; length++) {
    const zone = zoneOf(digits.slice(0, length));
    if (zone) return isIn(zone, digits.slice(length));
  }
  return false;
});

function isIn({ plans, prefix }: Zone, number: string): boolean {
  // An empty prefix has no effect.
  if (prefix?.exec(number)?.[0]) return false;
  const plan =
    plans.length === 1
      ? plans[0]
      : plans.find((one) => (one.start ? one.start.test(number) : isOf(one, number)));
  return plan?.lengths.includes(number.length) === true && isOf(plan, number);
}

function isOf({ pattern, ranges }: NumberingPlan, number: string): boolean {
  return pattern.test(number) && ranges.some((range) => fits(range, number));
}

function fits({ pattern, lengths }: DigitRange, number: string): boolean {
  return lengths?.includes(number.length) !== false && pattern.test(number);
}

/** Returns the countries of a calling code; null for an unknown code, or one without a country. */
const zoneOf = remember((code): Zone | null => {
  const countries = metadata.country_calling_codes[code as keyof typeof metadata.country_calling_codes];
  const rows = (countries ?? []).map((country) => metadata.countries[country] as PlanRow | undefined);
  const first = rows[0];
  if (!first || rows.includes(undefined)) return null;
  const prefix = first[7] || first[5];
  return { plans: (rows as PlanRow[]).map(planOf), prefix: prefix ? startOf(prefix) : undefined };
});

/** A country's row in the library's table; 0 stands for absent. Names as in its `METADATA.md`. */
type PlanRow = readonly [
  callingCode: string,
  iddPrefix: string,
  nationalNumberPattern: string,
  possibleLengths: readonly number[],
  formats: unknown,
  nationalPrefix: string | 0,
  nationalPrefixFormattingRule: unknown,
  nationalPrefixForParsing: string | 0,
  nationalPrefixTransformRule: unknown,
  isNationalPrefixOptional: unknown,
  leadingDigits: string | 0,
  types: readonly (readonly [pattern: string, possibleLengths?: readonly number[]] | 0)[] | 0,
];

function planOf(row: PlanRow): NumberingPlan {
  const [, , pattern, lengths, , , , , , , start, types] = row;
  return {
    start: start ? startOf(start) : undefined,
    pattern: wholeOf(pattern),
    lengths,
    ranges: (types || []).flatMap((type) => (type ? [{ pattern: wholeOf(type[0]), lengths: type[1] }] : [])),
  };
}

function startOf(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})`);
}

function wholeOf(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
