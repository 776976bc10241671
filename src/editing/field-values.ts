/** A value as it is written in a file: every scalar is a text, whatever the type of its field. Null means no value. */
export type Authored = string | null | readonly Authored[] | { readonly [field: string]: Authored };

/** Null removes a field. */
export type FieldValues = { readonly [field: string]: Authored };
