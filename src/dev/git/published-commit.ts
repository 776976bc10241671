import { CHANGES_INDEX_KEY, changesKey, INDEX_KEY } from '../../contract/document-keys.ts';
import type { CatalogueIndex } from '../../contract/document-schemas.ts';
import { isLoopbackUrl } from '../../contract/public-url.ts';
import { parseChangeRecords, parseChangesIndex } from '../../history/change-files.ts';
import { createGuardedFetch } from '../../import/guarded-fetch.ts';
import { gitSucceeds } from './git.ts';

/** Timeout of all requests together, in milliseconds. */
const PATIENCE = 5000;

/** 64 MB is a month of the change feed with a million new properties. */
const ask = createGuardedFetch({ hosts: 'same-origin', maxBytes: 64_000_000, timeoutMs: PATIENCE });

/** Milliseconds for which an answer is kept: the page asks after each change. */
const KEPT = 30_000;

/** Returns the commit that is published at `baseUrl`; undefined if unknown, for example if no server responds. */
export type PublishedCommitLookup = (baseUrl: string) => Promise<string | undefined>;

export function createPublishedCommitLookup(): PublishedCommitLookup {
  let last: { readonly of: string; readonly until: number; readonly commit: Promise<string | undefined> };
  return (baseUrl) => {
    const now = performance.now();
    if (last?.of !== baseUrl || last.until < now)
      last = { of: baseUrl, until: now + KEPT, commit: publishedCommit(baseUrl).catch(() => undefined) };
    return last.commit;
  };
}

/** Returns whether the last commit is published; null if unknown. */
export async function isLastCommitPublished(
  content: string,
  baseUrl: string,
  lookup: PublishedCommitLookup,
): Promise<boolean | null> {
  if (isLoopbackUrl(baseUrl)) return null;
  const commit = await lookup(baseUrl);
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return null;
  // Commits after the published one do not matter if they leave the content unchanged.
  return (
    (await gitSucceeds(content, 'merge-base', '--is-ancestor', 'HEAD', commit)) ||
    (await gitSucceeds(content, 'diff', '--quiet', commit, 'HEAD', '--', '.'))
  );
}

export async function publishedCommit(baseUrl: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(PATIENCE);
  const read = async (key: string) => {
    const url = `${baseUrl}/${key}`;
    const answer = await ask(url, { signal, headers: { 'Cache-Control': 'no-cache' } });
    if (!answer.ok) throw new Error(`${answer.status} of ${url}`);
    return answer.text();
  };
  const index = JSON.parse(await read(INDEX_KEY)) as CatalogueIndex;
  const last = parseChangesIndex(await read(CHANGES_INDEX_KEY))?.months.at(-1);
  const record = last && parseChangeRecords(await read(changesKey(last.month))).at(-1);
  return record?.release === index.release ? (record?.commit ?? undefined) : undefined;
}
