import type { Authored, FieldValues, ValuePath } from './api.ts';
import type { Values } from './snapshots.ts';

export function textAt(values: Values, path: ValuePath): string {
  let value: unknown = values;
  for (const step of path) value = (value as Record<string | number, Authored> | null | undefined)?.[step];
  return typeof value === 'string' ? value : '';
}

/** Photos are stored in a folder that a property has only once it has a file. */
export function withoutPhotos({ photo: _photo, ...fields }: FieldValues): FieldValues {
  return fields;
}
