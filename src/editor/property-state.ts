import { v4 as newId } from 'uuid';
import { createValueStore, type ValueStore } from '../explorer/value-store.ts';
import type { CheckResponse, FieldValues, PropertyResponse } from './api.ts';
import type { EditorClient } from './client.ts';
import {
  createMergeActions,
  type EditingState,
  type EditingStore,
  type FormContent,
  formContentOf,
  isConnectionFailure,
  type MergeActions,
} from './editing-state.ts';
import { createFormPhotos, type FormPhotos, withoutPendingUploads } from './form-photos.ts';
import { withoutPhotos } from './form-values.ts';
import type { PhotoStore } from './photo-url-store.ts';
import { createSaveActions, type SaveActions } from './property-saving.ts';
import {
  applyChanges,
  changedFields,
  entryKeys,
  type FormChange,
  type FormValues,
  redoOneStep,
  startHistory,
  type UndoHistory,
  undoOneStep,
  withRearrangedEntries,
  withUndoStep,
} from './undo-history.ts';
import type { DraftWithPhotos, UnsavedDraftStore } from './unsaved-drafts.ts';

/** Milliseconds between the last change and a check. */
const CHECK_DELAY = 250;

type Actions = ReturnType<typeof createSteps> & MergeActions & SaveActions & { readonly photos: FormPhotos };

export type PropertyState = Pick<
  EditingState,
  'progress' | 'failure' | 'conflict' | 'conflictedFile' | 'refusals'
> &
  FormContent &
  Actions & {
    /** Keys of the entries of a list. An entry keeps its key when it moves. */
    readonly keysOf: (list: string) => readonly number[];
    /** Undefined until the server responds for the first time. */
    readonly checked: Omit<CheckResponse, 'values'> | undefined;
    /**
     * Undefined if there is nothing to undo. Saving is not a step: after undo, the next save writes the older values.
     */
    readonly undo: (() => void) | undefined;
    readonly redo: (() => void) | undefined;
  };

export type PropertyStore = Pick<ValueStore<PropertyState>, 'get' | 'subscribe'> & {
  /** Stops the checks and unlocks the draft. */
  readonly close: () => void;
};

export type PropertyStoreOptions = {
  readonly client: EditorClient;
  readonly drafts: UnsavedDraftStore;
  readonly store: PhotoStore;
  readonly first: PropertyResponse | null;
  readonly preset?: FormValues;
  /** A draft to continue, already locked. @default a new one */
  readonly draft?: DraftWithPhotos | undefined;
};

export function createPropertyStore(options: PropertyStoreOptions): PropertyStore {
  const { client, drafts, store, draft, first } = options;
  const id = draft?.id ?? newId();
  if (!draft) void drafts.hold(id);
  const { get, set, subscribe } = createValueStore(startOf(options));
  const photos = createFormPhotos(client, store, () => get().base?.path, {
    kept: draft?.photos ?? new Map(),
    keep: (name, photo) => drafts.keepPhoto(id, name, photo),
    refuse: (name, problem) => core.change({ refusals: new Map(core.get().refusals).set(name, problem) }),
  });
  const core: EditingStore = { get, subscribe, change: (patch) => set({ ...get(), ...patch }), id, photos };
  const merging = createMergeActions(core);
  const actions = { ...merging, ...createSteps(core), ...createSaveActions(client, core, merging), photos };
  const checks = createChecks(client, core, merging.setFailure);
  const keep = createKeeper(core, drafts, draft !== undefined);
  const state = createValueStore(stateOf(core, actions));
  const stop = subscribe(() => {
    keep();
    state.set(stateOf(core, actions));
    checks.update();
  });
  if (draft && first) merging.receiveFile(first);
  checks.update();
  return {
    get: state.get,
    subscribe: state.subscribe,
    close() {
      stop();
      checks.stop();
      drafts.release(id);
    },
  };
}

/** The changes of a draft become one undo step: Undo returns to the version that they are based on. */
function startOf({ first, draft, preset = {} }: PropertyStoreOptions): EditingState {
  const none = {
    checkResponse: undefined,
    progress: 'idle',
    failure: undefined,
    conflict: undefined,
    conflictedFile: undefined,
  } as const;
  const before = draft ? draft.base : (first?.values ?? preset);
  const history = startHistory(before);
  const start = {
    ...none,
    base: first,
    preset: before,
    isGone: false,
    history,
    refusals: new Map<string, string>(),
  };
  if (!draft) return start;
  const { path, version, base, values, texts } = draft;
  return {
    ...start,
    base: path === null ? null : { ...(first ?? GONE), path, version, values: base },
    isGone: path !== null && first === null,
    history: withUndoStep(history, { values, texts, keys: {} }),
  };
}

