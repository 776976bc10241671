/** What the detail of a property has beyond the interface, and which of its texts a reader gets. */

/** A number or a boolean where it is declared so; a decimal, a date and all else is text. Absent: null, or an empty list. */
export type Attribute = string | number | boolean | null | readonly string[];

/** Texts of a property in one language, as far as they exist. */
export type Translation = {
  readonly title?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** By the id of the photo. */
  readonly photo?: Readonly<Record<string, string>>;
  /** In the order of the policies. */
  readonly hotel_policy?: readonly (string | null)[];
};

export type Declarations = {
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** By language, without the default one. */
  readonly translations?: Readonly<Record<string, Translation>>;
};
