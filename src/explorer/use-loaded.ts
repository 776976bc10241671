import { useCallback, useEffect, useState } from 'preact/hooks';

export type LoadState<Value> = {
  /** While `isLoading`, the cached value, which may be stale; undefined if the cache has none. */
  readonly value: Value | undefined;
  /** If set, `value` is undefined. */
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly retry: () => void;
};

/**
 * Loads again when the key changes. Never shows a result of an earlier key.
 * @param key if undefined, nothing is loaded
 * @param cache values by key
 */
export function useLoaded<Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
  cache: Map<string, unknown>,
): LoadState<Value> {
  const [result, setResult] = useState<{ key: string; value?: Value; error?: unknown }>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (key === undefined) return;
    const leaving = new AbortController();
    load(leaving.signal).then(
      (value) => {
        cache.set(key, value);
        if (!leaving.signal.aborted) setResult({ key, value });
      },
      (error: unknown) => {
        if (!leaving.signal.aborted) setResult({ key, error });
      },
    );
    return () => leaving.abort();
  }, [key, attempt]);
  const retry = useCallback(() => {
    setResult(undefined);
    setAttempt((before) => before + 1);
  }, []);
  const current = result?.key === key ? result : undefined;
  const before = key === undefined ? undefined : (cache.get(key) as Value | undefined);
  return {
    value: current?.error === undefined ? (current?.value ?? before) : undefined,
    error: current?.error,
    isLoading: key !== undefined && current === undefined,
    retry,
  };
}
