/** All pages of a list, one after the other, with the next ones on their way. */

import type { IterateOptions, ListQuery } from './options.ts';
import type { JsonAnswer } from './request.ts';
import type { Page, Summary } from './types.ts';

/** Asks for a page: of this release; of the present one, when it is null. */
export type PageOf = (
  query: ListQuery,
  signal: AbortSignal | undefined,
  release: string | null,
) => Promise<JsonAnswer<Page>>;

/** Goes through all pages of one release. Leaving early, and any error, ends the requests that are on their way. */
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
      // A failure is thrown when its turn comes.
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
