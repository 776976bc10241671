/**
 * Previews: releases that are not live. A preview's own objects are below `_previews/<name>/`; it shares immutable objects
 * and unchanged documents with the live release.
 */
import { UsageError } from '../errors.ts';
import { EXPLORER_FOLDER, isImmutableKey, MEDIA_FOLDER, PARTS_FOLDER, PREVIEWS_FOLDER } from './keys.ts';

/** Name of a preview, such as `pr-12`. */
const PREVIEW_NAME = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

const WHOLE_NAME = new RegExp(`^${PREVIEW_NAME}$`);

/** Tells whether a text can be the name of a preview: a label of a host name (RFC 1123, 2.1), in lower case. */
export function isPreviewName(text: string): boolean {
  return WHOLE_NAME.test(text);
}

/** @throws UsageError `preview-name`. */
export function assertPreviewName(name: string): void {
  if (isPreviewName(name)) return;
  throw new UsageError(
    'preview-name',
    `"${name}" cannot be the name of a preview. Use up to 63 of a to z, 0 to 9 and "-", such as pr-12.`,
  );
}

/** Folder of a preview's own objects, with a trailing slash. */
export function previewFolder(name: string): string {
  return `${PREVIEWS_FOLDER}/${name}/`;
}

/** Name of the preview that a path below the base belongs to; undefined for any other path. */
export function previewAt(path: string, base: string): string | undefined {
  const start = `${base}/${PREVIEWS_FOLDER}/`;
  const name = path.startsWith(start) ? path.slice(start.length).split('/', 1)[0]! : '';
  return isPreviewName(name) && path.startsWith(`${start}${name}/`) ? name : undefined;
}

/** Tells whether all releases and previews share the object with this key, since its name is that of its content. */
export function isSharedKey(key: string): boolean {
  return (
    isImmutableKey(key) ||
    [MEDIA_FOLDER, EXPLORER_FOLDER, PARTS_FOLDER].some((folder) => key.startsWith(`${folder}/`))
  );
}

/** Key, below a release's folder, of the list of immutable objects that it uses, so that a prune keeps them. */
export const USED_KEY = 'used.json';

/** Further fields of a preview's `current.json`. */
export type Preview = {
  readonly release: string;
  /** Time (RFC 3339) from which it is not served any more. */
  readonly expires: string;
  /** Keys of the objects that are the preview's own, below the folder of its release. */
  readonly own: readonly string[];
  /** Keys of the documents shared with the live release. */
  readonly shared: readonly string[];
};

/** Parses a preview's `current.json`; undefined when it is damaged. */
export function parsePreview(bytes: Uint8Array): Preview | undefined {
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as Preview;
    const { release, expires, own, shared } = value;
    const isWhole = [release, expires].every((text) => typeof text === 'string') && Date.parse(expires) > 0;
    return isWhole && Array.isArray(own) && Array.isArray(shared) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a list of used keys; a damaged one names none. */
export function usedKeys(bytes: Uint8Array): readonly string[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}
