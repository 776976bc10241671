/**
 * Keeps unsaved edits in IndexedDB, so that they survive reloads and crashes. Each open form has its own draft, so two
 * tabs do not conflict.
 */
import type { FormValues, UnfinishedTexts } from './undo-history.ts';

export type UnsavedDraft = {
  readonly id: string;
  readonly path: string | null;
  readonly version: string;
  readonly base: FormValues;
  readonly values: FormValues;
  readonly texts: UnfinishedTexts;
  /** Last change, in milliseconds since 1970. */
  readonly at: number;
};

export type UnsavedDraftStore = {
  /** Value last given to `keepNote`; undefined if there is none. */
  readonly note: (name: string) => Promise<unknown>;
  /** Undefined deletes the note. If the browser's storage fails, the note stays in memory. */
  readonly keepNote: (name: string, note: object | undefined) => void;
  /** Newest first. `open`: drafts that a form holds, in this or another tab; `closed`: all others. */
  readonly all: () => Promise<{
    readonly closed: readonly UnsavedDraft[];
    readonly open: readonly UnsavedDraft[];
  }>;
  /** Locks a draft for one form, across tabs. False if another form has the lock. */
  readonly hold: (id: string) => Promise<boolean>;
  readonly release: (id: string) => void;
  /** Resolves when one of these drafts is released by another tab, or by the page of this tab before a reload. */
  readonly released: (ids: readonly string[], signal: AbortSignal) => Promise<void>;
  readonly keep: (draft: UnsavedDraft) => void;
  readonly drop: (id: string) => void;
  readonly keepPhoto: (id: string, name: string, photo: File) => void;
  /** Locks a draft and reads it with its photos. Undefined if another form has the lock, or the draft was dropped. */
  readonly take: (id: string) => Promise<DraftWithPhotos | undefined>;
};

export type DraftWithPhotos = UnsavedDraft & { readonly photos: ReadonlyMap<string, File> };

const NAME = 'property-catalogue-drafts';
/** Keys: `[id]` for a draft, `[id, name]` for each of its photos, `['note', name]` for a note. */
const STORE = 'drafts';

type Run = <Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
) => Promise<Result>;

/** @param fail is called with true when the browser cannot store a draft, and with false when storing works again */
export function createUnsavedDraftStore(fail: (isFailing: boolean) => void): UnsavedDraftStore {
  const opened = openDatabase();
  const held = new Map<string, () => void>();
  const released = new Set<string>();
  const run: Run = async (mode, act) => {
    const transaction = (await opened).transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    // Without an explicit commit, closing the page at once could lose the last write.
    transaction.commit();
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  };
  const write = (act: (store: IDBObjectStore) => IDBRequest) =>
    void run('readwrite', act).then(
      () => fail(false),
      () => fail(true),
    );
  // Web Locks need a secure context. Over plain HTTP from another machine, drafts open in other tabs count as closed.
  const locks: LockManager | undefined = navigator.locks;
  const hold = (id: string) =>
    new Promise<boolean>((resolve) => {
      const keepUntilReleased = (lock: Lock | null | undefined) => {
        resolve(lock !== null);
        return lock === null ? undefined : new Promise<void>((release) => held.set(id, release));
      };
      if (!locks) return void keepUntilReleased(undefined);
      locks.request(lockOf(id), { ifAvailable: true }, keepUntilReleased).catch(() => resolve(true));
    });
  return {
    ...createNotes(run, write),
    async all() {
      const rows = await run<unknown[]>('readonly', (store) => store.getAll()).catch(() => []);
      const locked = await namesOfLocks();
      const isHeld = ({ id }: UnsavedDraft) => held.has(id) || (!released.has(id) && locked.has(lockOf(id)));
      const found = draftsIn(rows as (UnsavedDraft | File)[]);
      return { closed: found.filter((draft) => !isHeld(draft)), open: found.filter(isHeld) };
    },
    hold,
    release(id) {
      held.get(id)?.();
      held.delete(id);
      released.add(id);
    },
    released: (ids, signal) =>
      Promise.race(
        ids.map((id) => locks?.request(lockOf(id), { mode: 'shared', signal }, () => {}) ?? NEVER_SETTLED),
      ),
    keep: (draft) => write((store) => store.put(draft, [draft.id])),
    drop: (id) => write((store) => store.delete(rangeOf(id))),
    keepPhoto: (id, name, photo) => write((store) => store.put(photo, [id, name])),
    async take(id) {
      if (!(await hold(id))) return undefined;
      const keys = (await run('readonly', (store) => store.getAllKeys(rangeOf(id)))) as [string, string?][];
      const [draft, ...photos] = await run('readonly', (store) => store.getAll(rangeOf(id)));
      const names = keys.slice(1).map(([, name]) => name!);
      return (
        draft && {
          ...(draft as UnsavedDraft),
          photos: new Map(names.map((name, index) => [name, photos[index]])),
        }
      );
    },
  };
}

function createNotes(
  run: Run,
  write: (act: (store: IDBObjectStore) => IDBRequest) => void,
): Pick<UnsavedDraftStore, 'note' | 'keepNote'> {
  const notes = new Map<string, object | undefined>();
  return {
    note: async (name) =>
      notes.has(name)
        ? notes.get(name)
        : run<unknown>('readonly', (store) => store.get(['note', name])).catch(() => undefined),
    keepNote(name, note) {
      notes.set(name, note);
      write((store) => (note ? store.put(note, ['note', name]) : store.delete(['note', name])));
    },
  };
}

function draftsIn(rows: readonly (UnsavedDraft | File)[]): readonly UnsavedDraft[] {
  return rows.filter((row) => 'base' in row).sort((one, other) => other.at - one.at);
}

/**
 * Names of the exclusive locks that forms hold. Query once for all drafts: between two queries, a form may take or
 * release a lock.
 */
async function namesOfLocks(): Promise<ReadonlySet<string | undefined>> {
  const { held = [] } = (await (navigator.locks as LockManager | undefined)?.query()) ?? {};
  return new Set(held.filter(({ mode }) => mode === 'exclusive').map(({ name }) => name));
}

const NEVER_SETTLED = new Promise<never>(() => {});

function lockOf(id: string): string {
  return `${NAME} ${id}`;
}

function rangeOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []]);
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
