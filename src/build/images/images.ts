/** The stage that makes photos and thumbnails of what the records use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Configuration } from '../../contract/configuration.ts';
import { mediaKey } from '../../contract/keys.ts';
import { photoName, thumbnailName } from '../../media/name.ts';
import type { MediaProblem } from '../../media/problem.ts';
import type { MediaRequest, MediaResult } from '../../media/request.ts';
import { digestOf } from '../../release/digest.ts';
import { type Diagnostic, diagnose } from '../../source/diagnostic.ts';
import { lenient } from '../../source/draft.ts';
import { reopen } from '../../source/property-file.ts';
import { locate } from '../../source/schema-issues.ts';
import type { ExactDocument } from '../../source/yaml-document.ts';
import type { FileRecord } from '../read/files.ts';
import type { MediaStage } from './stage.ts';

/** What came of it. */
export type MadeMedia = {
  /** The records, with what is wrong with their photos, and the thumbnails of photos elsewhere filled in. */
  readonly records: FileRecord[];
  readonly made: number;
  readonly reused: number;
};

/** Makes every image that the records use and the cache does not hold. */
export async function makeRecordMedia(stage: MediaStage, records: readonly FileRecord[]): Promise<MadeMedia> {
  const fetched = await fetchThumbnails(stage, records);
  const requests = [
    ...fetched.records.flatMap((record) => localRequests(stage, record)),
    ...fetched.requests,
  ];
  const result =
    requests.length === 0
      ? { outcomes: new Map(), made: 0, reused: 0, fetched: 0 }
      : await (await import('../../media/make.ts')).makeMedia(requests, mediaOptions(stage));
  const diagnostics = new Map<string, Diagnostic[]>();
  for (const diagnostic of [...fetched.diagnostics, ...mediaDiagnostics(stage, fetched.records, result)]) {
    const same = diagnostics.get(diagnostic.file);
    if (same) same.push(diagnostic);
    else diagnostics.set(diagnostic.file, [diagnostic]);
  }
  const judged = fetched.records.map((record) => {
    const found = diagnostics.get(record.path);
    return found ? { ...record, diagnostics: [...record.diagnostics, ...found] } : record;
  });
  return { records: judged, made: result.made, reused: result.reused + result.fetched };
}

/** Finds what {@link makeRecordMedia} would find wrong with local photos; nothing is written, nor fetched. */
export async function inspectRecordMedia(
  stage: MediaStage,
  records: readonly FileRecord[],
): Promise<Diagnostic[]> {
  const requests = records.flatMap((record) => localRequests(stage, record));
  if (requests.length === 0) return [];
  const { inspectMedia } = await import('../../media/inspect.ts');
  return mediaDiagnostics(stage, records, await inspectMedia(requests, mediaOptions(stage)));
}

/** The options of the images of a stage. */
export function mediaOptions({ configuration, cacheFolder, shared, published, listener }: MediaStage) {
  return {
    cacheFolder,
    shared,
    published,
    photo: configuration.photo,
    thumbnail: configuration.thumbnail,
    onProgress: (done: number, total: number) => listener({ kind: 'progress', stage: 'media', done, total }),
  };
}

/** What is wanted of the photo files of a record. */
export function localRequests({ content }: MediaStage, record: FileRecord): MediaRequest[] {
  return record.media.map(({ path, digest, thumbnail }) => ({
    file: join(content, path),
    digest,
    photo: true,
    thumbnail,
  }));
}

const NO_IMAGES: readonly string[] = [];

/** The images of one record. */
export function imagesOf(record: FileRecord, { photo, thumbnail }: Configuration): readonly string[] {
  if (record.media.length === 0 && record.fetched === undefined) return NO_IMAGES;
  const names = record.media.flatMap((use) =>
    use.thumbnail
      ? [photoName(use.digest, photo), thumbnailName(use.digest, thumbnail)]
      : [photoName(use.digest, photo)],
  );
  return record.fetched ? [...names, thumbnailName(record.fetched, thumbnail)] : names;
}

type Fetched = {
  records: FileRecord[];
  requests: MediaRequest[];
  diagnostics: Diagnostic[];
};

/** Photos elsewhere that are downloaded at once. */
export const FETCHES_IN_FLIGHT = 8;

