import type { ValueStore } from '../explorer/value-store.ts';
import type { CheckResponse, PropertyResponse } from './api.ts';
import { FailedRequest } from './client.ts';
import type { FormPhotos } from './form-photos.ts';
import { mergeListEntries } from './merge-lists.ts';
import {
  changedFields,
  type FormValues,
  isEqualValue,
  rebaseHistory,
  type UndoHistory,
  withUndoStep,
} from './undo-history.ts';
import { compareVersions, mergedValues, type VersionComparison, withFields } from './version-comparison.ts';

export type UnresolvedConflict = VersionComparison & {
  readonly present: PropertyResponse | null;
};

export type EditingState = {
  /** The file as last read; null for a new property that has not been saved yet. */
  readonly base: PropertyResponse | null;
  /** Initial values of a new property's form. */
  readonly preset: FormValues;
  /** The file was deleted. Saving creates it again. */
  readonly isGone: boolean;
  readonly history: UndoHistory;
  readonly checkResponse: CheckResponse | undefined;
  readonly progress: 'idle' | 'saving' | 'saved';
  readonly failure: FailedRequest['failure'] | undefined;
  readonly conflict: UnresolvedConflict | undefined;
  /** The file while it has conflict markers. The form is hidden then, and keeps what was typed. */
  readonly conflictedFile: PropertyResponse | undefined;
  /** Keys are names of photos in the form; values say why the upload failed. */
  readonly refusals: ReadonlyMap<string, string>;
};

export type EditingStore = Pick<ValueStore<EditingState>, 'get' | 'subscribe'> & {
  readonly change: (patch: Partial<EditingState>) => void;
  /** Id of the draft, which a new property gets as its own id. */
  readonly id: string;
  readonly photos: FormPhotos;
};

export type FormContent = ReturnType<typeof formContentOf>;

/** `saved`: the file as last read; null if it does not exist. `fields`: values that differ from it. */
export function formContentOf({ base, preset, isGone, history }: EditingState) {
  const { values, texts } = history.present;
  const saved = isGone ? null : base;
  const fields = changedFields(saved?.values ?? {}, values);
  const unsaved = base ? fields : changedFields(preset, values);
  return { saved, values, texts, fields, isDirty: Object.keys({ ...unsaved, ...texts }).length > 0 };
}

export function isConnectionFailure(failure: EditingState['failure']): boolean {
  return failure?.code === 'unreachable' || failure?.code === 'wrong-token';
}

export type ResolveConflict = (choice: ((field: string) => boolean) | 'all-theirs') => void;

export type MergeActions = {
  /**
   * Takes over the file as it is now. Opens a conflict if the file was deleted (null) or clashes with unsaved changes;
   * hides the form if the file has conflict markers.
   */
  readonly receiveFile: (present: PropertyResponse | null) => void;
  /**
   * Resolves the conflict between the form and the file on disk. The argument is either `all-theirs`, which discards
   * all edits of the form, or a function that returns true for each field that keeps the form's value.
   */
  readonly resolve: ResolveConflict;
  readonly setFailure: (error: unknown) => void;
};

export function createMergeActions({ get, change }: EditingStore): MergeActions {
  const adopt = (present: PropertyResponse, history: UndoHistory) =>
    change({
      base: present,
      isGone: false,
      history,
      conflict: undefined,
      conflictedFile: undefined,
      failure: undefined,
    });
  return {
    receiveFile(present) {
      const { base, isGone, history } = get();
      const { values } = history.present;
      if (!present && isGone) return;
      if (!present)
        return change({
          conflict: { conflicts: [], joined: [], yours: [], theirs: [], present },
          conflictedFile: undefined,
        });
      if (present.version === base?.version && present.path === base.path)
        return change({ conflict: undefined, conflictedFile: undefined, isGone: false });
      if (present.obstacle?.isMerging)
        return change({ conflictedFile: present, conflict: undefined, isGone: false, failure: undefined });
      const comparison = compareVersions(base?.values ?? {}, values, present.values);
      if (comparison.conflicts.length > 0)
        change({ conflict: { ...comparison, present }, conflictedFile: undefined, failure: undefined });
      else adopt(present, withTheirs(history, base?.values ?? {}, comparison));
    },
    resolve(choice) {
      const { base, conflict, history } = get();
      if (!conflict) return;
      const { present } = conflict;
      if (!present) return change({ isGone: true, conflict: undefined });
      const isTheirs = choice === 'all-theirs';
      const values = isTheirs ? present.values : mergedValues(present.values, conflict, choice);
      const met = withTheirs(history, base?.values ?? {}, conflict);
      const texts = isTheirs ? {} : met.present.texts;
      // The choices are a separate undo step, so that undo restores the values that were not chosen.
      const isStep = !isEqualValue(values, met.present.values) || isTheirs;
      adopt(present, isStep ? withUndoStep(met, { ...met.present, values, texts }) : met);
    },
    setFailure: (error) => change({ failure: toRequestFailure(error) }),
  };
}

export function toRequestFailure(error: unknown): FailedRequest['failure'] {
  return error instanceof FailedRequest ? error.failure : { code: 'unreachable', message: String(error) };
}

/** Adds the other side's changes to every snapshot, so that undo reverts only what was typed in the form. */
function withTheirs(
  history: UndoHistory,
  base: FormValues,
  { joined, theirs }: VersionComparison,
): UndoHistory {
  const changed = [...joined, ...theirs];
  return rebaseHistory(history, (values) => {
    const merged = changed.map(({ field, theirs: value }) => {
      const lists = mergeListEntries(base[field], values[field], value);
      return [field, lists?.yours ?? value ?? null] as const;
    });
    return withFields(values, Object.fromEntries(merged));
  });
}
