import { useEffect, useRef, useState } from 'preact/hooks';
import { useEditor } from './editing-context.ts';

/**
 * Returns a state that survives reloads and changes of the view; an empty state is not stored. `isKept`: whether the
 * state was restored.
 */
export function usePersistedState<State extends object>(name: string, empty: State) {
  const { drafts, catalogue } = useEditor();
  // Catalogues served at the same address share the browser's storage.
  const key = `${catalogue.storageId} ${name}`;
  const [{ state, isKept }, setState] = useState({ state: empty, isKept: false });
  const isTouched = useRef(false);
  useEffect(() => {
    void drafts.note(key).then((kept) => {
      if (kept && !isTouched.current) setState({ state: kept as State, isKept: true });
    });
  }, []);
  const keep = (next: State) => {
    isTouched.current = true;
    const isEmpty = Object.keys(next).length === 0;
    setState({ state: next, isKept: isKept && !isEmpty });
    drafts.keepNote(key, isEmpty ? undefined : next);
  };
  return { state, isKept, keep };
}
