import type { ExplorerSettings } from './explorer.ts';
import { MEDIA_FOLDER } from './object-keys.ts';

/**
 * Loads pictures of the catalogue relative to `base`, the page's own URL, so that a copy of the page on another host
 * shows its copies of them. Undefined for a URL that must not be loaded.
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
