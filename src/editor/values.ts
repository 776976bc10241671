/** Reading what a form holds. */
import type { Authored, FieldValues, ValuePath } from './api.ts';
import type { Values } from './snapshots.ts';

/** The text at a path; empty when nothing stands there. */
export function textAt(values: Values, path: ValuePath): string {
  let value: unknown = values;
  for (const step of path) value = (value as Record<string | number, Authored> | null | undefined)?.[step];
  return typeof value === 'string' ? value : '';
}

/** Fields without photos: a property without a file has no place for them. */
export function withoutPhotos({ photo: _photo, ...fields }: FieldValues): FieldValues {
  return fields;
}
