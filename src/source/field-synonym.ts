import { ENTRY_LIST_FIELDS, entryFields, FIELD_NAMES, type FieldTable, fieldOf } from '../contract/fields.ts';
import { KNOWN_FIELDS } from '../contract/known-fields.ts';
import { canonicalLanguageTag } from '../contract/language-tag.ts';
import { fieldsIn } from '../contract/terms.ts';

/** Field names by list, then by synonym. List '' is the property itself. */
const SYNONYMS: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  ['', byName(FIELD_NAMES.map((name) => [name, fieldOf(name)]))],
  ...ENTRY_LIST_FIELDS.map((list) => [list, byName([...entryFields(list)])] as const),
]);

function byName(
  fields: readonly (readonly [string, { readonly synonyms: readonly string[] }])[],
): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap(([field, { synonyms }]) => synonyms.map((synonym) => [synonym, field] as const)),
  );
}

const POLICY_FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    check_in: ['check_in', 'checkin', 'check_in_time', 'arrival'],
    check_out: ['check_out', 'checkout', 'check_out_time', 'departure'],
    cancellation: ['cancellation', 'cancellation_policy', 'cancelation'],
    no_show: ['no_show', 'noshow'],
  }).flatMap(([type, names]) => names.map((name) => [name, type] as const)),
);

/**
 * Undefined for an unknown name. Synonyms of declared fields take precedence over built-in ones. `list`: the list whose
 * entries have the field; empty for a field of the property itself.
 */
export function findFieldBySynonym(name: string, list: string, fields: FieldTable): string | undefined {
  const same = snakeCase(name);
  const own = list === '' ? declaredMeantBy(same, fields) : undefined;
  const found = fieldsIn(fields, list).has(same) ? same : (own ?? SYNONYMS.get(list)?.get(same));
  return found ?? translationMeantBy(name, list, fields);
}

function declaredMeantBy(name: string, { attributes }: FieldTable): string | undefined {
  const having = [...attributes].filter(([, { synonyms }]) =>
    synonyms.some((synonym) => snakeCase(synonym) === name),
  );
  return having.length === 1 ? having[0]![0] : undefined;
}

/** Matches names such as `title_fr`, `title (fr)`, `title@FR`, `title.pt-BR`. */
const WITH_LANGUAGE = /^(.+?)(?:@|[ ._-]+|[ ._-]*\()([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)\)?$/;

function translationMeantBy(name: string, list: string, fields: FieldTable): string | undefined {
  const [, base = '', tag = ''] = WITH_LANGUAGE.exec(name) ?? [];
  const language = canonicalLanguageTag(tag);
  if (!language || !fields.languages.includes(language)) return undefined;
  const meant = findFieldBySynonym(base, list, fields);
  const translated = language === fields.languages[0] ? meant : `${meant}@${language}`;
  return meant && fieldsIn(fields, list).has(`${meant}@${fields.languages[1]}`) ? translated : undefined;
}

const KNOWN: ReadonlyMap<string, string> = new Map([
  ...byName(Object.entries(KNOWN_FIELDS)),
  ...Object.keys(KNOWN_FIELDS).map((name) => [name, name] as const),
]);

export function findKnownFieldBySynonym(name: string, { attributes }: FieldTable): string | undefined {
  const known = KNOWN.get(snakeCase(name));
  return known !== undefined && attributes.has(known) ? undefined : known;
}

/** For a policy written as a field, returns its `policy_type`: `cancellation` for `cancellation_policy`. */
export function findPolicyBySynonym(name: string): string | undefined {
  return POLICY_FIELDS.get(snakeCase(name));
}

/** Turns `zipCode`, `Zip-Code` and `ZIP code` into `zip_code`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[ .-]/g, '_')
    .toLowerCase();
}
