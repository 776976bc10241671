import { useEffect, useRef } from 'preact/hooks';
import type { Finding } from './api.ts';
import { useEditor } from './editing-context.ts';
import { findingTally, focusFirst } from './findings.ts';
import { withoutPhotos } from './form-values.ts';
import type { PropertyState, PropertyStore } from './property-state.ts';

/**
 * If a new property has errors, the first save only shows them, and the second saves anyway.
 * @param resume each save sets its `current`: to a function that repeats the save, if the save waits for the user to
 *   confirm a far move on the map; otherwise, to a function that does nothing
 */
export function useSaving(
  store: PropertyStore,
  finishAllInput: () => Promise<readonly Finding[]>,
  hasAsked: boolean,
  setAsked: (hasAsked: boolean) => void,
  resume: { current: () => void },
  showForm: (findings: readonly Finding[]) => void,
): () => Promise<boolean> {
  const { client, announce } = useEditor();
  const show = (findings: readonly Finding[]) => {
    announce(`${findingTally(findings)}: see the fields.`);
    showForm(findings);
    setTimeout(() => focusFirst(findings));
    return false;
  };
  /** Checks again, since the last check may be about older values. */
  const errorsNow = async (): Promise<readonly Finding[]> => {
    const request = { path: null, version: '', fields: withoutPhotos(store.get().fields) };
    const { findings } = await client.check(request, new AbortController().signal);
    return findings.filter(({ severity }) => severity === 'error');
  };
  const save = async (): Promise<boolean> => {
    const unfinished = await finishAllInput();
    const isAsked = unfinished.length > 0 && unfinished.every(({ field }) => field?.at(-1) === 'move');
    resume.current = isAsked ? () => void save() : () => {};
    if (unfinished.length > 0) return show(unfinished);
    const { saved, isDirty, progress, setFailure } = store.get();
    if (saved && !isDirty && progress !== 'saving') return true;
    if (!saved && !hasAsked && progress !== 'saving') {
      try {
        const errors = await errorsNow();
        if (errors.length > 0) {
          setAsked(true);
          return show(errors);
        }
      } catch (error) {
        setFailure(error);
        return false;
      }
    }
    return store.get().save();
  };
  return save;
}

export function useUnsavedChangesGuard(
  { isDirty, progress }: PropertyState,
  ask: (leave: () => void) => void,
): void {
  const { guard } = useEditor();
  const isNeeded = isDirty || progress === 'saving';
  useEffect(() => {
    if (!isNeeded) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    guard.current = ask;
    return () => {
      removeEventListener('beforeunload', onUnload);
      guard.current = undefined;
    };
  }, [isNeeded]);
}

export function useShortcuts({ undo, redo }: PropertyState, save: () => unknown): void {
  const acts = useRef({ undo, redo, save });
  acts.current = { undo, redo, save };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const { undo, redo, save } = acts.current;
      const keys: Readonly<Record<string, (() => unknown) | undefined>> = {
        s: save,
        z: event.shiftKey ? redo : undo,
        y: redo,
      };
      const key = event.key.toLowerCase();
      if (!(key in keys)) return;
      event.preventDefault();
      keys[key]?.();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

export function useDiskChanges(store: PropertyStore): void {
  const { changeCount, changedPaths, go } = useEditor();
  const { saved, conflict, reread } = store.get();
  const path = saved?.path;
  useEffect(() => {
    // A deleted file may come back under another path, so after a deletion, any changed path counts.
    const isNamed = changedPaths?.some((one) => one === path || path?.startsWith(`${one}/`));
    const isOurs = !path || conflict?.present === null || !changedPaths || isNamed;
    if (changeCount > 0 && isOurs) void reread();
  }, [changeCount]);
  const shown = useRef(path);
  useEffect(() => {
    if (path !== undefined && path !== shown.current) go({ kind: 'property', path }, 'replace');
    shown.current = path ?? shown.current;
  }, [path]);
}

export function useAnnouncements({ progress }: PropertyState, title: string, tally: string): void {
  const { announce, catalogue } = useEditor();
  useEffect(() => {
    document.title = `${title} · ${catalogue.title}`;
  }, [title]);
  useEffect(() => {
    if (tally) announce(tally);
  }, [tally]);
  useEffect(() => {
    if (progress === 'saved') announce('Saved.');
  }, [progress]);
}
