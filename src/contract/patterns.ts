/**
 * The compiled expressions of the router. Only constants, so that a bundler for an edge can put literals in their
 * place: some engines run a module anew for every request.
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
  usualPattern,
} from './parameters.ts';

/** The keys of the parameters, in the order in which their faults are reported. */
export const KEYS: readonly ParameterKey[] = PARAMETERS.map(({ key }) => key);

/** Finds the next name of a family that matters, or the end; never fails, since that takes njs longest. */
export const ENTRY: RegExp = new RegExp(entryPattern());

/** What the groups of {@link ENTRY} stand for: a parameter, or another name of a family. */
export const ENTRIES: readonly (ParameterKey | Family)[] = FAMILIES.flatMap((family) => [
  ...PARAMETERS.filter(({ name }) => name.startsWith(`${family}[`)).map(({ key }) => key),
  family,
]);

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
