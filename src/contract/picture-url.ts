import type { ExplorerSettings } from './explorer.ts';
import { MEDIA_FOLDER } from './object-keys.ts';

/**
 * Returns the URL of a picture. The catalogue's own pictures are loaded from beside the page, so that a copy on another
 * host shows its own. Undefined for hosts that the page must not load from.
 *
 * @param base URL of the page's folder, with a trailing slash.
 */
export function pictureUrl(
  url: string,
  { settings, base }: { readonly settings: ExplorerSettings; readonly base: string },
): string | undefined {
  const own = `${settings.baseUrl}/${MEDIA_FOLDER}/`;
  if (url.startsWith(own)) return new URL(`${MEDIA_FOLDER}/${url.slice(own.length)}`, base).href;
  const { origin } = new URL(url);
  return origin === new URL(base).origin || settings.imageOrigins.includes(origin) ? url : undefined;
}
