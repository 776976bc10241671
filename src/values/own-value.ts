/** Looks up a text that may be anybody's: `constructor` is in every object, and in no table. */
export function ownValue<Value>(
  table: Readonly<Partial<Record<string, Value>>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
