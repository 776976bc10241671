/** Maps synonyms to field names. */
import { entryFields, FIELD_NAMES, fieldOf, LIST_FIELDS } from '../contract/fields.ts';

/** Fields by synonym, by the list whose entries have them; the empty key is for the property itself. */
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

/** Policy types by the field names under which policies are wrongly written. */
const POLICY_FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    check_in: ['check_in', 'checkin', 'check_in_time', 'arrival'],
    check_out: ['check_out', 'checkout', 'check_out_time', 'departure'],
    cancellation: ['cancellation', 'cancellation_policy', 'cancelation'],
    no_show: ['no_show', 'noshow'],
  }).flatMap(([type, names]) => names.map((name) => [name, type] as const)),
);

/** Returns the field that a name means; undefined for an unknown name. `list`: empty for the property itself. */
export function fieldMeantBy(name: string, list: string): string | undefined {
  return SYNONYMS.get(list)?.get(snakeCase(name));
}

/** Returns the policy type that a field name means; the policy belongs into `hotel_policy`. */
export function policyMeantBy(name: string): string | undefined {
  return POLICY_FIELDS.get(snakeCase(name));
}

/** Converts a name to snake case: `zipCode`, `Zip-Code` and `ZIP code` become `zip_code`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[ .-]/g, '_')
    .toLowerCase();
}
