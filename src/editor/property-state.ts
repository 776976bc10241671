/** A property while it is edited: what was done to it, what a check says of it, and how it comes to the disk. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckAnswer, Edit, Failure, PropertyAnswer } from './api.ts';
import { type EditorClient, Refused } from './client.ts';
import { entryNames, isSame, netEdits, type Step, type Values, withEdits, withStep } from './edit-log.ts';
import { type Comparison, compareVersions, editsOver } from './merge.ts';
import { withoutPhotos } from './photos.ts';

/** Milliseconds without a key before what is typed is checked. */
const PAUSE = 250;

/** Both versions of a file that changed on the disk while it was edited. */
export type OpenConflict = Comparison & {
  /** What is on the disk now; null: the file is gone. */
  readonly present: PropertyAnswer | null;
};

/** A property that is edited. */
export type PropertyState = {
  /** As it is on the disk, as far as is known; null for a property without a file. */
  readonly saved: PropertyAnswer | null;
  /** With the edits. */
  readonly values: Values;
  /** Names of the entries of a list, which move with them. */
  readonly namesOf: (list: string) => readonly string[];
  /** What the last check found; undefined until there was one. */
  readonly checked: Omit<CheckAnswer, 'values'> | undefined;
  readonly isDirty: boolean;
  readonly edits: readonly Edit[];
  readonly edit: (...edits: readonly Edit[]) => void;
  /** Takes back the last step, or the last save; undefined when there is neither. */
  readonly undo: (() => void) | undefined;
  readonly redo: (() => void) | undefined;
  /** Writes the edits of a property that has a file. False when that was refused. */
  readonly save: () => Promise<boolean>;
  readonly progress: 'idle' | 'saving' | 'saved';
  readonly failure: Refused['failure'] | undefined;
  readonly conflict: OpenConflict | undefined;
  /** Ends a conflict: what is chosen becomes edits of what is on the disk. `all-theirs`: nothing does. */
  readonly resolve: (choice: ((field: string) => boolean) | 'all-theirs') => void;
  /** Goes on with what is on the disk now. What is unsaved may make it a conflict. */
  readonly meet: (theirs: PropertyAnswer | null) => void;
  /** Goes on with what was written. */
  readonly adopt: (property: PropertyAnswer) => void;
  /** Shows why something was not done. */
  readonly refuse: (error: unknown) => void;
};

type Core = {
  readonly saved: PropertyAnswer | null;
  readonly steps: readonly Step[];
  readonly undone: readonly Step[];
};

const NOTHING: Values = {};

/** Edits a property from what its file says; from nothing when it has none. */
export function usePropertyState(client: EditorClient, first: PropertyAnswer | null): PropertyState {
  const [{ saved, steps, undone }, setCore] = useState<Core>({ saved: first, steps: [], undone: [] });
  const [answer, setAnswer] = useState<{ of: string; checked: CheckAnswer }>();
  const [progress, setProgress] = useState<PropertyState['progress']>('idle');
  const [failure, setFailure] = useState<PropertyState['failure']>();
  const [conflict, setConflict] = useState<OpenConflict>();
  const base = saved?.values ?? NOTHING;
  const log = useMemo(() => steps.flatMap(({ edits }) => edits), [steps]);
  const values = useMemo(() => withEdits(base, log), [base, log]);
  const edits = useMemo(() => netEdits(base, log), [base, log]);
  // Answers come late: the present is asked for.
  const now = useRef({ saved, values, edits });
  now.current = { saved, values, edits };

  const adopt = (property: PropertyAnswer | null, kept: readonly Edit[] = []) => {
    setCore({ saved: property, steps: kept.length > 0 ? [{ edits: kept, at: 0 }] : [], undone: [] });
    setConflict(undefined);
    setFailure(undefined);
  };
  const meet = (theirs: PropertyAnswer | null) => {
    const { saved: before, values: mine, edits: own } = now.current;
    if (theirs && theirs.version === before?.version) return;
    if (theirs && own.length === 0) return adopt(theirs);
    const comparison = compareVersions(before?.values ?? NOTHING, mine, theirs?.values ?? NOTHING);
    if (theirs && comparison.conflicts.length === 0)
      return adopt(
        theirs,
        editsOver(comparison, () => true),
      );
    setConflict({ ...comparison, present: theirs });
  };
  const refuse = (error: unknown) => {
    const refused: Refused['failure'] =
      error instanceof Refused ? error.failure : { code: 'unreachable', message: String(error) };
    const { conflict: met } = refused as Partial<Failure>;
    if (met) meet(met.theirs);
    else setFailure(refused);
  };

  const key = `${saved?.version} ${JSON.stringify(edits)}`;
  const isChecked = saved?.obstacle || (saved && edits.length === 0);
  useEffect(() => {
    if (isChecked || conflict) return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      // A photo has a path once its property has one.
      const known = saved ? edits : withoutPhotos(edits);
      const request = { path: saved?.path ?? null, version: saved?.version ?? '', edits: known };
      client.check(request, leaving.signal).then(
        (checked) => {
          setAnswer({ of: key, checked });
          setFailure(undefined);
        },
        (error: unknown) => !leaving.signal.aborted && refuse(error),
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key, isChecked, conflict]);

  const act = async (request: () => Promise<PropertyAnswer | null>): Promise<boolean> => {
    setProgress('saving');
    setFailure(undefined);
    const before = now.current;
    try {
      const property = await request();
      // What was typed meanwhile stays.
      const since = compareVersions(before.values, now.current.values, property?.values ?? NOTHING);
      adopt(property, isSame(before.values, now.current.values) ? [] : editsOver(since, () => true));
      setProgress('saved');
      return true;
    } catch (error) {
      setProgress('idle');
      refuse(error);
      return false;
    }
  };

  const isDirty = edits.length > 0;
  const undoStep = () => setCore({ saved, steps: steps.slice(0, -1), undone: [steps.at(-1)!, ...undone] });
  const undoSave = () =>
    act(async () => {
      const { path, version } = saved!;
      return (await client.undo({ path, version })).property;
    });
  return {
    saved,
    values,
    namesOf: (list) => {
      const entries = base[list];
      return entryNames(list, Array.isArray(entries) ? entries.length : 0, log);
    },
    checked: isChecked ? { ...saved!, lines: [] } : answer?.checked,
    isDirty,
    edits,
    edit: (...more) => {
      setProgress((before) => (before === 'saved' ? 'idle' : before));
      setCore((core) => ({ ...core, steps: withStep(core.steps, more, Date.now()), undone: [] }));
    },
    undo: steps.length > 0 ? undoStep : saved?.canUndo ? undoSave : undefined,
    redo:
      undone.length > 0
        ? () => setCore({ saved, steps: [...steps, undone[0]!], undone: undone.slice(1) })
        : undefined,
    save: () =>
      act(() => client.save({ path: saved!.path, version: saved!.version, edits: now.current.edits })),
    progress,
    failure,
    conflict,
    resolve: (choice) => {
      if (conflict) adopt(conflict.present, choice === 'all-theirs' ? [] : editsOver(conflict, choice));
    },
    meet,
    adopt: (property) => {
      adopt(property);
      setProgress('saved');
    },
    refuse,
  };
}
