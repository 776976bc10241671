/** A row of a table or of JSON, and how its values are found. */

/** Columns of a table, as texts; or an object of a JSON source, whose numbers are texts too. */
export type SourceRow = Readonly<Record<string, unknown>>;

/** Looks up the value at a path; a column whose name is the whole path takes precedence. */
export function lookUp(row: SourceRow, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path];
  if (path === '.') return row;
  let value: unknown = row;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Returns the items of a list, or the parts of a text. */
export function listIn(value: unknown, split: string | undefined): unknown[] {
  return typeof value === 'string' && split !== undefined ? value.split(split) : [value ?? []].flat();
}
