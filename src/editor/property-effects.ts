/** What the page of a property does besides showing it: saving, keys, asking before it goes, hearing of the disk. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Finding } from './api.ts';
import { FailedRequest } from './client.ts';
import { useEditor } from './editing-context.ts';
import { findingTally, focusOn } from './findings.ts';
import type { Photos } from './photos.ts';
import type { PropertyState } from './property-state.ts';
import { withoutPhotos } from './values.ts';

/** Saves. Of a new property, what is missing is asked for once; it may be saved without. */
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
  /** The errors of what is typed now: the last check may be of something older. Undefined when they cannot be had. */
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
  /** A second press while the first one is at work does nothing. */
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
      // The property is there, without these.
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

/** Asks before the page goes away with something unsaved. */
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

/** Ctrl or Cmd with S, Z, Shift+Z and Y. */
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

/** Looks at the file again when it changed on the disk. */
export function useDisk({ saved, meet }: PropertyState): void {
  const { client, pulse, changedPaths } = useEditor();
  const latest = useRef(meet);
  latest.current = meet;
  useEffect(() => {
    const path = saved?.path;
    if (pulse === 0 || path === undefined || (changedPaths && !changedPaths.includes(path))) return;
    client.property(path).then(
      (property) => latest.current(property),
      (error: unknown) => {
        // A request may fail for other reasons than a file that is gone.
        if (error instanceof FailedRequest && error.failure.code === 'not-found') latest.current(null);
      },
    );
  }, [pulse]);
}

/** The title of the window, and what is said to those who do not see the page. */
export function useWords({ progress }: PropertyState, title: string, tally: string): void {
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
