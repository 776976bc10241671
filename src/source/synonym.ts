/** Finds the field that another name of it means. */
import { entryFields, FIELD_NAMES, fieldOf, LIST_FIELDS } from '../contract/fields.ts';

/** The field that each name means, by the list that an entry stands in; the empty text for the property itself. */
const SYNONYMS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['', byName(FIELD_NAMES.map((name) => [name, fieldOf(name)]))],
  ...LIST_FIELDS.map((list) => [list, byName([...entryFields(list)])] as const),
]);

function byName(
  fields: readonly (readonly [string, { readonly synonyms: readonly string[] }])[],
): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap(([field, { synonyms }]) => synonyms.map((synonym) => [synonym, field] as const)),
  );
}

/** Policies that are written as fields, by their type. */
const POLICY_FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    check_in: ['check_in', 'checkin', 'check_in_time', 'arrival'],
    check_out: ['check_out', 'checkout', 'check_out_time', 'departure'],
    cancellation: ['cancellation', 'cancellation_policy', 'cancelation'],
    no_show: ['no_show', 'noshow'],
  }).flatMap(([type, names]) => names.map((name) => [name, type] as const)),
);

/** The field that a name means; undefined for an unknown name. `list`: empty for the property itself. */
export function fieldMeantBy(name: string, list: string): string | undefined {
  return SYNONYMS.get(list)?.get(snakeCase(name));
}

/** The type of the policy that a field of a property means: it would be an entry of `hotel_policy`. */
export function policyMeantBy(name: string): string | undefined {
  return POLICY_FIELDS.get(snakeCase(name));
}

/** A name in lower case, with `_` between its words: `zipCode`, `Zip-Code` and `ZIP code` are `zip_code`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[ .-]/g, '_')
    .toLowerCase();
}
