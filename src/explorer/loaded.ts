import { useCallback, useEffect, useState } from 'preact/hooks';

export type LoadState<Value> = {
  /** The value; possibly a stale one while loading. */
  readonly value: Value | undefined;
  /** Error of the request; `value` is then undefined. */
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly retry: () => void;
};

/**
 * Loads a value, again whenever the key changes; results for an earlier key are never shown.
 *
 * @param key identifies the value; undefined: nothing is loaded.
 * @param kept cache of earlier values, by key.
 */
export function useLoaded<Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
  kept: Map<string, unknown>,
): LoadState<Value> {
  const [result, setResult] = useState<{ key: string; value?: Value; error?: unknown }>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (key === undefined) return;
    const leaving = new AbortController();
    load(leaving.signal).then(
      (value) => {
        kept.set(key, value);
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
  const before = key === undefined ? undefined : (kept.get(key) as Value | undefined);
  return {
    value: current?.error === undefined ? (current?.value ?? before) : undefined,
    error: current?.error,
    isLoading: key !== undefined && current === undefined,
    retry,
  };
}
