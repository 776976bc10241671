import { NDJSON_KEY, partKey } from '../contract/document-keys.ts';
import { ProblemError, ReleaseChangedError } from './errors.ts';
import type { FileOptions, RequestOptions } from './options.ts';
import { pause, RECHECK_DELAY, type RetryPolicy } from './retry.ts';
import type { CatalogueIndex, PropertyRecord, Root } from './types.ts';

export type DownloadOptions = RequestOptions & {
  /**
   * Name of a release, such as `release` of the index. Records then come from this release or a later one, never from
   * older copies in caches. If you call `followChanges` afterwards, pass the same name as `since`. @default any release
   */
  readonly release?: string | undefined;
  /**
   * Called if the release is removed during the download. Discard the records read so far: all are read again. After
   * `retries` restarts, a `ReleaseChangedError` is thrown.
   * @default a `ReleaseChangedError` is thrown at once
   */
  readonly onRestart?: () => void;
};

export type DownloadSource = {
  readonly index: (options: FileOptions) => Promise<CatalogueIndex>;
  readonly root: (file: string, options: FileOptions) => Promise<Root>;
  /** Iterating throws an `AnswerError` at a line whose `member` is missing or not a string. */
  readonly lines: <Line>(
    file: string,
    member: keyof Line & string,
    options: FileOptions,
  ) => Promise<Iterable<Line>>;
};

/** Yields the records of one release; after a restart, all records of the next one. Holds one file in memory. */
export async function* downloadRecords<Line extends PropertyRecord = PropertyRecord>(
  { index, root, lines }: DownloadSource,
  { retries = 2, maxRetryDelay = RECHECK_DELAY }: RetryPolicy,
  { release, signal, onRestart }: DownloadOptions,
): AsyncGenerator<Line, void, undefined> {
  let oldestAllowed = release;
  for (let restarts = 0; ; restarts++) {
    const { release: present, downloads } = await index({ release: oldestAllowed, signal });
    const inParts = downloads?.find(({ name }) => name === NDJSON_KEY)?.root;
    const options = { release: present, signal };
    try {
      const parts = inParts ? (await root(inParts, options)).details : [];
      for (const file of inParts ? parts.map(([digest]) => partKey(digest!)) : [NDJSON_KEY])
        yield* await lines<Line>(file, 'id' as keyof Line & string, options);
      return;
    } catch (error) {
      // A missing root or part means that its release was removed. A missing `properties.ndjson` means that the
      // catalogue offers no downloads.
      const isGone = error instanceof ProblemError && error.status === 404 && inParts;
      if (!isGone) throw error;
      if (!onRestart || restarts >= retries) throw new ReleaseChangedError(error.url, error.status);
      onRestart();
      oldestAllowed = present;
      await pause(Math.min(RECHECK_DELAY, maxRetryDelay), signal);
    }
  }
}
