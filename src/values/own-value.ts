/** For untrusted keys: ignores members that every object inherits, such as `constructor`. */
export function ownValue<Value>(
  table: Readonly<Partial<Record<string, Value>>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
