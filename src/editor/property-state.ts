/** State of a property while it is edited: the form's values with undo and redo, the last check, and saving. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckAnswer, Failure, FieldValues, PropertyAnswer } from './api.ts';
import { type EditorClient, FailedRequest } from './client.ts';
import { compareVersions, mergedValues, type VersionComparison } from './merge.ts';
import {
  type Change,
  changedFields,
  entryKeys,
  type History,
  isSame,
  redone,
  startHistory,
  undone,
  type Values,
  withChanges,
  withOrder,
} from './snapshots.ts';
import { withoutPhotos } from './values.ts';

/** Milliseconds without a change before the form is checked. */
const PAUSE = 250;

/** A conflict between the form and a file that changed on the disk. */
export type OpenConflict = VersionComparison & {
  /** The file on the disk; null when it was deleted. */
  readonly present: PropertyAnswer | null;
};

export type PropertyState = {
  /** The file as last read; null for a property without one. */
  readonly saved: PropertyAnswer | null;
  readonly values: Values;
  /** Stable keys of a list's entries, which move with them. */
  readonly keysOf: (list: string) => readonly number[];
  /** Result of the last check; undefined before the first. */
  readonly checked: Omit<CheckAnswer, 'values'> | undefined;
  readonly isDirty: boolean;
  readonly fields: FieldValues;
  readonly edit: (...changes: readonly Change[]) => void;
  /** Reorders a list, as {@link withOrder} does. */
  readonly arrange: (list: string, change: Parameters<typeof withOrder>[2]) => void;
  /** Undoes the last step; undefined without one. Saving is not a step: the next save writes the undone values. */
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
  /** Sends a request that returns the new file, and continues with that. False when the request failed. */
  readonly write: (request: () => Promise<PropertyAnswer | null>) => Promise<boolean>;
  readonly progress: 'idle' | 'saving' | 'saved';
  readonly failure: FailedRequest['failure'] | undefined;
  readonly conflict: OpenConflict | undefined;
  /**
   * Resolves a conflict: chosen values become edits of the disk's version. `all-theirs` takes the disk's version alone.
   */
  readonly resolve: (choice: ((field: string) => boolean) | 'all-theirs') => void;
  /** Continues with the file now on the disk; unsaved changes may make it a conflict. */
  readonly meet: (theirs: PropertyAnswer | null) => void;
  /** Shows why a request failed. */
  readonly refuse: (error: unknown) => void;
};

type Core = { readonly saved: PropertyAnswer | null; readonly history: History };

const NOTHING: Values = {};

