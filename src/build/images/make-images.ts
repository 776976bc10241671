/** `media`: makes the photos and thumbnails of a catalogue, or a share of them, without building it. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import pLimit from 'p-limit';
import { type ShareOptions, shareMedia } from '../../media/fill-shared-cache.ts';
import { makeMedia } from '../../media/make.ts';
import { isPhotoError } from '../../media/problem.ts';
import { dropRemotePhoto, fetchRemotePhoto, recallRemotePhoto } from '../../media/remote.ts';
import type { MediaRequest, MediaResult } from '../../media/request.ts';
import { belongsTo, type NamedShard } from '../../media/shard.ts';
import type { SharedCache } from '../../media/shared-cache.ts';
import { compareDiagnostics, type Diagnostic } from '../../source/diagnostic.ts';
import { readConfiguration } from '../inputs/configuration.ts';
import { scan } from '../inputs/scan.ts';
import { outputFolder, refuseOverlap } from '../output-folder.ts';
import { createStopwatch, type Listener, type Stage } from '../progress.ts';
import type { FileRecord } from '../read/files.ts';
import { readFolder } from '../read/folder.ts';
import {
  FETCHES_IN_FLIGHT,
  localRequests,
  mediaDiagnostics,
  mediaOptions,
  remoteDiagnostic,
} from './images.ts';
import { findShared, resolveRemote } from './remote.ts';
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

/** Photos elsewhere that are on the disk at once, when they are made for other machines. */
const REMOTE_BATCH = 64;

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
  { shard, checkCache }: MakeImagesOptions,
): Promise<Pick<MakeImagesResult, 'diagnostics' | 'counts'>> {
  const local = await makeLocal(stage, records, shared, checkCache ? 'read' : 'list');
  const remote = await makeRemote(stage, records, shared, shard);
  const results = [local.result, ...remote.results];
  const sum = (count: (result: MediaResult) => number) =>
    results.reduce((total, result) => total + count(result), 0);
  const [made, copied] = [sum((result) => result.made), shared ? sum((result) => result.fetched) : 0];
  const present = remote.present + sum(({ reused, fetched }) => reused + (shared ? 0 : fetched));
  return {
    diagnostics: [...local.diagnostics, ...remote.diagnostics],
    counts: {
      photos: remote.present + sum(({ outcomes }) => outcomes.size),
      images: made + copied + present,
      made,
      present,
      copied,
      mended: sum((result) => result.mended),
    },
  };
}

/** Whether a path or a link is of a share. */
function isOwn(shard: NamedShard | undefined, text: string): boolean {
  return !shard || belongsTo(shard, createHash('sha256').update(text).digest('hex'));
}

/** Makes the images of some photos where they are wanted. */
function make(
  stage: MediaStage,
  requests: readonly MediaRequest[],
  shared: SharedCache | undefined,
  look: ShareOptions['look'],
): Promise<MediaResult> {
  const options = { ...mediaOptions(stage), shared: undefined };
  return shared ? shareMedia(requests, { ...options, shared, look }) : makeMedia(requests, options);
}

async function makeLocal(
  stage: MediaStage,
  records: readonly FileRecord[],
  shared: SharedCache | undefined,
  look: ShareOptions['look'],
): Promise<{ readonly result: MediaResult; readonly diagnostics: readonly Diagnostic[] }> {
  const requests = records.flatMap((record) => localRequests(stage, record));
  const result = await make(stage, requests, shared, look);
  return { result, diagnostics: mediaDiagnostics(stage, records, result) };
}

/** The same for photos that are links; each is wanted for its thumbnail alone. */
async function makeRemote(
  stage: MediaStage,
  records: readonly FileRecord[],
  shared: SharedCache | undefined,
  shard: NamedShard | undefined,
) {
  const results: MediaResult[] = [];
  const diagnostics: Diagnostic[] = [];
  let present = 0;
  const users = new Map<string, FileRecord[]>();
  for (const record of records) {
    const { remote } = record;
    if (remote === undefined || !isOwn(shard, remote)) continue;
    const same = users.get(remote);
    if (same) same.push(record);
    else users.set(remote, [record]);
  }
  const links = [...users.keys()];
  for (let from = 0; from < links.length; from += REMOTE_BATCH) {
    const digests = new Map<string, string>();
    const passing = new Set<string>();
    const requests: MediaRequest[] = [];
    await pLimit(FETCHES_IN_FLIGHT).map(links.slice(from, from + REMOTE_BATCH), async (url) => {
      if (shared && (await findShared(stage, shared, url))) {
        present++;
        return;
      }
      const isKnown = recallRemotePhoto(url, stage.cacheFolder) !== undefined;
      const photo = shared
        ? await fetchRemotePhoto(url, { cacheFolder: stage.cacheFolder })
        : await resolveRemote(stage, url);
      if ('code' in photo) {
        diagnostics.push(...users.get(url)!.map((record) => remoteDiagnostic(stage, record, photo)));
        return;
      }
      digests.set(url, photo.digest);
      if (shared && !isKnown) passing.add(photo.digest);
      requests.push({ ...photo, photo: false, thumbnail: true });
    });
    const result = await make(stage, requests, shared, 'read');
    results.push(result);
    for (const [url, digest] of digests) {
      const problems = result.outcomes.get(digest)?.problems ?? [];
      for (const problem of problems) {
        diagnostics.push(...users.get(url)!.map((record) => remoteDiagnostic(stage, record, problem)));
      }
      // The link comes last: who finds it finds the thumbnail, too.
      if (shared && !problems.some(isPhotoError)) await shared.keepRemote(url, digest);
    }
    for (const digest of passing) dropRemotePhoto(digest, stage.cacheFolder);
  }
  return { results, diagnostics, present };
}
