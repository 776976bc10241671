import type { AuthoredValue, FieldValues, ValuePath } from './api.ts';
import type { FormValues } from './undo-history.ts';

export function textAt(values: FormValues, path: ValuePath): string {
  let value: unknown = values;
  for (const step of path)
    value = (value as Record<string | number, AuthoredValue> | null | undefined)?.[step];
  return typeof value === 'string' ? value : '';
}

/** Leaves out the photos of a new property: their folder exists only once the property has a file. */
export function withoutPhotos({ photo: _photo, ...fields }: FieldValues): FieldValues {
  return fields;
}
