/** A preview has its own copies, in `_previews/<name>/`, of the objects that the next publish may replace. */
import { UsageError } from '../errors/errors.ts';
import { CURRENT_KEY, PREVIEWS_FOLDER, RELEASE_NAME } from './object-keys.ts';
import { isReleaseKey, isSharedKey, objectKindOf } from './object-kinds.ts';
import { isRfc3339Time } from './rfc3339-time.ts';

const PREVIEW_NAME = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';

const WHOLE_NAME = new RegExp(`^${PREVIEW_NAME}$`);

/** Accepts a label of a host name (RFC 1123, 2.1) in lower case. */
export function isPreviewName(text: string): boolean {
  return WHOLE_NAME.test(text);
}

export function assertPreviewName(name: string): void {
  if (isPreviewName(name)) return;
  throw new UsageError(
    'preview-name',
    `"${name}" cannot be the name of a preview. Use up to 63 of a to z, 0 to 9 and "-", such as pr-12.`,
  );
}

export function previewKeyPrefix(name: string): string {
  return `${PREVIEWS_FOLDER}/${name}/`;
}

export function previewNameInPath(path: string, base: string): string | undefined {
  const start = `${base}/${PREVIEWS_FOLDER}/`;
  const name = path.startsWith(start) ? path.slice(start.length).split('/', 1)[0]! : '';
  return isPreviewName(name) && path.startsWith(`${start}${name}/`) ? name : undefined;
}

/** File in the folder of a preview's release. Lists the shared objects that the preview uses, so a prune keeps them. */
export const SHARED_LIST_KEY = 'used.json';

export type PreviewPointer = {
  readonly release: string;
  /** From this time on (RFC 3339), the preview is not served. */
  readonly expires: string;
  /** Keys of the preview's own objects, relative to the folder of its release. */
  readonly own: readonly string[];
};

/** Maximum sizes in bytes. For a million properties, the list of shared keys has 20,000 chunks and parts. */
const [MAX_POINTER, MAX_LIST] = [1_000_000, 64_000_000];

export function parsePreviewPointer(bytes: Uint8Array): PreviewPointer | undefined {
  const { release, expires, own } = (jsonIn(bytes, MAX_POINTER) ?? {}) as {
    [Name in keyof PreviewPointer]?: unknown;
  };
  const isWhole = typeof release === 'string' && RELEASE_NAME.test(release) && isRfc3339Time(expires);
  return isWhole && isKeys(own) ? { release, expires, own } : undefined;
}

/**
 * True for shared objects except roots and copies of documents: each preview has its own root, and only rollbacks need
 * the copies.
 */
export function isSharedByPreviews(key: string): boolean {
  return isSharedKey(key) && !['root', 'copy'].includes(objectKindOf(key));
}

/** `isForeign`: the list is damaged or names objects that are not shared, so another program must have written it. */
export function parseSharedKeys(bytes: Uint8Array): {
  readonly keys: readonly string[];
  readonly isForeign: boolean;
} {
  const list = jsonIn(bytes, MAX_LIST);
  const keys = Array.isArray(list)
    ? list.filter((key) => typeof key === 'string' && isSharedByPreviews(key))
    : [];
  return { keys, isForeign: !Array.isArray(list) || keys.length < list.length };
}

const OWN_KEY = new RegExp(`^${RELEASE_NAME.source.slice(1, -1)}/(.+)$`);

export function isKeyWithinPreview(key: string): boolean {
  const [, rest] = OWN_KEY.exec(key) ?? [];
  return key === CURRENT_KEY || (rest !== undefined && (rest === SHARED_LIST_KEY || isReleaseKey(rest)));
}

function isKeys(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((key) => typeof key === 'string' && isReleaseKey(key));
}

function jsonIn(bytes: Uint8Array, most: number): unknown {
  if (bytes.length > most) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
