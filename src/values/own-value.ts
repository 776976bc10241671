/** For a key that a stranger chose: every object has `constructor`, but no table has it. */
export function ownValue<Value>(
  table: Readonly<Partial<Record<string, Value>>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
