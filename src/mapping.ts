/** A value that holds others by name. */
export type Mapping = { readonly [name: string]: unknown };

/** Whether a value holds others by name, which a list does not. */
export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
