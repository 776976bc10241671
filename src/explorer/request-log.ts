/** Every request of the explorer, for people who want to make the same. */
import { createStore, type ValueStore } from './store.ts';

/** What a request was for. */
export type Purpose = 'list' | 'property' | 'countries' | 'cities' | 'points';

/** A request, and what came of it. */
export type LoggedRequest = {
  readonly number: number;
  readonly purpose: Purpose;
  /** As it was sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** HTTP status; 0 when there was no answer; undefined until the answer comes. */
  readonly status: number | undefined;
  /** How long the answer took. */
  readonly milliseconds: number | undefined;
};

/** The requests, oldest first. */
export type RequestLog = ValueStore<readonly LoggedRequest[]> & {
  /** A function like `fetch` that writes its requests down. */
  readonly recorder: (purpose: Purpose) => typeof fetch;
};

/** How many requests are kept. */
const KEPT = 500;

/** Makes an empty log. `send`: what sends requests. */
export function createRequestLog(send: typeof fetch = (input, init) => fetch(input, init)): RequestLog {
  const store = createStore<readonly LoggedRequest[]>([]);
  let next = 1;
  const recorder = (purpose: Purpose): typeof fetch => {
    return async (input, init) => {
      const number = next++;
      const headers = Object.fromEntries(new Headers(init?.headers));
      const entry = {
        number,
        purpose,
        url: String(input),
        headers,
        status: undefined,
        milliseconds: undefined,
      };
      store.set([...store.get().slice(1 - KEPT), entry]);
      const start = performance.now();
      const end = (status: number) => {
        const milliseconds = Math.round(performance.now() - start);
        store.set(store.get().map((one) => (one.number === number ? { ...one, status, milliseconds } : one)));
      };
      try {
        const response = await send(input, init);
        end(response.status);
        return response;
      } catch (error) {
        // A request that was given up does not count.
        if (init?.signal?.aborted) store.set(store.get().filter((one) => one.number !== number));
        else end(0);
        throw error;
      }
    };
  };
  return { ...store, recorder };
}

/**
 * The same request as a line for a POSIX shell. It contains no key: the line takes it from the variable `API_KEY`.
 *
 * @example
 * curlLine({ url: 'https://stays.example/api/v1/public/properties', headers: { accept: 'application/json' } })
 */
export function curlLine({ url, headers }: Pick<LoggedRequest, 'url' | 'headers'>): string {
  const parts = Object.entries(headers).map(([name, value]) =>
    name === 'x-api-key' ? '-H "X-API-KEY: $API_KEY"' : `-H ${quoted(`${canonical(name)}: ${value}`)}`,
  );
  return ['curl', '--globoff', ...parts, quoted(url)].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A name as people write it. */
function canonical(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
