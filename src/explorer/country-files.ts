import { useState } from 'preact/hooks';
import { useCatalogue } from './catalogue.ts';
import { useLoaded } from './loaded.ts';
import { useStore } from './store.ts';

/** Largest number of entries loaded without asking: about 2 MB of properties, or 0.5 MB of cities. */
export const LOADED_UNASKED = 50_000;

export type Need = {
  readonly countries: readonly string[];
  readonly entries: number;
};

export type CountryFiles<File> = {
  readonly files: readonly File[] | undefined;
  readonly error: unknown;
  /** Number of entries to load, when these are too many to load without asking. */
  readonly tooMany: number | undefined;
  readonly load: () => void;
  readonly retry: () => void;
};

/**
 * Loads files once they are wanted.
 *
 * @param kind kind of the files, part of the cache key.
 * @param need undefined while unknown.
 * @param ask loads the file of a country.
 */
export function useCountryFiles<File>(
  kind: string,
  need: Need | undefined,
  isWanted: boolean,
  ask: (country: string, signal: AbortSignal) => Promise<File>,
): CountryFiles<File> {
  const catalogue = useCatalogue();
  const apiKey = useStore(catalogue.apiKey);
  const codes = need?.countries.join(' ') ?? '';
  const [agreed, setAgreed] = useState<string>();
  const tooMany = need && need.entries > LOADED_UNASKED && agreed !== codes ? need.entries : undefined;
  const key = isWanted && need && tooMany === undefined ? `${kind} ${codes} ${apiKey}` : undefined;
  const loaded = useLoaded<readonly File[]>(
    key,
    (signal) => Promise.all((need?.countries ?? []).map((code) => ask(code, signal))),
    catalogue.kept,
  );
  return {
    files: key === undefined ? undefined : loaded.value,
    error: loaded.error,
    tooMany,
    load: () => setAgreed(codes),
    retry: loaded.retry,
  };
}
