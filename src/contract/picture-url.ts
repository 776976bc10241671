import type { ExplorerSettings } from './explorer.ts';
import { MEDIA_FOLDER } from './object-keys.ts';

/**
 * Resolves the catalogue's own pictures relative to `base`, the URL of the page, so that a copy of the site on another
 * host shows its own copies. Undefined for a URL that the page must not load.
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