/** Members of a `PropertyResponse` that a draft does not have. Used for a draft whose file was deleted. */
const GONE = { text: '', obstacle: null, findings: [], state: 'live', link: '' } as const;

function stateOf(core: EditingStore, actions: Actions): PropertyState {
  const editing = core.get();
  const { history, checkResponse, progress, failure, conflict, conflictedFile, refusals } = editing;
  const content = formContentOf(editing);
  const { saved, fields } = content;
  const goTo = (next: UndoHistory | undefined) =>
    next && (() => core.change({ history: next, ...afterStep(core.get()) }));
  return {
    ...actions,
    ...content,
    progress,
    failure,
    conflict,
    conflictedFile,
    refusals,
    checked: saved && isChecked(saved, fields) ? { ...saved, lines: [] } : checkResponse,
    undo: goTo(undoOneStep(history)),
    redo: goTo(redoOneStep(history)),
    keysOf: (list) => entryKeys(history.present, list),
  };
}

function createSteps(core: EditingStore) {
  const step = (change: (before: UndoHistory) => UndoHistory) =>
    core.change({ history: change(core.get().history), ...afterStep(core.get()) });
  return {
    edit: (...changes: readonly FormChange[]) => step((before) => applyChanges(before, changes, Date.now())),
    /** Sets a control's unfinished text. When the text is finished, `text` is undefined and `changes` set the value. */
    type(control: string, text: string | undefined, ...changes: readonly FormChange[]) {
      const { texts } = core.get().history.present;
      if (text === undefined && texts[control] === undefined && changes.length === 0) return;
      step((before) => applyChanges(before, changes, Date.now(), { control, text }));
    },
    arrange: (list: string, change: Parameters<typeof withRearrangedEntries>[2]) =>
      step((before) => withRearrangedEntries(before, list, change)),
  };
}

/** Clears a failure whose cause the step may have fixed, but not a lost connection. */
function afterStep({ progress, failure }: EditingState): Pick<EditingState, 'progress' | 'failure'> {
  return {
    progress: progress === 'saved' ? 'idle' : progress,
    failure: isConnectionFailure(failure) ? failure : undefined,
  };
}

function createKeeper(
  { get, id, photos }: EditingStore,
  drafts: UnsavedDraftStore,
  isDraft: boolean,
): () => void {
  let last: unknown[] = [];
  let isKept = isDraft;
  return () => {
    const { base, preset, history } = get();
    const { values, texts, isDirty } = formContentOf(get());
    const next = [base, history.present, isDirty];
    if (next.every((one, index) => one === last[index])) return;
    last = next;
    if (isDirty) {
      const { path = null, version = '', values: before = preset } = base ?? {};
      drafts.keep({ id, path, version, base: before, values, texts, at: Date.now() });
      if (!isKept) photos.keepAll();
    } else if (isKept) drafts.drop(id);
    isKept = isDirty;
  };
}

function isChecked(saved: PropertyResponse, fields: FieldValues): boolean {
  return saved.obstacle !== null || Object.keys(fields).length === 0;
}

function createChecks(client: EditorClient, { get, change }: EditingStore, refuse: (error: unknown) => void) {
  let running = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = '';
  const stop = () => {
    clearTimeout(timer);
    running.abort();
  };
  const check = async ({ saved, values, fields }: FormContent, { signal }: AbortController) => {
    const known = saved ? changedFields(saved.values, withoutPendingUploads(values)) : withoutPhotos(fields);
    const request = { path: saved?.path ?? null, version: saved?.version ?? '', fields: known };
    try {
      const checkResponse = await client.check(request, signal);
      if (!signal.aborted)
        change({ checkResponse, ...(isConnectionFailure(get().failure) && { failure: undefined }) });
    } catch (error) {
      if (!signal.aborted) refuse(error);
    }
  };
  return {
    stop,
    update() {
      const { conflict, conflictedFile, progress, failure } = get();
      const content = formContentOf(get());
      const { saved, fields } = content;
      // During a save, the server would reject a check of the old version.
      const isHeld = conflict !== undefined || conflictedFile !== undefined || progress === 'saving';
      const isNeeded = !isHeld && !(saved && isChecked(saved, fields));
      const key = isNeeded ? JSON.stringify([saved?.version, fields, isConnectionFailure(failure)]) : '';
      if (key === last) return;
      last = key;
      stop();
      if (!isNeeded) return;
      running = new AbortController();
      timer = setTimeout(check, CHECK_DELAY, content, running);
    },
  };
}
