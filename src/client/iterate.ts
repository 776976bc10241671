import { ReleaseChangedError } from './errors.ts';
import type { IterateOptions, ListQuery } from './options.ts';
import type { JsonResponse } from './request.ts';
import type { SignedRelease } from './signed-releases.ts';
import type { Page, Summary } from './types.ts';

type PageResponse = JsonResponse<Page> & { readonly signed?: SignedRelease | undefined };

/**
 * `first` is the page that was read first: the requested page then comes from the same release. Without `first`, it
 * comes from the live release.
 */
export type ReadPage = (
  query: ListQuery,
  signal: AbortSignal | undefined,
  first: PageResponse | undefined,
) => Promise<PageResponse>;

/**
 * Reads all pages of one release. Leaving the loop early aborts the requests in flight, as any error does.
 * @throws ReleaseChangedError if a page is of a different signed release than the first page, or has a different total
 */
export async function* iterateEntries(
  pageOf: ReadPage,
  query: Omit<ListQuery, 'page'>,
  { signal, prefetch = 2 }: IterateOptions,
): AsyncGenerator<Summary, void, undefined> {
  const leaving = new AbortController();
  const either = AbortSignal.any([signal ?? leaving.signal, leaving.signal]);
  const ahead: Promise<PageResponse>[] = [];
  let first: PageResponse | undefined;
  let next = 1;
  let last = 1;
  const ask = () => {
    while (next <= last && (!ahead[0] || ahead.length < prefetch)) {
      const page = pageOf({ ...query, page: next++ }, either, first);
      // An error of a prefetched page is thrown when the loop reaches that page.
      page.catch(() => {});
      ahead.push(page);
    }
  };
  try {
    ask();
    for (let answer = await ahead.shift(); answer; answer = await ahead.shift()) {
      const { data, meta } = answer.body;
      first ??= answer;
      const { total_entries: total } = first.body.meta.pagination;
      if (answer.signed !== first.signed || meta.pagination.total_entries !== total)
        throw new ReleaseChangedError(answer.url, 200);
      last = Math.ceil(meta.pagination.total_entries / meta.pagination.per_page);
      ask();
      yield* data;
    }
  } finally {
    leaving.abort();
  }
}
