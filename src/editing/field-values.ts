/** A value as it is authored: every scalar is its text, whatever the field; null is no value. */
export type Authored = string | null | readonly Authored[] | { readonly [field: string]: Authored };

/** Values by field; null takes a field out. */
export type FieldValues = { readonly [field: string]: Authored };
