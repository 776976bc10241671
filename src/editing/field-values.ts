/** A value as it is written in a file: every scalar is a text, whatever the type of its field. Null means no value. */
export type AuthoredValue =
  | string
  | null
  | readonly AuthoredValue[]
  | { readonly [field: string]: AuthoredValue };

/** Null removes a field. */
export type FieldValues = { readonly [field: string]: AuthoredValue };