/** Downloads the photos elsewhere that need thumbnails. */
async function fetchThumbnails(stage: MediaStage, records: readonly FileRecord[]): Promise<Fetched> {
  const { configuration } = stage;
  const result: Fetched = { records: [...records], requests: [], diagnostics: [] };
  const wanted = [...new Set(records.flatMap(({ remote }) => remote ?? []))];
  if (wanted.length === 0) return result;
  const { resolveRemote } = await import('./remote.ts');
  const outcomes = new Map<string, Awaited<ReturnType<typeof resolveRemote>>>();
  await pLimit(FETCHES_IN_FLIGHT).map(wanted, async (url) => {
    outcomes.set(url, await resolveRemote(stage, url));
  });
  const base = configuration.media_base_url ?? configuration.base_url;
  result.records = records.map((record) => {
    const outcome = record.remote === undefined ? undefined : outcomes.get(record.remote);
    if (!outcome || !record.entry) return record;
    if ('code' in outcome) {
      result.diagnostics.push(remoteDiagnostic(stage, record, outcome));
      return record;
    }
    result.requests.push({ file: outcome.file, digest: outcome.digest, photo: false, thumbnail: true });
    const thumbnail = `${base}/${mediaKey(thumbnailName(outcome.digest, configuration.thumbnail))}`;
    const summary = JSON.stringify({ ...JSON.parse(record.entry.summary), thumbnail });
    return {
      ...record,
      fetched: outcome.digest,
      entry: { ...record.entry, summary, summaryDigest: digestOf(summary) },
    };
  });
  return result;
}

/** What is wrong with the photos of records, in its place. */
export function mediaDiagnostics(
  { content }: MediaStage,
  records: readonly FileRecord[],
  { outcomes }: Pick<MediaResult, 'outcomes'>,
): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const record of records) {
    const locateProblem = createLocator(content, record);
    const found: Diagnostic[] = [];
    for (const use of record.media) {
      for (const problem of outcomes.get(use.digest)?.problems ?? []) {
        found.push(locateProblem(problem, use.path, (_photo, index) => index === use.index));
      }
    }
    for (const problem of outcomes.get(record.fetched ?? '')?.problems ?? []) {
      found.push(locateProblem(problem, record.remote ?? '', (photo) => photo.url === record.remote));
    }
    diagnostics.push(...(record.visibility?.draft ? lenient(found) : found));
  }
  return diagnostics;
}

/** What is wrong with the photo elsewhere of a record, in its place. */
export function remoteDiagnostic(
  { content }: MediaStage,
  record: FileRecord,
  problem: MediaProblem,
): Diagnostic {
  const { remote = '' } = record;
  return createLocator(content, record)(problem, remote, (photo) => photo.url === remote);
}

type AuthoredSource = { readonly file?: string; readonly url?: string };

/**
 * Makes what puts the problems of a file's photos in their places; the file is read once, when there is one. In a file
 * that changed since it was read there is no place.
 */
function createLocator(content: string, { path, digest }: FileRecord) {
  let document: ExactDocument | undefined;
  let isOpen = false;
  return (
    { code, args }: MediaProblem,
    name: string,
    isMeant: (photo: AuthoredSource, index: number) => boolean,
  ): Diagnostic => {
    if (!isOpen) document = openUnchanged(join(content, path), path, digest);
    isOpen = true;
    const photos = authoredPhotos(document);
    const index = photos.findIndex(isMeant);
    const photo = photos[index];
    if (!document || !photo) return diagnose(code, path, null, { path: name, ...args });
    const named = { path: photo.file ?? photo.url ?? name, ...args };
    const field = photo.file === undefined ? 'url' : 'file';
    return locate({ code, path: ['photo', index, field], args: named }, path, document);
  };
}

/** The photos as they are written; what is no mapping is an empty one. */
function authoredPhotos(document: ExactDocument | undefined): readonly AuthoredSource[] {
  const { photo } = Object(document?.value) as { photo?: unknown };
  return Array.isArray(photo) ? photo.map((source) => Object(source) as AuthoredSource) : [];
}

/** A file as it was read. One without a digest was read a moment ago. */
function openUnchanged(file: string, path: string, digest: string): ExactDocument | undefined {
  try {
    const bytes = readFileSync(file);
    return digest === '' || digestOf(bytes) === digest ? reopen(bytes, path) : undefined;
  } catch {
    return undefined;
  }
}
