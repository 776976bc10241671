/** The files of countries that a view needs, asked for when they are wanted. */
import { useState } from 'preact/hooks';
import { useCatalogue } from './catalogue.ts';
import { useLoaded } from './loaded.ts';
import { useStore } from './store.ts';

/** Entries of files that are loaded without a question: about 2 MB of properties, or 0.5 MB of cities. */
export const LOADED_UNASKED = 50_000;

/** What a view needs. */
export type Need = {
  /** Codes of the countries whose files are needed. */
  readonly countries: readonly string[];
  /** Entries in these files. */
  readonly entries: number;
};

/** The files that a view needs. */
export type CountryFiles<File> = {
  /** Undefined until they are there. */
  readonly files: readonly File[] | undefined;
  readonly error: unknown;
  /** Number of entries that would have to be loaded, when these are too many to do so without a question. */
  readonly tooMany: number | undefined;
  /** Loads them nevertheless. */
  readonly load: () => void;
  readonly retry: () => void;
};

/**
 * Asks for files once they are wanted.
 *
 * @param kind distinguishes these files from others.
 * @param need undefined while it is not known.
 * @param ask asks for the file of a country.
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
