/** A property while it is edited: what was done to it, what a check says of it, and how it comes to the disk. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckAnswer, Edit, Failure, PropertyAnswer } from './api.ts';
import { type EditorClient, FailedRequest } from './client.ts';
import { entryNames, isSame, netEdits, type Step, type Values, withEdits, withStep } from './edit-log.ts';
import { compareVersions, editsOver, type VersionComparison } from './merge.ts';
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

type Core = {
  readonly saved: PropertyAnswer | null;
  readonly steps: readonly Step[];
  readonly undone: readonly Step[];
};

const NOTHING: Values = {};

/**
 * Edits a property from what its file says; from nothing when it has none.
 *
 * Long: each way on looks at the same present.
 */
export function usePropertyState(client: EditorClient, first: PropertyAnswer | null): PropertyState {
  const [{ saved, steps, undone }, setCore] = useState<Core>({ saved: first, steps: [], undone: [] });
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
  const runningCheck = useRef<AbortController | null>(null);

  const adopt = (property: PropertyAnswer | null, kept: readonly Edit[] = []) => {
    setCore({ saved: property, steps: kept.length > 0 ? [{ edits: kept, at: 0 }] : [], undone: [] });
    setConflict(undefined);
    setFailure(undefined);
  };
  const meet = (present: PropertyAnswer | null) => {
    const { saved: before, values: mine, edits: own } = now.current;
    if (present && present.version === before?.version) return;
    const comparison = compareVersions(before?.values ?? NOTHING, mine, present?.values ?? NOTHING);
    if (present && own.length === 0) adopt(present);
    else if (present && comparison.conflicts.length === 0)
      adopt(
        present,
        editsOver(comparison, () => true),
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
      // What was typed meanwhile stays.
      const since = compareVersions(before, now.current.values, property?.values ?? NOTHING);
      adopt(property, isSame(before, now.current.values) ? [] : editsOver(since, () => true));
      setProgress('saved');
      return true;
    } catch (error) {
      setProgress('idle');
      refuse(error);
      return false;
    }
  };
  const goTo = (core: Core) => {
    setFailure(undefined);
    setCore(core);
  };
  const isHeld = conflict !== undefined || progress === 'saving';
  const checked = useCheck(client, saved, edits, isHeld, runningCheck, refuse);
  return {
    saved,
    values,
    edits,
    checked,
    isDirty: edits.length > 0,
    progress,
    failure,
    conflict,
    meet,
    refuse,
    ...history(client, { saved, steps, undone }, goTo, act),
    namesOf: (list) => {
      const entries = base[list];
      return entryNames(list, Array.isArray(entries) ? entries.length : 0, log);
    },
    edit: (...more) => {
      setFailure(undefined);
      setProgress((before) => (before === 'saved' ? 'idle' : before));
      setCore((core) => ({ ...core, steps: withStep(core.steps, more, Date.now()), undone: [] }));
    },
    write: act,
    resolve: (choice) => {
      if (conflict) adopt(conflict.present, choice === 'all-theirs' ? [] : editsOver(conflict, choice));
    },
  };
}

/** Going back and on: through the steps, and behind the first of them through the saves. */
function history(
  client: EditorClient,
  { saved, steps, undone }: Core,
  setCore: (core: Core) => void,
  act: PropertyState['write'],
): Pick<PropertyState, 'undo' | 'redo'> {
  const [last, next] = [steps.at(-1), undone[0]];
  const undoStep = last && (() => setCore({ saved, steps: steps.slice(0, -1), undone: [last, ...undone] }));
  const undoSave =
    saved?.canUndo &&
    (() => act(async () => (await client.undo({ path: saved.path, version: saved.version })).property));
  return {
    undo: undoStep ?? (undoSave || undefined),
    redo: next && (() => setCore({ saved, steps: [...steps, next], undone: undone.slice(1) })),
  };
}

/** What a check says of the edits, a moment after the last of them. */
function useCheck(
  client: EditorClient,
  saved: PropertyAnswer | null,
  edits: readonly Edit[],
  isHeld: boolean,
  running: { current: AbortController | null },
  refuse: (error: unknown) => void,
): PropertyState['checked'] {
  const [answer, setAnswer] = useState<CheckAnswer>();
  const isKnown = saved !== null && (saved.obstacle !== null || edits.length === 0);
  const key = `${saved?.version} ${JSON.stringify(edits)}`;
  useEffect(() => {
    if (isKnown || isHeld) return;
    const leaving = new AbortController();
    running.current = leaving;
    const timer = setTimeout(() => {
      if (leaving.signal.aborted) return;
      // A photo has a path once its property has one.
      const known = saved ? edits : withoutPhotos(edits);
      const request = { path: saved?.path ?? null, version: saved?.version ?? '', edits: known };
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
