import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { fillSharedCache } from '../../media/fill-shared-cache.ts';
import { makeMedia } from '../../media/make.ts';
import { isInPhotoShard, type PhotoShardSetting } from '../../media/shard.ts';
import type { SharedCache } from '../../media/shared-cache.ts';
import { readConfiguration } from '../../source/configuration-file.ts';
import { compareDiagnostics, type Diagnostic } from '../../source/diagnostic.ts';
import { scanContent } from '../../source/scan-content.ts';
import { outputFolder, refuseOverlap } from '../output-folder.ts';
import { createStopwatch, type Listener, type Stage } from '../progress.ts';
import type { FileRecord } from '../read/file-record.ts';
import { readFolder } from '../read/folder.ts';
import { diagnosticsIn, recordHasErrors } from '../read/record-row.ts';
import { findSharedCache, type SharedCacheLocation } from './find-shared-cache.ts';
import { localPhotoRequests, type MediaContext, mediaDiagnostics, mediaOptions } from './record-images.ts';

export type MakeImagesOptions = SharedCacheLocation & {
  readonly content?: string;
  /** Output folder. Without a shared cache, its own image cache stores the images. @default 'dist' */
  readonly out?: string;
  /** Share of the photos to process. @default all */
  readonly shard?: PhotoShardSetting | undefined;
  /** Also reads the images that the shared cache has already, and replaces damaged ones. @default false */
  readonly checkCache?: boolean;
  /** Number of threads that read files. @default as many as the work justifies, at most one per core */
  readonly jobs?: number;
  readonly listener?: Listener;
};

export type MakeImagesResult = {
  /**
   * Problems of the shard's photos. Also errors in YAML files, since the photos of a file with errors may be unknown;
   * each shard reports its share of these files. If the configuration has errors, only the errors and warnings of the
   * configuration.
   */
  readonly diagnostics: readonly Diagnostic[];
  readonly shard: PhotoShardSetting | undefined;
  /** Shared cache as the user named it; undefined if there is none. */
  readonly cache: string | undefined;
  readonly counts: {
    readonly photos: number;
    readonly images: number;
    readonly made: number;
    readonly present: number;
    readonly copied: number;
    readonly repaired: number;
  };
  readonly seconds: Partial<Record<Stage, number>>;
};

/**
 * Makes the missing images of a catalogue. Stores them in the shared cache or, if there is none, in the output folder's
 * cache for the next build. Several machines may run this at once. It can be repeated: existing images are not written
 * again.
 * @throws UsageError for invalid options or a missing content folder; EnvironmentError or a file system error for
 * problems of the machine or store. Images made until then are kept
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
    const none = { photos: 0, images: 0, made: 0, present: 0, copied: 0, repaired: 0 };
    const { cache } = options;
    return { diagnostics: faults, shard, cache, counts: none, seconds: stopwatch.stop() };
  }
  const found = scanContent(content, configuration);
  const cache = findSharedCache(options, configuration);
  stopwatch.start('read');
  const { files } = found;
  const { jobs } = options;
  const records = await readFolder({ content, configuration, files, shard, jobs, listener });
  // Errors are reported, because the photos of a file with errors may be unknown. `check` reports warnings too.
  const diagnostics = [
    ...found.diagnostics,
    ...[...diagnosticsIn(records.filter(recordHasErrors))].flat(),
  ].filter(({ severity, file }) => severity === 'error' && isOwn(shard, file));
  // Properties that are shown later need images too. Drafts do not, since they change before they are shown.
  const wanted = records.filter(({ crossFileValues, visibility }) => crossFileValues && !visibility?.draft);

  stopwatch.start('media');
  const cacheFolder = outputFolder(options.out ?? 'dist').mediaCache;
  const context: MediaContext = { content, configuration, cacheFolder, shared: cache?.open, listener };
  try {
    const made = await makeAll(context, wanted, await cache?.open(), options);
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

async function makeAll(
  context: MediaContext,
  records: readonly FileRecord[],
  shared: SharedCache | undefined,
  { checkCache }: MakeImagesOptions,
): Promise<Pick<MakeImagesResult, 'diagnostics' | 'counts'>> {
  const requests = records.flatMap((record) => localPhotoRequests(context, record));
  const options = { ...mediaOptions(context), shared: undefined };
  const result = shared
    ? await fillSharedCache(requests, { ...options, shared, look: checkCache ? 'read' : 'list' })
    : await makeMedia(requests, options);
  const { made, reused, fetched, repaired } = result;
  const [copied, present] = shared ? [fetched, reused] : [0, reused + fetched];
  return {
    diagnostics: mediaDiagnostics(context, records, result),
    counts: {
      photos: result.outcomes.size,
      images: made + copied + present,
      made,
      present,
      copied,
      repaired,
    },
  };
}

function isOwn(shard: PhotoShardSetting | undefined, path: string): boolean {
  return !shard || isInPhotoShard(shard, createHash('sha256').update(path).digest('hex'));
}
