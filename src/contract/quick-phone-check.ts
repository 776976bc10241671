/** Quickly recognises phone numbers that are clearly valid, using the table of libphonenumber. */
import metadata from 'libphonenumber-js/metadata.max';
import { memoize, memoizeLast } from '../values/memoize.ts';

type DigitRange = { readonly pattern: RegExp; readonly lengths: readonly number[] | undefined };

type NumberingPlan = {
  /** Leading digits that distinguish countries with the same calling code. */
  readonly start: RegExp | undefined;
  readonly pattern: RegExp;
  readonly lengths: readonly number[];
  readonly ranges: readonly DigitRange[];
  readonly formats: readonly NumberFormat[] | undefined;
};

type NumberFormat = {
  readonly start: RegExp | undefined;
  readonly whole: RegExp;
  readonly groups: RegExp;
  readonly international: string;
};

type Zone = {
  readonly plans: readonly NumberingPlan[];
  /** Dialled before national numbers, but not a part of them. */
  readonly prefix: RegExp | undefined;
  /** Whether national numbers are written with the prefix: true for the 0 of Ireland, false for the 1 of Canada. */
  readonly writesPrefix: boolean;
};

/**
 * If the result is false, the number may still be valid: the library has to decide. The library is slow, since it
 * compiles its expressions again for each number. The last result is remembered, since each number is checked twice.
 */
export const isSurelyValidPhone = memoizeLast((value: string): boolean => {
  if (!/^\+[0-9 -]+$/.test(value)) return false;
  const digits = value.replace(/[^0-9]/g, '');
  for (let length = 1; length <= 3; length++) {
    const zone = zoneOf(digits.slice(0, length));
    if (zone) return isIn(zone, digits.slice(length));
  }
  return false;
});

function isIn(zone: Zone, number: string): boolean {
  // The pattern may match an empty text: then the number has no prefix.
  return !zone.prefix?.exec(number)?.[0] && planIn(zone, number) !== undefined;
}

function planIn({ plans }: Zone, number: string): NumberingPlan | undefined {
  const plan =
    plans.length === 1
      ? plans[0]
      : plans.find((one) => (one.start ? one.start.test(number) : isOf(one, number)));
  return plan?.lengths.includes(number.length) === true && isOf(plan, number) ? plan : undefined;
}

/** International form (E.123) by the library's rules. Undefined if the library has to decide. */
export function quickInternationalPhone(value: string, country: string): string | undefined {
  if (!/^\(?[0-9][0-9 ()./-]{5,29}$/.test(value)) return undefined;
  const trunk = trunkOf(country);
  const digits = value.replace(/[^0-9]/g, '');
  if (!trunk || digits.startsWith(trunk.code) || trunk.internationalPrefix.test(digits)) return undefined;
  const { code, zone, prefix } = trunk;
  const found = prefix?.exec(digits);
  // If the pattern has a group, what the group matches is not part of the prefix, so the library has to decide.
  if (found && found.length > 1) return undefined;
  if (!found?.[0] && zone.writesPrefix) return undefined;
  const number = digits.slice(found?.[0].length ?? 0);
  if (number !== digits && trunk.pattern.test(digits)) return undefined;
  const plan = planIn(zone, number);
  // If a country with this calling code has no numbers of this length, the library has to decide.
  if (!plan || !zone.plans.every(({ lengths }) => lengths.includes(number.length))) return undefined;
  const formats = plan.formats ?? zone.plans[0]!.formats ?? [];
  const format = formats.find(({ start, whole }) => start?.test(number) !== false && whole.test(number));
  const grouped = format
    ? number
        .replace(format.groups, format.international)
        .replace(/[^0-9]+/g, ' ')
        .trim()
    : number;
  return `+${code} ${grouped}`;
}

type Trunk = {
  readonly code: string;
  readonly zone: Zone;
  readonly pattern: RegExp;
  readonly prefix: RegExp | undefined;
  readonly internationalPrefix: RegExp;
};

const trunkOf = memoize((country): Trunk | null => {
  if (!Object.hasOwn(metadata.countries, country)) return null;
  const row = metadata.countries[country as keyof typeof metadata.countries] as unknown as PlanRow;
  const [code, internationalPrefix, pattern, , , national, , prefix] = row;
  const zone = zoneOf(code);
  const start = prefix || national;
  return (
    zone && {
      code,
      zone,
      pattern: wholeOf(pattern),
      internationalPrefix: startOf(internationalPrefix),
      prefix: start ? startOf(start) : undefined,
    }
  );
});

function isOf({ pattern, ranges }: NumberingPlan, number: string): boolean {
  return pattern.test(number) && ranges.some((range) => fits(range, number));
}

function fits({ pattern, lengths }: DigitRange, number: string): boolean {
  return lengths?.includes(number.length) !== false && pattern.test(number);
}

const zoneOf = memoize((code): Zone | null => {
  const countries = metadata.country_calling_codes[code as keyof typeof metadata.country_calling_codes];
  const rows = (countries ?? []).map((country) => metadata.countries[country] as PlanRow | undefined);
  const first = rows[0];
  if (!first || rows.includes(undefined)) return null;
  const prefix = first[7] || first[5];
  const writesPrefix = (rows as PlanRow[]).some(
    ([, , , , formats, , rule]) => rule || (formats || []).some(([, , , own]) => own),
  );
  return {
    plans: (rows as PlanRow[]).map(planOf),
    prefix: prefix ? startOf(prefix) : undefined,
    writesPrefix,
  };
});

/** A country's row in the library's table, with names as in its `METADATA.md`. 0 means absent. */
type PlanRow = readonly [
  callingCode: string,
  iddPrefix: string,
  nationalNumberPattern: string,
  possibleLengths: readonly number[],
  formats: readonly FormatRow[] | 0,
  nationalPrefix: string | 0,
  nationalPrefixFormattingRule: unknown,
  nationalPrefixForParsing: string | 0,
  nationalPrefixTransformRule: unknown,
  isNationalPrefixOptional: unknown,
  leadingDigits: string | 0,
  types: readonly (readonly [pattern: string, possibleLengths?: readonly number[]] | 0)[] | 0,
];

type FormatRow = readonly [
  pattern: string,
  format: string,
  leadingDigits?: readonly string[] | 0,
  nationalPrefixRule?: unknown,
  isNationalPrefixOptional?: unknown,
  international?: string | 0,
];

function formatOf([pattern, format, leading, , , international]: FormatRow): NumberFormat {
  // The last pattern of leading digits is the complete one.
  const start = (leading || []).at(-1);
  return {
    start: start === undefined ? undefined : startOf(start),
    whole: wholeOf(pattern),
    groups: new RegExp(pattern),
    international: international || format,
  };
}

function planOf(row: PlanRow): NumberingPlan {
  const [, , pattern, lengths, formats, , , , , , start, types] = row;
  return {
    start: start ? startOf(start) : undefined,
    pattern: wholeOf(pattern),
    lengths,
    formats: formats ? formats.map(formatOf) : undefined,
    ranges: (types || []).flatMap((type) => (type ? [{ pattern: wholeOf(type[0]), lengths: type[1] }] : [])),
  };
}

function startOf(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})`);
}

function wholeOf(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`);
}
