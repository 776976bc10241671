import { createValueStore, type ValueStore } from './value-store.ts';

export type RequestPurpose = 'list' | 'property' | 'countries' | 'cities' | 'search';

export type LoggedRequest = {
  readonly number: number;
  readonly purpose: RequestPurpose;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** HTTP status. 0 if the request failed; undefined while it runs. */
  readonly status: number | undefined;
  readonly milliseconds: number | undefined;
};

export type RequestLog = ValueStore<readonly LoggedRequest[]> & {
  readonly recorder: (purpose: RequestPurpose) => typeof fetch;
};

const MAX_REQUESTS = 500;

export function createRequestLog(send: typeof fetch = (input, init) => fetch(input, init)): RequestLog {
  const store = createValueStore<readonly LoggedRequest[]>([]);
  let next = 1;
  const recorder = (purpose: RequestPurpose): typeof fetch => {
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
      store.set([...store.get().slice(1 - MAX_REQUESTS), entry]);
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
        if (init?.signal?.aborted) store.set(store.get().filter((one) => one.number !== number));
        else end(0);
        throw error;
      }
    };
  };
  return { ...store, recorder };
}

/** Returns a command for a POSIX shell. It reads the API key from the variable `API_KEY`. */
export function curlLine({ url, headers }: Pick<LoggedRequest, 'url' | 'headers'>): string {
  const parts = Object.entries(headers).map(([name, value]) =>
    name === 'x-api-key' ? '-H "X-API-KEY: $API_KEY"' : `-H ${quoted(`${canonical(name)}: ${value}`)}`,
  );
  return ['curl', '--globoff', ...parts, quoted(url)].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function canonical(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
