/** `media`: makes the photos and thumbnails of a catalogue, or a share of them, without building it. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { shareMedia } from '../../media/fill-shared-cache.ts';
import { makeMedia } from '../../media/make.ts';
import { belongsTo, type NamedShard } from '../../media/shard.ts';
import type { SharedCache } from '../../media/shared-cache.ts';
import { compareDiagnostics, type Diagnostic } from '../../source/diagnostic.ts';
import { readConfiguration } from '../inputs/configuration.ts';
import { scan } from '../inputs/scan.ts';
import { outputFolder, refuseOverlap } from '../output-folder.ts';
import { createStopwatch, type Listener, type Stage } from '../progress.ts';
import type { FileRecord } from '../read/files.ts';
import { readFolder } from '../read/folder.ts';
import { localRequests, mediaDiagnostics, mediaOptions } from './images.ts';
import { type CacheLocation, findCache } from './shared-cache.ts';
import type { MediaStage } from './stage.ts';

/** Which images to make, and where to keep them. */
export type MakeImagesOptions = CacheLocation & {
  /** The content folder. @default 'content' */
  readonly content?: string;
  /** The output folder, whose cache holds the images when no other is named. @default 'dist' */
  readonly out?: string;
  /** The share of the photos. @default all */
  readonly shard?: NamedShard | undefined;
  /** Reads what the shared cache holds of the share, and makes again what is damaged. @default false */
  readonly checkCache?: boolean;
  /** Threads that read files. @default what the work is worth, the cores of the machine at most */
  readonly jobs?: number;
  /** Hears of the progress. */
  readonly listener?: Listener;
};

/** What came of it. */
export type MakeImagesResult = {
  /** What is wrong with photos of the share, and with files of the share whose photos cannot be known. */
  readonly diagnostics: readonly Diagnostic[];
  readonly shard: NamedShard | undefined;
  /** The shared cache, as it was named. */
  readonly cache: string | undefined;
  /** Numbers of this share. */
  readonly counts: {
    /** Different photos. */
    readonly photos: number;
    readonly images: number;
    readonly made: number;
    /** Images that were there. */
    readonly present: number;
    /** Images that were copied from the output folder's cache to the shared one. */
    readonly copied: number;
    /** Damaged objects of the shared cache that were replaced. */
    readonly mended: number;
  };
  /** Seconds of each stage. */
  readonly seconds: Partial<Record<Stage, number>>;
};

/**
 * Makes the images of a catalogue that are not there yet. Without a shared cache they are kept in the output folder's,
 * where the next build finds them; with one, they are kept there, for any machine. It may be run again at any time, and
 * on many machines at once: nothing is written twice.
 *
 * @throws UsageError for options or a configuration that cannot be; EnvironmentError, or an error of the file system,
 *   when the machine or the store is at fault. What was made by then is kept.
 *
 * @example
 * const { counts } = await makeImages({ shard: { index: 2, count: 16, source: 'test' }, cache: 's3://stays/cache' });
 */
export async function makeImages(options: MakeImagesOptions = {}): Promise<MakeImagesResult> {
  const listener = options.listener ?? (() => {});
  const stopwatch = createStopwatch(listener);
  const content = resolve(options.content ?? 'content');
  const { shard } = options;
  refuseOverlap(content, resolve(options.out ?? 'dist'));
  stopwatch.start('scan');
  const { configuration, diagnostics: faults } = readConfiguration(content);
  if (!configuration) {
    const none = { photos: 0, images: 0, made: 0, present: 0, copied: 0, mended: 0 };
    const { cache } = options;
    return { diagnostics: faults, shard, cache, counts: none, seconds: stopwatch.stop() };
  }
  const found = scan(content, configuration);
  const cache = findCache(options, configuration);
  stopwatch.start('read');
  const { files } = found;
  const { jobs } = options;
  const records = await readFolder({ content, configuration, files, shard, jobs, listener });
  // A command that makes images reports those that cannot be made; the rest is for `check`.
  const diagnostics = [...found.diagnostics, ...records.flatMap((record) => record.diagnostics)].filter(
    ({ severity, file }) => severity === 'error' && isOwn(shard, file),
  );
  // What will be shown later needs its images then; a draft changes before it is shown.
  const sound = records.filter(({ placed, visibility }) => placed && !visibility?.draft);

  stopwatch.start('media');
  const cacheFolder = outputFolder(options.out ?? 'dist').mediaCache;
  const stage: MediaStage = { content, configuration, cacheFolder, shared: cache?.open, listener };
  try {
    const made = await makeAll(stage, sound, await cache?.open(), options);
    return {
      diagnostics: [...diagnostics, ...made.diagnostics].sort(compareDiagnostics),
      shard,
      cache: cache?.name,
      counts: made.counts,
      seconds: stopwatch.stop(),
    };
  } finally {
    cache?.close();
  }
}

/** Makes the images of records, and counts them. */
async function makeAll(
  stage: MediaStage,
  records: readonly FileRecord[],
  shared: SharedCache | undefined,
  { checkCache }: MakeImagesOptions,
): Promise<Pick<MakeImagesResult, 'diagnostics' | 'counts'>> {
  const requests = records.flatMap((record) => localRequests(stage, record));
  const options = { ...mediaOptions(stage), shared: undefined };
  const result = shared
    ? await shareMedia(requests, { ...options, shared, look: checkCache ? 'read' : 'list' })
    : await makeMedia(requests, options);
  const { made, reused, fetched, mended } = result;
  const [copied, present] = shared ? [fetched, reused] : [0, reused + fetched];
  return {
    diagnostics: mediaDiagnostics(stage, records, result),
    counts: {
      photos: result.outcomes.size,
      images: made + copied + present,
      made,
      present,
      copied,
      mended,
    },
  };
}

/** Whether a path is of a share. */
function isOwn(shard: NamedShard | undefined, path: string): boolean {
  return !shard || belongsTo(shard, createHash('sha256').update(path).digest('hex'));
}
