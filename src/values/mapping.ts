export type Mapping = { readonly [name: string]: unknown };

/** True for an object that is not a list. */
export function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
