/** Values that have to be asked for. */
import { useCallback, useEffect, useState } from 'preact/hooks';

/** Where asking for a value stands. */
export type Loaded<Value> = {
  /** The value; one of before while a newer one is on its way. */
  readonly value: Value | undefined;
  /** What went wrong; then there is no value. */
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly retry: () => void;
};

/**
 * Asks for a value, and again when the key differs; the answer to a former key is never shown.
 *
 * @param key what the value depends on; undefined: do not ask.
 * @param kept values of before, by key.
 */
export function useLoaded<Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
  kept: Map<string, unknown>,
): Loaded<Value> {
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
