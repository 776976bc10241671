/**
 * Value of a declared field in the API. Integers are numbers; decimals, dates and times are strings. An absent value is
 * null, or an empty list for a list.
 */
export type Attribute = string | number | boolean | null | readonly string[];

/** Texts of a property in one language; absent texts are left out. */
export type Translation = {
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly photo?: Readonly<Record<string, string>>;
  /** In the order of the property's policies; null for a policy without a translation. */
  readonly hotel_policy?: readonly (string | null)[];
};

export type DetailValues = {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** By language tag, without the default language. */
  readonly translations?: Readonly<Record<string, Translation>>;
};

/**
 * Values of a property by field name. A declared field is named `attributes.bedrooms`, a translation `translations.fr`.
 * Absent values of declared fields have no entry.
 */
export function valuesByField(detail: object): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(detail).flatMap(([name, value]: [string, unknown]) =>
      name === 'attributes' || name === 'translations'
        ? Object.entries(value as object)
            .filter(([, inner]) => !isAbsent(inner))
            .map(([key, inner]) => [`${name}.${key}`, inner] as const)
        : [[name, value] as const],
    ),
  );
}

const isAbsent = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);

/** Names of the fields that differ: in the order of `after`, then those that only `before` has. */
export function differingFields(before: object, after: object): string[] {
  const [one, other] = [valuesByField(before), valuesByField(after)];
  const names = new Set([...other.keys(), ...one.keys()]);
  return [...names].filter((name) => JSON.stringify(one.get(name)) !== JSON.stringify(other.get(name)));
}

/** True if the names or the order of declared fields differ, or if only one of the two has translations. */
export function haveFieldDeclarationsChanged(before: DetailValues, after: DetailValues): boolean {
  const [one, other] = [before, after].map(({ attributes, translations }) =>
    JSON.stringify([attributes && Object.keys(attributes), translations !== undefined]),
  );
  return one !== other;
}
