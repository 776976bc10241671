import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PropertyRow, ReadOnlyReason } from '../editor/api.ts';
import type { PhotoFile } from '../source/photo-file.ts';
import type { IndexedFile } from './file-index.ts';
import type { Session } from './session.ts';

/** Runs a function after all earlier functions with the same key. */
export type KeyedQueue = <Result>(key: string, act: () => Promise<Result>) => Promise<Result>;

/**
 * `stateKey`: the property's uncommitted change, state, and numbers of errors and findings. If it differs, the row is
 * stale. `since`: number of the first response that had the row.
 */
export type CachedRow = {
  readonly file: IndexedFile;
  readonly stateKey: string;
  readonly row: PropertyRow;
  readonly since: number;
};

export type RowCache = {
  /** Random id of this process. The `mark` of each response contains it, to reject marks of an earlier process. */
  readonly name: string;
  answers: number;
  rows: ReadonlyMap<string, CachedRow>;
  /** Maps the path of a removed file to the number of the first response without it. */
  readonly gone: Map<string, number>;
};

export type RestorableFile = {
  readonly path: string;
  readonly bytes: Buffer;
  /** Reverted fields (null: the whole file) and the file's digest afterwards. Undefined if the file was removed. */
  readonly reverted?: { readonly fields: readonly string[] | null; readonly version: string };
};

export type EditContext = {
  readonly session: Session;
  readonly queue: KeyedQueue;
  readonly list: RowCache;
  /** By path of a removed or reverted file, what Undo restores: first the file itself, then its photos. */
  readonly removed: Map<string, readonly RestorableFile[]>;
  /** Paths of properties created in this session, by id: the index may not have them yet. */
  readonly created: Map<unknown, string>;
  readonly uploads: Set<string>;
  readonly remote: {
    problem: string | null;
    /** Timeout of Git on the network, in milliseconds. */
    readonly patience: number;
  };
  /** Cache, so that each photo is hashed only once. */
  readonly photos: Map<string, PhotoFile>;
};

export function vscodeLink({ session }: EditContext, path: string, line?: number): string {
  const { pathname } = pathToFileURL(join(session.content, path));
  return `vscode://file${pathname}${line === undefined ? '' : `:${line}`}`;
}

export function reasonWithLink(
  context: EditContext,
  path: string,
  reason: string,
  line: number | null,
): ReadOnlyReason {
  return { reason, line, link: vscodeLink(context, path, line ?? undefined) };
}
