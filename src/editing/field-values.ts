/** A value as written in a file: every scalar is a text, whatever the field; null means no value. */
export type Authored = string | null | readonly Authored[] | { readonly [field: string]: Authored };

/** Values by field; null removes a field. */
export type FieldValues = { readonly [field: string]: Authored };
