/** Photos that pages brought in this session: those that no property names go when it ends. */
import { readContentFile, removeContentFile } from './content-folder.ts';
import { UPLOAD_BOUNDS } from './photo-bounds.ts';

export type PhotoUploads = {
  readonly add: (path: string) => void;
  /** Removes those that are not in use. */
  readonly removeUnused: (photosInUse: () => Promise<ReadonlySet<string>>) => Promise<void>;
};

/** @param root of the content folder. */
export function createPhotoUploads(root: string): PhotoUploads {
  const paths = new Set<string>();
  return {
    add: (path) => paths.add(path),
    async removeUnused(photosInUse) {
      if (paths.size === 0) return;
      const inUse = await photosInUse();
      for (const path of paths) {
        if (inUse.has(path)) continue;
        try {
          removeContentFile(root, path, readContentFile(root, path, UPLOAD_BOUNDS.bytes).version);
        } catch {
          // It is gone, or the system keeps it: no property names it either way.
        }
      }
    },
  };
}