/** Manages a property's state, starting from its file, or empty without one. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: all ways on share one present.
export function usePropertyState(client: EditorClient, first: PropertyAnswer | null): PropertyState {
  const [{ saved, history }, setCore] = useState<Core>({
    saved: first,
    history: startHistory(first?.values ?? NOTHING),
  });
  const [progress, setProgress] = useState<PropertyState['progress']>('idle');
  const [failure, setFailure] = useState<PropertyState['failure']>();
  const [conflict, setConflict] = useState<OpenConflict>();
  const { values } = history.present;
  const fields = useMemo(() => changedFields(saved?.values ?? NOTHING, values), [saved, values]);
  const isDirty = Object.keys(fields).length > 0;
  // Late answers are compared with the state at their arrival.
  const now = useRef({ saved, values, isDirty });
  now.current = { saved, values, isDirty };
  const runningCheck = useRef<AbortController | null>(null);

  const adopt = (property: PropertyAnswer | null, next: Values) => {
    // Undo history is kept while the form shows the same values.
    setCore(({ history }) => ({
      saved: property,
      history: isSame(history.present.values, next) ? history : startHistory(next),
    }));
    setConflict(undefined);
    setFailure(undefined);
  };
  const meet = (present: PropertyAnswer | null) => {
    const { saved: before, values: mine } = now.current;
    if (present && present.version === before?.version) return setConflict(undefined);
    const comparison = compareVersions(before?.values ?? NOTHING, mine, present?.values ?? NOTHING);
    if (present && (!now.current.isDirty || comparison.conflicts.length === 0))
      adopt(
        present,
        mergedValues(present.values, comparison, () => true),
      );
    else setConflict({ ...comparison, present });
  };
  const refuse = (error: unknown) => {
    const refused: FailedRequest['failure'] =
      error instanceof FailedRequest ? error.failure : { code: 'unreachable', message: String(error) };
    const { conflict: met } = refused as Partial<Failure>;
    if (met) meet(met.theirs);
    else setFailure(refused);
  };
  const act = async (request: () => Promise<PropertyAnswer | null>): Promise<boolean> => {
    // A check of the old version would be refused after the save.
    runningCheck.current?.abort();
    setProgress('saving');
    setFailure(undefined);
    const { values: before } = now.current;
    try {
      const property = await request();
      const saved = property?.values ?? NOTHING;
      // Keeps text typed during the save, and the undo history.
      const since = compareVersions(before, now.current.values, saved);
      const next = mergedValues(saved, since, () => true);
      setCore(({ history }) => ({
        saved: property,
        history: { ...history, present: { ...history.present, values: next } },
      }));
      setConflict(undefined);
      setProgress('saved');
      return true;
    } catch (error) {
      setProgress('idle');
      refuse(error);
      return false;
    }
  };
  const goTo = (next: History | undefined) =>
    next &&
    (() => {
      setFailure(undefined);
      setCore({ saved, history: next });
    });
  const step = (change: (before: History) => History) => {
    setFailure(undefined);
    setProgress((before) => (before === 'saved' ? 'idle' : before));
    setCore((core) => ({ ...core, history: change(core.history) }));
  };
  const isHeld = conflict !== undefined || progress === 'saving';
  const checked = useCheck(client, saved, fields, isHeld, runningCheck, refuse);
  return {
    saved,
    values,
    fields,
    checked,
    isDirty,
    progress,
    failure,
    conflict,
    meet,
    refuse,
    undo: goTo(undone(history)),
    redo: goTo(redone(history)),
    keysOf: (list) => entryKeys(history.present, list),
    edit: (...changes) => step((before) => withChanges(before, changes, Date.now())),
    arrange: (list, change) => step((before) => withOrder(before, list, change)),
    write: act,
    resolve: (choice) => {
      if (!conflict) return;
      const { present } = conflict;
      // When the file was deleted, the form continues as a new property.
      if (!present) adopt(null, values);
      else
        adopt(
          present,
          choice === 'all-theirs' ? present.values : mergedValues(present.values, conflict, choice),
        );
    },
  };
}

/** Checks the form, a moment after the last change. */
function useCheck(
  client: EditorClient,
  saved: PropertyAnswer | null,
  fields: FieldValues,
  isHeld: boolean,
  running: { current: AbortController | null },
  refuse: (error: unknown) => void,
): PropertyState['checked'] {
  const [answer, setAnswer] = useState<CheckAnswer>();
  const isKnown = saved !== null && (saved.obstacle !== null || Object.keys(fields).length === 0);
  const key = `${saved?.version} ${JSON.stringify(fields)}`;
  useEffect(() => {
    if (isKnown || isHeld) return;
    const leaving = new AbortController();
    running.current = leaving;
    const timer = setTimeout(() => {
      if (leaving.signal.aborted) return;
      // Photos have no path before the property has one.
      const known = saved ? fields : withoutPhotos(fields);
      const request = { path: saved?.path ?? null, version: saved?.version ?? '', fields: known };
      client.check(request, leaving.signal).then(setAnswer, (error: unknown) => {
        if (!leaving.signal.aborted) refuse(error);
      });
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key, isKnown, isHeld]);
  return isKnown ? { ...saved, lines: [] } : answer;
}
