/**
 * Effects of the property editor: saving, keyboard shortcuts, the question before leaving, reloads after changes on the
 * disk.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Finding } from './api.ts';
import { FailedRequest } from './client.ts';
import { useEditor } from './editing-context.ts';
import { findingTally, focusOn } from './findings.ts';
import type { Photos } from './photos.ts';
import type { PropertyState } from './property-state.ts';
import { withoutPhotos } from './values.ts';

/** Saves the property. For a new one, errors are shown once; the second attempt saves in spite of them. */
export function useSaving(state: PropertyState, photos: Photos) {
  const { client, announce, go } = useEditor();
  const [hasAsked, setAsked] = useState(false);
  const problems = useRef<readonly string[]>([]);
  const { saved, values, fields } = state;
  const create = async () => {
    const created = await client.create({ fields: withoutPhotos(fields) });
    go({ kind: 'property', path: created.path }, 'replace');
    const sent = await photos.send(created.path, values);
    problems.current = sent.problems;
    if (Object.keys(sent.fields).length === 0) return created;
    return client.save({ path: created.path, version: created.version, fields: sent.fields });
  };
  /** Checks the present values, since the last check may be older. Undefined when the request fails. */
  const errorsNow = async (): Promise<readonly Finding[] | undefined> => {
    try {
      const request = { path: null, version: '', fields: withoutPhotos(fields) };
      const { findings } = await client.check(request, new AbortController().signal);
      return findings.filter(({ severity }) => severity === 'error');
    } catch (error) {
      state.refuse(error);
      return undefined;
    }
  };
  const isBusy = useRef(false);
  /** Ignores a second press while a save is running. */
  const save = async (): Promise<boolean> => {
    if (isBusy.current) return false;
    isBusy.current = true;
    return saveOnce().finally(() => {
      isBusy.current = false;
    });
  };
  const saveOnce = async (): Promise<boolean> => {
    if (saved) {
      const { path, version } = saved;
      return !state.isDirty || state.write(() => client.save({ path, version, fields }));
    }
    const errors = hasAsked ? [] : await errorsNow();
    if (!errors) return false;
    if (errors.length === 0) {
      const isCreated = await state.write(create);
      // The property was created, without these photos.
      const [problem] = problems.current;
      if (isCreated && problem) state.refuse(new FailedRequest({ code: 'bad-photo', message: problem }));
      return isCreated;
    }
    setAsked(true);
    announce(`${findingTally(errors)}: see the fields.`);
    setTimeout(() => focusOn(errors[0]!.field));
    return false;
  };
  return { save, hasAsked };
}

/** Asks before the page closes or another view opens with unsaved changes. */
export function useGuard(isDirty: boolean, ask: (leave: () => void) => void): void {
  const { guard } = useEditor();
  useEffect(() => {
    if (!isDirty) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', onUnload);
    guard.current = ask;
    return () => {
      removeEventListener('beforeunload', onUnload);
      guard.current = undefined;
    };
  }, [isDirty]);
}

/** Handles Ctrl or Cmd with S, Z, Shift+Z and Y. */
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

/** Reloads the file when it changed on the disk. */
export function useDiskChanges({ saved, meet }: PropertyState): void {
  const { client, changeCount, changedPaths } = useEditor();
  const latest = useRef(meet);
  latest.current = meet;
  useEffect(() => {
    const path = saved?.path;
    if (changeCount === 0 || path === undefined || (changedPaths && !changedPaths.includes(path))) return;
    client.property(path).then(
      (property) => latest.current(property),
      (error: unknown) => {
        // Only `not-found` means that the file is gone.
        if (error instanceof FailedRequest && error.failure.code === 'not-found') latest.current(null);
      },
    );
  }, [changeCount]);
}

/** Sets the window's title, and announces findings and saves to screen readers. */
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
