/** Finds the release that answers a request: the live one, or that of a preview (`contract/preview-keys.ts`). */
import { CURRENT_KEY, PREVIEWS_FOLDER, rootKey } from '../../contract/object-keys.ts';
import { isSharedKey } from '../../contract/object-kinds.ts';
import { ORIGIN_TIME_LIMIT } from '../../contract/origin-status.ts';
import { parsePreviewPointer, previewKeyPrefix, previewNameInPath } from '../../contract/preview-keys.ts';
import type { ReplySettings } from '../../targets/runtime/reply-settings.ts';
import { withTimeLimit } from '../../targets/runtime/time-limit.ts';
import { createTreeResponder, type PlatformServices, type TreeResponder } from './responder.ts';

export type ServedRelease = {
  readonly settings: ReplySettings;
  /** Cuts pages and details out of chunks and parts. Undefined for a release in which each of them is a file. */
  readonly cut: TreeResponder | undefined;
  /**
   * Maps the key of an object to its key in the bucket, without checking that the object exists. Undefined for an
   * object that a preview cannot have.
   */
  readonly storedKey: (key: string) => string | undefined;
};

/**
 * Finds the release that a path belongs to. Never rejects.
 * @param read reads an object of the bucket, without a cache
 * @param report called with the cause of `list-unavailable`
 * @returns a problem's name if the preview does not exist, has expired or cannot be read
 */
export type FindServedRelease = (
  path: string,
  read: (key: string) => Promise<Uint8Array | undefined>,
  report: PlatformServices['report'],
) => Promise<ServedRelease | 'not-found' | 'list-unavailable'>;

/** Maximum number of previews with a cache, and bytes of each cache. */
const [CACHED, MEMORY] = [4, 8 * 1024 * 1024];

/** @param now returns the present time in milliseconds */
export function createFindServedRelease(
  settings: ReplySettings,
  now: () => number = Date.now,
): FindServedRelease {
  const cut = settings.layout === 'packed' ? createTreeResponder(settings) : undefined;
  const live: ServedRelease = { settings, cut, storedKey: (key) => key };
  const cuts = new Map<string, TreeResponder>();
  return async (path, read, report) => {
    const name = previewNameInPath(path, settings.base);
    if (name === undefined) return live;
    const folder = previewKeyPrefix(name);
    let bytes: Uint8Array | undefined;
    try {
      bytes = await withTimeLimit(read(folder + CURRENT_KEY), ORIGIN_TIME_LIMIT);
    } catch (error) {
      report(error);
      return 'list-unavailable';
    }
    const preview = bytes && parsePreviewPointer(bytes);
    if (!preview || Date.parse(preview.expires) <= now()) return 'not-found';
    const base = `${settings.base}/${PREVIEWS_FOLDER}/${name}`;
    // A preview is always packed, even if the live release has a file for each page.
    const its: ReplySettings = { ...settings, base, layout: 'packed', isPreview: true };
    const known = cuts.get(name) ?? createTreeResponder(its, { memory: MEMORY, now });
    cuts.delete(name);
    cuts.set(name, known);
    for (const oldest of cuts.keys()) if (cuts.size > CACHED) cuts.delete(oldest);
    const own = new Set(preview.own);
    return {
      settings: its,
      cut: known,
      storedKey(key) {
        if (key === CURRENT_KEY) return folder + key;
        if (own.has(key)) return `${folder}${preview.release}/${key}`;
        const isRoot = key === rootKey(preview.release);
        return !isRoot && isSharedKey(key) ? key : undefined;
      },
    };
  };
}
