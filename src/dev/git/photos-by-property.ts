import { photoPathsIn } from '../../editing/photo-path.ts';
import type { ChangedFile } from '../../editor/changes.ts';
import { isPropertyFilePath } from '../../source/content-path.ts';
import { readIfPresent } from '../content/content-files.ts';
import { committedFiles } from './git-objects.ts';

/** Includes removed photos, under the properties that showed them in the last commit. */
export async function changedPhotosByProperty(
  content: string,
  changed: ReadonlyMap<string, ChangedFile['kind']>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const others = [...changed].filter(([path]) => !isPropertyFilePath(path));
  const found = new Map<string, readonly string[]>();
  if (others.length === 0) return found;
  const hasRemoved = others.some(([, kind]) => kind === 'removed');
  const dropping = [...changed].filter(
    ([path, kind]) => hasRemoved && isPropertyFilePath(path) && kind !== 'added',
  );
  const committed = await committedFiles(
    content,
    'HEAD',
    dropping.map(([path]) => path),
  );
  for (const [path, kind] of changed) {
    if (!isPropertyFilePath(path)) continue;
    const now = String((kind !== 'removed' && readIfPresent(content, path)?.bytes) || '');
    const before = String(committed.get(path) ?? '');
    const named = photoPathsIn(path, now)?.filter((photo) => changed.has(photo)) ?? [];
    const dropped = photoPathsIn(path, before)?.filter((photo) => changed.get(photo) === 'removed') ?? [];
    const own = [...new Set([...named, ...dropped])];
    if (own.length > 0) found.set(path, own);
  }
  return found;
}

/**
 * Returns a message if a property was chosen without its new photo, or a removed photo without the property that
 * showed it.
 */
export function chosenPhotosProblem(
  chosen: ReadonlySet<string>,
  changed: ReadonlyMap<string, ChangedFile['kind']>,
  photos: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  for (const [path, own] of photos) {
    for (const photo of own) {
      const kind = changed.get(photo);
      if (kind === 'added' && chosen.has(path) && !chosen.has(photo))
        return `${path} shows the new photo ${photo}. Choose that too.`;
      if (kind === 'removed' && chosen.has(photo) && !chosen.has(path))
        return `The last commit of ${path} shows ${photo}, which is removed. Choose the property too.`;
    }
  }
  return undefined;
}
