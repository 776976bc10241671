import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PropertyRow, ReadOnlyReason } from '../../editor/api.ts';
import type { PhotoFile } from '../../source/photo-file.ts';
import type { KnownFile } from '../known-files.ts';
import type { Session } from '../session.ts';

/** Runs a function after all earlier functions with the same key. */
export type Queue = <Result>(key: string, act: () => Promise<Result>) => Promise<Result>;

/** `made`: everything that the row was made from; `since`: number of the response that first had it. */
export type KeptRow = {
  readonly file: KnownFile;
  readonly made: string;
  readonly row: PropertyRow;
  readonly since: number;
};

export type ListRows = {
  /** Id of this process. Marks of another process cannot be compared. */
  readonly name: string;
  answers: number;
  rows: ReadonlyMap<string, KeptRow>;
  /** Number of the first response without this path, by path. */
  readonly gone: Map<string, number>;
};

export type EditContext = {
  readonly session: Session;
  readonly queue: Queue;
  readonly list: ListRows;
  /** Files removed in this session, by the path of the property. The first one is the property's own file. */
  readonly removed: Map<string, readonly { readonly path: string; readonly bytes: Buffer }[]>;
  /** Paths of properties created in this session, by id: the index may not have them yet. */
  readonly created: Map<unknown, string>;
  readonly uploads: Set<string>;
  readonly remote: {
    problem: string | null;
    /** In milliseconds. */
    readonly patience: number;
  };
  /** Cache, so that each photo is hashed only once. */
  readonly photos: Map<string, PhotoFile>;
};

export function editorLink({ session }: EditContext, path: string, line?: number): string {
  const { pathname } = pathToFileURL(join(session.content, path));
  return `vscode://file${pathname}${line === undefined ? '' : `:${line}`}`;
}

export function obstacleAt(
  context: EditContext,
  path: string,
  reason: string,
  line: number | null,
): ReadOnlyReason {
  return { reason, line, link: editorLink(context, path, line ?? undefined) };
}
