/** Where pictures come from. */
import type { ExplorerSettings } from '../contract/explorer.ts';
import { MEDIA_FOLDER } from '../contract/keys.ts';

/**
 * Where to load a picture from: the catalogue's own from beside the page, so that a copy of it on another host shows
 * its own. Undefined for a picture of a host that the page may not ask.
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
