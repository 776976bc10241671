/** Every property of a catalogue, one after the other, out of the files that hold them all. */
import { NDJSON_KEY } from '../contract/document-keys.ts';
import { ProblemError, ReleaseChangedError } from './errors.ts';
import type { FileOptions, RequestOptions } from './options.ts';
import { pause, type RetryPolicy, SECOND_LOOK } from './retry.ts';
import type { CatalogueIndex, PropertyRecord } from './types.ts';

/** How to go through the download. */
export type DownloadOptions = RequestOptions & {
  /**
   * Name of the release that the index names: what comes is of that one or of a later one, and no older copy of a cache
   * between. Needed to follow the changes from there. @default whatever is there
   */
  readonly release?: string | undefined;
  /**
   * Called when parts of the release have gone, since another one is live: the download begins again, so drop what
   * came so far. Without it, the loop throws a `ReleaseChangedError` then.
   */
  readonly onRestart?: () => void;
};

/** What the download asks for. */
export type DownloadSource = {
  readonly index: (options: FileOptions) => Promise<CatalogueIndex>;
  /** The lines of a file, which have all this member. */
  readonly lines: <Line>(
    file: string,
    member: keyof Line & string,
    options: FileOptions,
  ) => Promise<Iterable<Line>>;
};

/**
 * Goes through the download, with one of its files in memory: they are of bounded size, whatever the catalogue has. A
 * part never changes, so every record that comes after the last restart is of one release.
 */
export async function* download(
  { index, lines }: DownloadSource,
  { retries = 2, maxRetryDelay = SECOND_LOOK }: RetryPolicy,
  { release, signal, onRestart }: DownloadOptions,
): AsyncGenerator<PropertyRecord, void, undefined> {
  let least = release;
  for (let restarts = 0; ; restarts++) {
    const { release: present, downloads } = await index({ release: least, signal });
    // An older catalogue lists none.
    const parts = downloads?.find(({ name }) => name === NDJSON_KEY)?.parts ?? [{ href: NDJSON_KEY }];
    try {
      for (const { href } of parts)
        yield* await lines<PropertyRecord>(href, 'id', { release: present, signal });
      return;
    } catch (error) {
      // What has parts has two at least; a file that is not there is not offered.
      const isGone = error instanceof ProblemError && error.status === 404 && parts[1];
      if (!isGone) throw error;
      if (!onRestart || restarts >= retries) throw new ReleaseChangedError(error.url, error.status);
      onRestart();
      least = present;
      await pause(Math.min(SECOND_LOOK, maxRetryDelay), signal);
    }
  }
}
