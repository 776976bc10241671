/** For hosts that only serve files: reads lists and properties by the paths of their files. */
import { pageKey, propertyKey, scopeFolder, totalKey } from '../contract/object-keys.ts';
import { emptyPage } from '../contract/pagination.ts';
import type { View } from './view.ts';

/** Reads a page of a list from its file. If there is no such file, the response is an empty page. */
export function createPageFetch(
  send: typeof fetch,
  pageFolderUrl: string,
  { country, city, page, size }: Pick<View, 'country' | 'city' | 'page' | 'size'>,
): typeof fetch {
  const folder = scopeFolder(country, city);
  const read = (key: string, init?: RequestInit) => send(new URL(key, pageFolderUrl).href, init);
  return async (_url, init) => {
    const found = await read(pageKey(folder, size, page), init);
    if (found.status !== 404) return found;
    const total = await read(totalKey(folder), init);
    if (!total.ok && total.status !== 404) return total;
    return new Response(emptyPage(page, size, total.ok ? Number(await total.text()) : 0));
  };
}

export function createPropertyFetch(send: typeof fetch, pageFolderUrl: string): typeof fetch {
  return (url, init) => {
    const [id = ''] = /[^/]+$/.exec(String(url)) ?? [];
    return send(new URL(propertyKey(id.toLowerCase()), pageFolderUrl).href, init);
  };
}
