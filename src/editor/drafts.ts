/**
 * Drafts: what is typed and not saved yet, kept in this browser (IndexedDB) so that it survives a reload, a crash and a
 * new session of `catalogue dev`. Each open form has a draft of its own, so that two tabs do not overwrite one another.
 */
import type { Texts, Values } from './snapshots.ts';

export type Draft = {
  /** Id of the property, also before it has a file. */
  readonly id: string;
  /** The file that the form came from; null for a new property. */
  readonly path: string | null;
  readonly version: string;
  /** Values of that version: the base when the file has changed since. */
  readonly base: Values;
  readonly values: Values;
  readonly texts: Texts;
  /** Time of the last change, in milliseconds since 1970. */
  readonly at: number;
};

/** What is typed of the next record; undefined where the suggestion is shown. */
export type RecordDraft = { readonly message?: string; readonly branch?: string };

export type Drafts = {
  readonly record: () => Promise<RecordDraft>;
  /** Keeps it, also in this page while the browser keeps nothing. Empty: drops it. */
  readonly keepRecord: (record: RecordDraft) => void;
  readonly all: () => Promise<readonly Draft[]>;
  /** Holds a draft for a form, in all tabs. False when another form does. */
  readonly hold: (id: string) => Promise<boolean>;
  readonly release: (id: string) => void;
  readonly keep: (draft: Draft) => void;
  readonly drop: (id: string) => void;
  readonly keepPhoto: (id: string, name: string, photo: File) => void;
  /** Holds a draft, and reads it again with its photos; undefined when another form continues it. */
  readonly take: (id: string) => Promise<TakenDraft | undefined>;
};

export type TakenDraft = Draft & { readonly photos: ReadonlyMap<string, File> };

const NAME = 'property-catalogue-drafts';
/** Keys in the store: `[id]` for a draft, `[id, name]` for each of its photos, `RECORD` for the draft of a record. */
const STORE = 'drafts';
const RECORD = ['record'];

/** @param fail called when the browser refuses to keep a draft, such as on a full disk; with false, when it does again. */
export function createDrafts(fail: (isFailing: boolean) => void): Drafts {
  const opened = openDatabase();
  const held = new Map<string, () => void>();
  const released = new Set<string>();
  async function run<Result>(
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<Result>,
  ): Promise<Result> {
    const transaction = (await opened).transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    // Without this, a page that closes at once could take its last write along.
    transaction.commit();
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }
  const write = (act: (store: IDBObjectStore) => IDBRequest) =>
    void run('readwrite', act).then(
      () => fail(false),
      () => fail(true),
    );
  // Locks need a secure context: a page opened from another machine without TLS has none, and is offered all drafts.
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
  let record: RecordDraft | undefined;
  return {
    record: async () =>
      record ??
      ((await run('readonly', (store) => store.get(RECORD)).catch(() => undefined)) as RecordDraft) ??
      {},
    keepRecord(next) {
      record = next;
      write((store) => (Object.keys(next).length > 0 ? store.put(next, RECORD) : store.delete(RECORD)));
    },
    async all() {
      const rows = await run<unknown[]>('readonly', (store) => store.getAll()).catch(() => []);
      const { held: others = [] } = (await locks?.query()) ?? {};
      const isHeld = ({ id }: Draft) =>
        held.has(id) || (!released.has(id) && others.some(({ name }) => name === lockOf(id)));
      return (rows as (Draft | File)[])
        .filter((row): row is Draft => 'base' in row && !isHeld(row))
        .sort((one, other) => other.at - one.at);
    },
    hold,
    release(id) {
      held.get(id)?.();
      held.delete(id);
      released.add(id);
    },
    keep: (draft) => write((store) => store.put(draft, [draft.id])),
    drop: (id) => write((store) => store.delete(rangeOf(id))),
    keepPhoto: (id, name, photo) => write((store) => store.put(photo, [id, name])),
    async take(id) {
      if (!(await hold(id))) return undefined;
      const keys = (await run('readonly', (store) => store.getAllKeys(rangeOf(id)))) as [string, string?][];
      const [draft, ...photos] = await run('readonly', (store) => store.getAll(rangeOf(id)));
      const names = keys.slice(1).map(([, name]) => name!);
      return (
        draft && { ...(draft as Draft), photos: new Map(names.map((name, index) => [name, photos[index]])) }
      );
    },
  };
}

function lockOf(id: string): string {
  return `${NAME} ${id}`;
}

/** The keys of a draft and its photos. */
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
