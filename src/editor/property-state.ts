/** A property while it is edited: its form with undo and redo, the answer of a check, and the way to the disk. */
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

/** Milliseconds without a key before what is typed is checked. */
const PAUSE = 250;

/** Both versions of a file that changed on the disk while it was edited. */
export type OpenConflict = VersionComparison & {
  /** What is on the disk now; null: the file is gone. */
  readonly present: PropertyAnswer | null;
};

/** A property that is edited. */
export type PropertyState = {
  /** As it is on the disk, as far as is known; null for a property without a file. */
  readonly saved: PropertyAnswer | null;
  /** As the form shows them. */
  readonly values: Values;
  /** Keys of the entries of a list, which move with them. */
  readonly keysOf: (list: string) => readonly number[];
  /** The answer of the last check; undefined until there was one. */
  readonly checked: Omit<CheckAnswer, 'values'> | undefined;
  readonly isDirty: boolean;
  /** The fields that differ from the file. */
  readonly fields: FieldValues;
  readonly edit: (...changes: readonly Change[]) => void;
  /** Changes the order of a list, as {@link withOrder} does. */
  readonly arrange: (list: string, change: Parameters<typeof withOrder>[2]) => void;
  /** Undoes the last step of the form; undefined without one. A save is no step: the next save writes the undone values. */
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
  /** Does what ends with a file, and goes on with that. False when it was refused. */
  readonly write: (request: () => Promise<PropertyAnswer | null>) => Promise<boolean>;
  readonly progress: 'idle' | 'saving' | 'saved';
  readonly failure: FailedRequest['failure'] | undefined;
  readonly conflict: OpenConflict | undefined;
  /** Ends a conflict: what is chosen becomes edits of what is on the disk. `all-theirs`: nothing does. */
  readonly resolve: (choice: ((field: string) => boolean) | 'all-theirs') => void;
  /** Goes on with what is on the disk now. What is unsaved may make it a conflict. */
  readonly meet: (theirs: PropertyAnswer | null) => void;
  /** Shows why something was not done. */
  readonly refuse: (error: unknown) => void;
};

type Core = { readonly saved: PropertyAnswer | null; readonly history: History };

const NOTHING: Values = {};

/** Edits a property from the values of its file; from nothing when it has none. */
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
  // Answers come late, and compare with the present of then.
  const now = useRef({ saved, values, isDirty });
  now.current = { saved, values, isDirty };
  const runningCheck = useRef<AbortController | null>(null);

  const adopt = (property: PropertyAnswer | null, next: Values) => {
    // The history goes on while the form shows the same values.
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
    // A check of the version that is about to change would be refused.
    runningCheck.current?.abort();
    setProgress('saving');
    setFailure(undefined);
    const { values: before } = now.current;
    try {
      const property = await request();
      const saved = property?.values ?? NOTHING;
      // Text that was typed meanwhile stays, and so does the history: undo goes on behind a save.
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
      // Without a file, the whole form stays, as a new property.
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
      // A photo has a path once its property has one.
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
