/** Asks the published catalogue whether it has the last record. */
import { CHANGES_INDEX_KEY, changesKey, INDEX_KEY } from '../../contract/document-keys.ts';
import type { CatalogueIndex } from '../../contract/downloads.ts';
import { parseIndex, parseRecords } from '../../history/files.ts';
import { createGuardedFetch } from '../../import/guarded-fetch.ts';
import { git } from './git.ts';

/** Maximum milliseconds for all answers of the published catalogue. */
const PATIENCE = 5000;

/** Bounds of an answer: a month may have a record of a million new properties. */
const ask = createGuardedFetch({ hosts: 'same', maxBytes: 64_000_000, timeoutMs: PATIENCE });

/** Whether a base URL is not the default one, of this computer, at which nothing is published. */
export function hasAddress(baseUrl: string): boolean {
  return !/^https?:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?:[:/]|$)/.test(baseUrl);
}

/** Returns null when that cannot be known: there is no address yet, it does not answer, or it names no commit. */
export async function isPublished(content: string, baseUrl: string): Promise<boolean | null> {
  if (!hasAddress(baseUrl)) return null;
  const commit = await publishedCommit(baseUrl).catch(() => undefined);
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return null;
  const isTrue = (...args: string[]) =>
    git(content, args).then(
      () => true,
      () => false,
    );
  // A record of other files than the content changes nothing for guests.
  return (
    (await isTrue('merge-base', '--is-ancestor', 'HEAD', commit)) ||
    (await isTrue('diff', '--quiet', commit, 'HEAD', '--', '.'))
  );
}

/** Returns the commit of the live release: the one that the index names, or that of its entry in the change feed. */
export async function publishedCommit(baseUrl: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(PATIENCE);
  const read = async (key: string) => {
    const url = `${baseUrl}/${key}`;
    const answer = await ask(url, { signal, headers: { 'Cache-Control': 'no-cache' } });
    if (!answer.ok) throw new Error(`${answer.status} of ${url}`);
    return answer.text();
  };
  const index = JSON.parse(await read(INDEX_KEY)) as CatalogueIndex & { commit?: unknown };
  if (typeof index.commit === 'string') return index.commit;
  const last = parseIndex(await read(CHANGES_INDEX_KEY))?.months.at(-1);
  const record = last && parseRecords(await read(changesKey(last.month))).at(-1);
  return record?.release === index.release ? (record?.commit ?? undefined) : undefined;
}
