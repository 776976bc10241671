/**
 * The compiled expressions of the router. Only constants, so that a bundler for an edge can put literals in their
 * place: some engines run a module anew for every request.
 */
import { ID_PATTERN } from './layout.ts';
import {
  anyOccurrencePattern,
  END_PATTERN,
  FAMILIES,
  type Family,
  LONG_VALUE_PATTERN,
  PARAMETERS,
  type ParameterKey,
  unknownPattern,
  usualPattern,
} from './parameters.ts';

/** The keys of the parameters, in the order of the groups of {@link OCCURRENCE}. */
export const KEYS: readonly ParameterKey[] = PARAMETERS.map(({ key }) => key);

/** The families, in the order of {@link UNKNOWN}. */
export const FAMILY_NAMES: readonly Family[] = FAMILIES;

/** For each family, finds a name that is none of its parameters. */
export const UNKNOWN: readonly RegExp[] = FAMILIES.map((family) => new RegExp(unknownPattern(family)));

/** Finds the first parameter that has a value; its raw value is in the group of its place in {@link KEYS}. */
export const OCCURRENCE: RegExp = new RegExp(anyOccurrencePattern());

/** Matches a query of the usual form; see {@link usualPattern} for the groups. */
export const USUAL: RegExp = new RegExp(usualPattern());

/** For each of {@link KEYS}, what the decoded value must match. */
export const VALUES: readonly RegExp[] = PARAMETERS.map(
  ({ value }) => new RegExp(value === undefined ? '' : `^(?:${value})${END_PATTERN}`),
);

/** Matches a raw value that is too long to be looked at. */
export const LONG_VALUE: RegExp = new RegExp(LONG_VALUE_PATTERN);

/** Matches a path below the API that may be a detail; group 1 is the id, when it is one. */
export const PROPERTY_PATH: RegExp = new RegExp(`^/properties/(?:(${ID_PATTERN})|[^/]+)${END_PATTERN}`);
