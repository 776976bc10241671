/** Contains only constants, so that bundlers can inline them: some engines evaluate a module for every request. */
import { ID_PATTERN } from './object-keys.ts';
import {
  END_PATTERN,
  LONG_VALUE_PATTERN,
  PARAMETER_FAMILIES,
  PARAMETERS,
  type ParameterFamily,
  type ParameterKey,
  parametersOf,
  QUERY_RULES,
  type QueryRule,
  queryParameterPattern,
} from './parameters.ts';

export const QUERY_CHECK_TUPLES: readonly (readonly [
  fault: QueryRule['fault'],
  subject: ParameterKey | ParameterFamily,
  problem: QueryRule['problem'],
])[] = QUERY_RULES.map((check) => [
  check.fault,
  check.fault === 'unknown-name' ? check.family : check.key,
  check.problem,
]);

/** Also matches the end of a query, so that it never fails: in njs, an expression is slowest when it fails. */
export const QUERY_PARAMETER: RegExp = new RegExp(queryParameterPattern());

/** What each group of {@link QUERY_PARAMETER} matches: a parameter, or an unknown name of a family. */
export const QUERY_PARAMETER_GROUPS: readonly (ParameterKey | ParameterFamily)[] = PARAMETER_FAMILIES.flatMap(
  (family) => [...parametersOf(family).map(({ key }) => key), family],
);

export const PARAMETER_VALUE_PATTERNS: Readonly<Partial<Record<ParameterKey, RegExp>>> = Object.fromEntries(
  PARAMETERS.flatMap(({ key, value }) =>
    value ? [[key, new RegExp(`^(?:${value.pattern})${END_PATTERN}`)]] : [],
  ),
);

export const LONG_VALUE: RegExp = new RegExp(LONG_VALUE_PATTERN);

/** Group 1 is the id; undefined if the id is invalid. */
export const PROPERTY_PATH: RegExp = new RegExp(`^/properties/(?:(${ID_PATTERN})|[^/]+)${END_PATTERN}`);
