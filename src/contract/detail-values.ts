/**
 * A number for an integer, a boolean for a boolean, a list for a list. All other values are text, including decimals
 * and dates. An absent value is null or an empty list.
 */
export type Attribute = string | number | boolean | null | readonly string[];

/** Texts of a property in one language; absent texts are left out. */
export type Translation = {
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly photo?: Readonly<Record<string, string>>;
  /** In the order of the policies. */
  readonly hotel_policy?: readonly (string | null)[];
};

export type DetailValues = {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** By language, without the default language. */
  readonly translations?: Readonly<Record<string, Translation>>;
};

/**
 * Values of a detail by field: those of declared fields as `attributes.bedrooms`, texts in another language as
 * `translations.fr`. An absent value of a declared field has no entry.
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

/** In the order of `after`, then what only `before` has. */
export function differingFields(before: object, after: object): string[] {
  const [one, other] = [valuesByField(before), valuesByField(after)];
  const names = new Set([...other.keys(), ...one.keys()]);
  return [...names].filter((name) => JSON.stringify(one.get(name)) !== JSON.stringify(other.get(name)));
}

/** Whether the two differ in which fields are declared or in their order, or only one of them has translations. */
export function hasDeclarationChanged(before: DetailValues, after: DetailValues): boolean {
  const [one, other] = [before, after].map(({ attributes, translations }) =>
    JSON.stringify([attributes && Object.keys(attributes), translations !== undefined]),
  );
  return one !== other;
}
