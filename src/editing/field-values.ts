/** A value as in a file: every scalar is a text, whatever its field's type; null for no value. */
export type Authored = string | null | readonly Authored[] | { readonly [field: string]: Authored };

/** Null removes a field. */
export type FieldValues = { readonly [field: string]: Authored };
