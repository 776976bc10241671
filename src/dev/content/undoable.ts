import type { EditContext, RestorableFile } from '../api/edit-context.ts';

/** Bounds memory: each entry may hold all photos of a property. */
const MAX_UNDOABLE = 50;

/** Drops the oldest entries beyond {@link MAX_UNDOABLE}. @param files the file itself, then its photos */
export function rememberForUndo(
  { undoable }: EditContext,
  path: string,
  files: readonly RestorableFile[],
): void {
  undoable.delete(path);
  undoable.set(path, files);
  for (const oldest of undoable.keys()) {
    if (undoable.size <= MAX_UNDOABLE) return;
    undoable.delete(oldest);
  }
}
