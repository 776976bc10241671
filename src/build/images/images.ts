/** The stage that makes photos and thumbnails of what the records use. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../../contract/configuration.ts';
import { photoName, thumbnailName } from '../../media/name.ts';
import type { MediaProblem } from '../../media/problem.ts';
import type { MediaRequest, MediaResult } from '../../media/request.ts';
import { digestOf } from '../../release/digest.ts';
import { type Diagnostic, diagnose } from '../../source/diagnostic.ts';
import { lenient } from '../../source/draft.ts';
import { reopen } from '../../source/property-file.ts';
import { locate } from '../../source/schema-issues.ts';
import type { OpenDocument } from '../../source/yaml-document.ts';
import type { FileRecord } from '../read/files.ts';
import type { MediaStage } from './stage.ts';

/** What came of it. */
export type MadeMedia = {
  /** The records, with the diagnostics of their photos. */
  readonly records: FileRecord[];
  readonly made: number;
  readonly reused: number;
};

/** Makes every image that the records use and the cache does not hold. */
export async function makeRecordMedia(stage: MediaStage, records: readonly FileRecord[]): Promise<MadeMedia> {
  const requests = records.flatMap((record) => localRequests(stage, record));
  const result =
    requests.length === 0
      ? { outcomes: new Map(), made: 0, reused: 0, fetched: 0 }
      : await (await import('../../media/make.ts')).makeMedia(requests, mediaOptions(stage));
  const diagnostics = new Map<string, Diagnostic[]>();
  for (const diagnostic of mediaDiagnostics(stage, records, result)) {
    const same = diagnostics.get(diagnostic.file);
    if (same) same.push(diagnostic);
    else diagnostics.set(diagnostic.file, [diagnostic]);
  }
  const judged = records.map((record) => {
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
  if (record.media.length === 0) return NO_IMAGES;
  return record.media.flatMap((use) =>
    use.thumbnail
      ? [photoName(use.digest, photo), thumbnailName(use.digest, thumbnail)]
      : [photoName(use.digest, photo)],
  );
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
        found.push(locateProblem(problem, use.path, use.index));
      }
    }
    diagnostics.push(...(record.visibility?.draft ? lenient(found) : found));
  }
  return diagnostics;
}

type AuthoredSource = { readonly file?: string; readonly url?: string };

/**
 * Makes what puts the problems of a file's photos in their places; the file is read once, when there is one. In a file
 * that changed since it was read there is no place.
 */
function createLocator(content: string, { path, digest }: FileRecord) {
  let document: OpenDocument | undefined;
  let isOpen = false;
  return ({ code, args }: MediaProblem, name: string, index: number): Diagnostic => {
    if (!isOpen) document = openUnchanged(join(content, path), path, digest);
    isOpen = true;
    const photo = authoredPhotos(document)[index];
    if (!document || !photo) return diagnose(code, path, null, { path: name, ...args });
    const named = { path: photo.file ?? photo.url ?? name, ...args };
    const field = photo.file === undefined ? 'url' : 'file';
    return locate({ code, path: ['photo', index, field], args: named }, path, document);
  };
}

/** The photos as they are written; what is no mapping is an empty one. */
function authoredPhotos(document: OpenDocument | undefined): readonly AuthoredSource[] {
  const { photo } = Object(document?.value) as { photo?: unknown };
  return Array.isArray(photo) ? photo.map((source) => Object(source) as AuthoredSource) : [];
}

/** A file as it was read. One without a digest was read a moment ago. */
function openUnchanged(file: string, path: string, digest: string): OpenDocument | undefined {
  try {
    const bytes = readFileSync(file);
    return digest === '' || digestOf(bytes) === digest ? reopen(bytes, path) : undefined;
  } catch {
    return undefined;
  }
}
