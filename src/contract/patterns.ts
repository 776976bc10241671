/**
 * The compiled expressions of the router. Only constants, so that a bundler for an edge can put literals in their
 * place: some engines run a module again for every request.
 */
import { ID_PATTERN } from './keys.ts';
import {
  END_PATTERN,
  entryPattern,
  FAMILIES,
  type Family,
  LONG_VALUE_PATTERN,
  PARAMETERS,
  type ParameterKey,
  parametersOf,
  QUERY_CHECKS,
  type QueryCheck,
} from './parameters.ts';

/** How a query is judged, in this order: what a check finds, in which parameter or family, and the problem then. */
export const CHECKS: readonly (readonly [
  finds: QueryCheck['finds'],
  entry: ParameterKey | Family,
  problem: QueryCheck['problem'],
])[] = QUERY_CHECKS.map((check) => [
  check.finds,
  check.finds === 'unknown-name' ? check.family : check.key,
  check.problem,
]);

/** Finds the next name of a family that matters, or the end; never fails, since that takes njs longest. */
export const ENTRY: RegExp = new RegExp(entryPattern());

/** What the groups of {@link ENTRY} stand for: a parameter, or an unknown name of a family. */
export const ENTRIES: readonly (ParameterKey | Family)[] = FAMILIES.flatMap((family) => [
  ...parametersOf(family).map(({ key }) => key),
  family,
]);

/** What the decoded value of a parameter must match. */
export const VALUES: Readonly<Partial<Record<ParameterKey, RegExp>>> = Object.fromEntries(
  PARAMETERS.flatMap(({ key, value }) =>
    value ? [[key, new RegExp(`^(?:${value.pattern})${END_PATTERN}`)]] : [],
  ),
);

/** Matches a raw value that is too long to be looked at. */
export const LONG_VALUE: RegExp = new RegExp(LONG_VALUE_PATTERN);

/** Matches a path below the API that may be a detail; group 1 is the id, when it is one. */
export const PROPERTY_PATH: RegExp = new RegExp(`^/properties/(?:(${ID_PATTERN})|[^/]+)${END_PATTERN}`);
