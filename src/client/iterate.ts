/** Iterates over all pages of a list, with prefetching. */

import type { IterateOptions, ListQuery } from './options.ts';
import type { JsonAnswer } from './request.ts';
import type { Page, Summary } from './types.ts';

/** Requests a page of this release; of the present one for null. */
export type PageOf = (
  query: ListQuery,
  signal: AbortSignal | undefined,
  release: string | null,
) => Promise<JsonAnswer<Page>>;

/** Iterates over all pages of one release. Leaving early, like any error, aborts the requests in flight. */
export async function* iterate(
  pageOf: PageOf,
  query: Omit<ListQuery, 'page'>,
  { signal, prefetch = 2 }: IterateOptions,
): AsyncGenerator<Summary, void, undefined> {
  const leaving = new AbortController();
  const either = AbortSignal.any([signal ?? leaving.signal, leaving.signal]);
  const ahead: Promise<JsonAnswer<Page>>[] = [];
  let release: string | null = null;
  let next = 1;
  let last = 1;
  const ask = () => {
    while (next <= last && (!ahead[0] || ahead.length < prefetch)) {
      const page = pageOf({ ...query, page: next++ }, either, release);
      // A failure is thrown when its page's turn comes.
      page.catch(() => {});
      ahead.push(page);
    }
  };
  try {
    ask();
    for (let answer = await ahead.shift(); answer; answer = await ahead.shift()) {
      const { data, meta } = answer.body;
      release ??= answer.release;
      last = Math.ceil(meta.pagination.total_entries / meta.pagination.per_page);
      ask();
      yield* data;
    }
  } finally {
    leaving.abort();
  }
}
