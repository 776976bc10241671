import type { PropertyRow } from '../../editor/api.ts';
import type { PostRequestName, RequestBody, ResponseByRequestName } from '../../editor/request-schemas.ts';
import type { PhotoFile } from '../../source/photo-file.ts';
import type { PublishedCommitLookup } from '../git/published-commit.ts';
import type { IndexedFile } from '../session/file-index.ts';
import type { Session } from '../session/session.ts';

export type RequestQueue = {
  /** Runs a function after all earlier functions of the same lane. */
  readonly run: <Result>(lane: string, act: () => Promise<Result>) => Promise<Result>;
  /** Resolves once no function is running or waiting. */
  readonly settled: () => Promise<void>;
};

export type CachedRow = {
  readonly file: IndexedFile;
  /**
   * Contains the kind of uncommitted change, the publication state, and the numbers of errors and findings. If the key
   * changes, the row is stale.
   */
  readonly stateKey: string;
  readonly row: PropertyRow;
  /** Number of the first response with this version of the row, as counted by `responses` of {@link RowCache}. */
  readonly since: number;
};

export type RowCache = {
  /** Random. The `mark` of each response contains it, to reject marks of an earlier process. */
  readonly processId: string;
  /** Counts the responses that had something new. The count so far is the number of the latest such response. */
  readonly responses: number;
  readonly rows: ReadonlyMap<string, CachedRow>;
  /** Maps the path of a removed file to the number (see `responses`) of the first response without that file. */
  readonly gone: ReadonlyMap<string, number>;
};

export type RestorableFile = {
  readonly path: string;
  readonly bytes: Buffer;
  /**
   * Undefined if the file was removed. `fields`: names of the reverted fields; null for the whole file.
   * `version`: digest of the file after the revert.
   */
  readonly reverted?: { readonly fields: readonly string[] | null; readonly version: string };
};

export type EditContext = {
  readonly session: Session;
  readonly queue: RequestQueue;
  rows: RowCache;
  /** What Undo restores, by path of the removed or reverted file: the file itself, then its photos. */
  readonly undoable: Map<string, readonly RestorableFile[]>;
  /** Paths of properties created in this session, by id: the index may not have them yet. */
  readonly created: Map<unknown, string>;
  readonly uploads: Set<string>;
  readonly remote: {
    problem: string | null;
    /** In milliseconds, for each Git command that uses the network. */
    readonly timeout: number;
    lookup: PublishedCommitLookup;
  };
  /** Cache, so that each photo is hashed only once. */
  readonly photos: Map<string, PhotoFile>;
};

export type RequestHandler<Name extends PostRequestName> = (
  context: EditContext,
  body: RequestBody<Name>,
) => Promise<ResponseByRequestName[Name]>;
