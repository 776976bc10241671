import { useEffect, useRef, useState } from 'preact/hooks';
import { useEditor } from './editing-context.ts';

/** State that survives reloads and changes of the view. `isKept`: whether it was restored. An empty note is deleted. */
export function useKeptState<Note extends object>(name: string, empty: Note) {
  const { drafts, catalogue } = useEditor();
  // Catalogues served at the same address share the browser's storage.
  const key = `${catalogue.place} ${name}`;
  const [{ note, isKept }, setNote] = useState({ note: empty, isKept: false });
  const isTouched = useRef(false);
  useEffect(() => {
    void drafts.note(key).then((kept) => {
      if (kept && !isTouched.current) setNote({ note: kept as Note, isKept: true });
    });
  }, []);
  const keep = (next: Note) => {
    isTouched.current = true;
    const isEmpty = Object.keys(next).length === 0;
    setNote({ note: next, isKept: isKept && !isEmpty });
    drafts.keepNote(key, isEmpty ? undefined : next);
  };
  return { note, isKept, keep };
}
