/** A release that is held in memory and answers by key, as its files would if they were written. */

import { PAGES_FOLDER, PROPERTIES_FOLDER, scopeFolder } from '../contract/keys.ts';
import { cutPage, entriesOf } from './page.ts';
import type { Entry, JoinedSummaries, Scope } from './sequence.ts';

/** What is held: the sequence in one buffer, and the details that are not published yet. */
export type HeldParts = {
  readonly sequence: readonly Entry[];
  readonly scopes: readonly Scope[];
  readonly sizes: readonly number[];
  readonly summaries: JoinedSummaries;
  /** Bytes of details by id. */
  readonly details: ReadonlyMap<string, Buffer>;
};

/**
 * Answers a key.
 *
 * @returns the bytes; null when the release has no such page, total or detail; undefined for a detail that is not
 *   held, and for every other kind of file.
 */
export type HeldRelease = (key: string) => Buffer | null | undefined;

const PAGE = /^(.+)\/([1-9][0-9]*)-([1-9][0-9]*)\.json$/;

/** Makes what answers. */
export function holdRelease({ sequence, scopes, sizes, summaries, details }: HeldParts): HeldRelease {
  const ids = new Set(sequence.map(({ id }) => id));
  const byFolder = new Map(scopes.map((scope) => [scopeFolder(scope.country, scope.city), scope]));
  const published = new Set(sizes);

  const page = (folder: string, size: number, number: number): Buffer | null => {
    const scope = byFolder.get(folder);
    if (!scope || !published.has(size)) return null;
    const entries = entriesOf(summaries, scope.runs, number, size);
    return entries.length > 0 ? Buffer.concat(cutPage(entries, number, size, scope.total)) : null;
  };

  return (key) => {
    if (key.startsWith(`${PROPERTIES_FOLDER}/`)) {
      const id = key.slice(PROPERTIES_FOLDER.length + 1, -'.json'.length);
      return ids.has(id) ? details.get(id) : null;
    }
    if (!key.startsWith(`${PAGES_FOLDER}/`)) return undefined;
    const [, folder = '', size, number] = PAGE.exec(key) ?? [];
    if (size !== undefined) return page(folder, Number(size), Number(number));
    const total = byFolder.get(key.slice(0, -'/total'.length))?.total;
    return key.endsWith('/total') && total !== undefined ? Buffer.from(String(total)) : null;
  };
}
