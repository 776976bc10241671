/** What a file says, as plain data, with one value changed. */
import type { Authored, Path } from './edit.ts';

/** A value without what is null. */
export type WrittenValue = string | readonly WrittenValue[] | { readonly [field: string]: WrittenValue };

/** The value without fields and entries that are null; undefined for null itself. */
export function withoutNulls(value: Authored): WrittenValue | undefined {
  if (value === null) return undefined;
  if (typeof value === 'string') return value.replace(/\r\n?/g, '\n');
  if (Array.isArray(value)) return value.flatMap((item: Authored) => withoutNulls(item) ?? []);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const kept = withoutNulls(inner);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
}

/** The value at a path; undefined when nothing stands there. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? (inner as never)[step] : undefined),
    value,
  );
}

/** A copy with another value at a path. `change`: makes it from what holds it. */
export function changedAt(value: unknown, path: Path, change: (inner: unknown) => unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === step ? changedAt(item, rest, change) : item));
  }
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(fields).map(([key, inner]) => [
      key,
      key === step ? changedAt(inner, rest, change) : inner,
    ]),
  );
}
