/** All pages of a list, one after the other, with the next ones on their way. */
import type { Page, Summary } from '../contract/property.ts';
import type { Client, IterateOptions, ListQuery } from './index.ts';

/** Goes through all pages. Leaving early, and any error, ends the requests that are on their way. */
export async function* iterate(
  list: Client['listProperties'],
  query: Omit<ListQuery, 'page'>,
  { signal, prefetch = 2 }: IterateOptions,
): AsyncGenerator<Summary, void, undefined> {
  const leaving = new AbortController();
  const either = signal ? AbortSignal.any([signal, leaving.signal]) : leaving.signal;
  const ahead: Promise<Page>[] = [];
  let next = 1;
  let last = 1;
  const ask = () => {
    const page = list({ ...query, page: next++ }, { signal: either });
    // A failure is told when its turn comes.
    page.catch(() => {});
    ahead.push(page);
  };
  try {
    ask();
    for (let page = await ahead.shift(); page; page = await ahead.shift()) {
      const { per_page, total_entries } = page.meta.pagination;
      last = Math.ceil(total_entries / per_page);
      while (next <= last && ahead.length < Math.max(1, prefetch)) ask();
      yield* page.data;
    }
  } finally {
    leaving.abort();
  }
}
