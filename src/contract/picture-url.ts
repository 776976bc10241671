import type { ExplorerSettings } from './explorer.ts';
import { MEDIA_FOLDER } from './object-keys.ts';

/**
 * Returns the URL that the page loads; undefined if it must not load the picture. The catalogue's own pictures are
 * loaded from the host of the page, so that a copy of the site does not load them from the original.
 */
export function pictureUrl(
  url: string,
  { settings, pageFolderUrl }: { readonly settings: ExplorerSettings; readonly pageFolderUrl: string },
): string | undefined {
  const own = `${settings.baseUrl}/${MEDIA_FOLDER}/`;
  if (url.startsWith(own)) return new URL(`${MEDIA_FOLDER}/${url.slice(own.length)}`, pageFolderUrl).href;
  const { origin } = new URL(url);
  return origin === new URL(pageFolderUrl).origin || settings.imageOrigins.includes(origin) ? url : undefined;
}
