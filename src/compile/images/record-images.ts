import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../../contract/configuration.ts';
import { MEDIA_FOLDER } from '../../contract/object-keys.ts';
import { openMediaCache } from '../../media/cache.ts';
import { photoName, thumbnailName } from '../../media/image-name.ts';
import type { MediaRequest, MediaResult } from '../../media/media-request.ts';
import type { MediaProblem } from '../../media/photo-problem.ts';
import type { SharedCache } from '../../media/shared-cache.ts';
import { digestOf } from '../../release/digest.ts';
import { createDiagnostic, type Diagnostic } from '../../source/diagnostic.ts';
import { downgradeErrors } from '../../source/draft-severity.ts';
import { parsePropertyFile } from '../../source/property-file.ts';
import { locateIssue } from '../../source/schema-issues.ts';
import type { DocumentWithSpans } from '../../source/yaml-document.ts';
import type { OutputFolder } from '../output-folder.ts';
import type { Listener } from '../progress.ts';
import { type FileRecord, recordWith } from '../read/file-record.ts';

export type MediaContext = {
  readonly content: string;
  readonly configuration: Configuration;
  readonly cacheFolder: string;
  readonly shared?: (() => Promise<SharedCache>) | undefined;
  /** Names of images that are in the output already. @default none */
  readonly existing?: ReadonlySet<string>;
  readonly listener: Listener;
};

export type MakeRecordImagesResult = {
  /** Copies of the records whose photos have problems, with diagnostics added; no other records. */
  readonly records: FileRecord[];
  readonly made: number;
  readonly reused: number;
};

export async function makeRecordImages(
  context: MediaContext,
  records: readonly FileRecord[],
): Promise<MakeRecordImagesResult> {
  const requests = records.flatMap((record) => localPhotoRequests(context, record));
  const result =
    requests.length === 0
      ? { outcomes: new Map(), made: 0, reused: 0, fetched: 0 }
      : await (await import('../../media/make.ts')).makeMedia(requests, mediaOptions(context));
  const diagnostics = new Map<string, Diagnostic[]>();
  for (const diagnostic of mediaDiagnostics(context, records, result)) {
    const same = diagnostics.get(diagnostic.file);
    if (same) same.push(diagnostic);
    else diagnostics.set(diagnostic.file, [diagnostic]);
  }
  const judged = records.flatMap((record) => {
    const found = diagnostics.size > 0 && diagnostics.get(record.path);
    return found ? [recordWith(record, { diagnostics: [...record.diagnostics, ...found] })] : [];
  });
  return { records: judged, made: result.made, reused: result.reused + result.fetched };
}

/** Reports the problems that {@link makeRecordImages} would report, but writes and downloads nothing. */
export async function inspectRecordPhotos(
  context: MediaContext,
  records: readonly FileRecord[],
): Promise<Diagnostic[]> {
  const requests = records.flatMap((record) => localPhotoRequests(context, record));
  if (requests.length === 0) return [];
  const { findPhotoProblems } = await import('../../media/find-photo-problems.ts');
  return mediaDiagnostics(context, records, await findPhotoProblems(requests, mediaOptions(context)));
}

export function mediaOptions({ configuration, cacheFolder, shared, existing, listener }: MediaContext) {
  return {
    cacheFolder,
    shared,
    existing,
    photo: configuration.photo,
    thumbnail: configuration.thumbnail,
    onProgress: (done: number, total: number) => listener({ kind: 'progress', stage: 'media', done, total }),
  };
}

export function localPhotoRequests({ content }: MediaContext, record: FileRecord): MediaRequest[] {
  return record.media.map(({ path, digest, thumbnail }) => ({
    file: join(content, path),
    digest,
    photo: true,
    thumbnail,
  }));
}

const NO_IMAGES: readonly string[] = [];

export function imageNamesOf(record: FileRecord, { photo, thumbnail }: Configuration): readonly string[] {
  if (record.media.length === 0) return NO_IMAGES;
  return record.media.flatMap((use) =>
    use.thumbnail
      ? [photoName(use.digest, photo), thumbnailName(use.digest, thumbnail)]
      : [photoName(use.digest, photo)],
  );
}

/** Sum and maximum of the sizes of existing images, in bytes. */
export function summarizeImageSizes(
  names: readonly string[],
  { public: publicFolder, mediaCache }: Pick<OutputFolder, 'public' | 'mediaCache'>,
): { readonly mediaBytes: number; readonly largest: number } {
  let [mediaBytes, largest] = [0, 0];
  const folders = [openMediaCache(mediaCache).images, join(publicFolder, MEDIA_FOLDER)];
  for (const name of names) {
    let size = 0;
    for (const folder of folders) size ||= statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
    mediaBytes += size;
    largest = Math.max(largest, size);
  }
  return { mediaBytes, largest };
}

export function mediaDiagnostics(
  { content }: MediaContext,
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
    diagnostics.push(...(record.visibility?.draft ? downgradeErrors(found) : found));
  }
  return diagnostics;
}

type AuthoredSource = { readonly file?: string; readonly url?: string };

/**
 * Returns a function that adds the position in the YAML file to a photo's problem. It reads the file once, at the
 * first problem, and adds no position if the file changed since the build read it.
 */
function createLocator(content: string, { path, digest }: FileRecord) {
  let document: DocumentWithSpans | undefined;
  let isOpen = false;
  return ({ code, args }: MediaProblem, name: string, index: number): Diagnostic => {
    if (!isOpen) document = openUnchanged(join(content, path), path, digest);
    isOpen = true;
    const photo = authoredPhotos(document)[index];
    if (!document || !photo) return createDiagnostic(code, path, null, { path: name, ...args });
    const named = { path: photo.file ?? photo.url ?? name, ...args };
    const field = photo.file === undefined ? 'url' : 'file';
    return locateIssue({ code, path: ['photo', index, field], args: named }, path, document);
  };
}

function authoredPhotos(document: DocumentWithSpans | undefined): readonly AuthoredSource[] {
  const { photo } = Object(document?.value) as { photo?: unknown };
  return Array.isArray(photo) ? photo.map((source) => Object(source) as AuthoredSource) : [];
}

function openUnchanged(file: string, path: string, digest: string): DocumentWithSpans | undefined {
  try {
    const bytes = readFileSync(file);
    return digest === '' || digestOf(bytes) === digest ? parsePropertyFile(bytes, path) : undefined;
  } catch {
    return undefined;
  }
}
