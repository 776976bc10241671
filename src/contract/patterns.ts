/**
 * The compiled expressions of the router. Only constants, so that a bundler for an edge can put literals in their
 * place: some engines run a module anew for every request.
 */
import { ID_PATTERN } from './layout.ts';
import {
  END_PATTERN,
  FAMILIES,
  type Family,
  LONG_VALUE_PATTERN,
  occurrencePattern,
  PARAMETERS,
  type ParameterKey,
  unknownPattern,
  usualPattern,
} from './parameters.ts';

/** Finds a name of a family that is none of its parameters. */
export const UNKNOWN: readonly { family: Family; found: RegExp }[] = FAMILIES.map((family) => ({
  family,
  found: new RegExp(unknownPattern(family)),
}));

/** Finds a parameter that has a value; group 1 is the raw value. */
export const OCCURRENCES: readonly { key: ParameterKey; found: RegExp }[] = PARAMETERS.map(
  ({ key, name }) => ({
    key,
    found: new RegExp(occurrencePattern(name)),
  }),
);

/** Matches a query of the usual form, in which nothing is to be looked for: groups 1 to 4 are the values. */
export const USUAL: RegExp = new RegExp(usualPattern());

/** What a decoded value must match. */
export const VALUES: Readonly<Record<'country' | 'number' | 'size', RegExp>> = {
  country: value('country'),
  number: value('number'),
  size: value('size'),
};

/** Matches a raw value that is too long to be looked at. */
export const LONG_VALUE: RegExp = new RegExp(LONG_VALUE_PATTERN);

/** Matches a path below the API that may be a detail; group 1 is the id, when it is one. */
export const PROPERTY_PATH: RegExp = new RegExp(`^/properties/(?:(${ID_PATTERN})|[^/]+)${END_PATTERN}`);

function value(key: ParameterKey): RegExp {
  return new RegExp(`^(?:${PARAMETERS.find((parameter) => parameter.key === key)?.value})${END_PATTERN}`);
}
