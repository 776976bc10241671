/** Reading what a form holds. */
import type { Authored, Edit, ValuePath } from './api.ts';
import type { Values } from './edit-log.ts';

/** The text at a path; empty when nothing stands there. */
export function textAt(values: Values, path: ValuePath): string {
  let value: unknown = values;
  for (const step of path) value = (value as Record<string | number, Authored> | null | undefined)?.[step];
  return typeof value === 'string' ? value : '';
}

/** The entries of a list; none where it is absent. */
export function entriesAt(values: Values, list: string): readonly Authored[] {
  const value = values[list];
  return Array.isArray(value) ? (value as readonly Authored[]) : [];
}

/** Edits without those of photos: a check of a property without a file cannot know them. */
export function withoutPhotos(edits: readonly Edit[]): readonly Edit[] {
  return edits.filter(({ path }) => path[0] !== 'photo');
}
