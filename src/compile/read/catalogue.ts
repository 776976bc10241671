/** Reads a content folder into one record per file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../../contract/configuration.ts';
import { declaredTerms } from '../../contract/terms.ts';
import { hiddenReasonAt, type Visibility } from '../../contract/visibility.ts';
import { makeFolder } from '../../files/files-and-folders.ts';
import type { PhotoShard } from '../../media/shard.ts';
import { CROSS_FILE_CODES, checkAcrossFiles } from '../../source/cross-file-checks.ts';
import type { CrossFileFinding, CrossFileInput } from '../../source/cross-file-finding.ts';
import { createDiagnostic, type Diagnostic, isError } from '../../source/diagnostic.ts';
import { parsePropertyFile } from '../../source/property-file.ts';
import type { TextCounts } from '../../source/translation-counts.ts';
import type { DocumentWithSpans } from '../../source/yaml-document.ts';
import { createYield, type Listener } from '../progress.ts';
import type { LastRelease } from '../state/last-release.ts';
import { isFromLastBuild } from '../state/record-pieces.ts';
import { NOTHING_REUSABLE, type ReusableResults } from '../state/reusable-results.ts';
import { createWorkCounters, type Threads } from '../threads/pool.ts';
import { crossFileValuesOf, type FileRecord } from './file-record.ts';
import { groupCount, type ReadGroup, type ReadTask, readFiles } from './files.ts';
import { decodeRows, recordHasErrors } from './record-row.ts';

/** Number of files that this thread reads while another one starts and compiles its code. */
const FILES_PER_THREAD = 3000;

/** With more files than this, threads end after reading, to free their memory. */
const FILES_TO_FREE_MEMORY = 5000;

export type ReadRecordsOptions = {
  readonly content: string;
  readonly configuration: Configuration;
  /** Sorted by path. */
  readonly files: readonly string[];

  /** Results of the last build. @default none; digests of files are then not computed */
  readonly reusable?: ReusableResults;
  /** Folder for temporary files of details; undefined if nothing will be published. */
  readonly staging: string | undefined;
  /** Share of the photos to read. @default all */
  readonly shard?: PhotoShard | undefined;
  /**
   * `diff` checks out small stand-ins for photos. Maps the digest of each stand-in to the digest of its photo.
   * @default none
   */
  readonly standIns?: ReadonlyMap<string, string> | undefined;
  readonly threads: Threads;
  readonly listener: Listener;
  /** Called with the counts of translations in each group of files. Counts are empty if `staging` is set. */
  readonly onTexts?: (counts: TextCounts) => void;
};

export async function readRecords(options: ReadRecordsOptions): Promise<FileRecord[]> {
  const { configuration, files, reusable = NOTHING_REUSABLE, listener } = options;
  const paths = files.filter((_, index) => !reusable.unchanged[index]);
  if (options.staging !== undefined) makeFolder(options.staging);
  const task: ReadTask = {
    content: options.content,
    paths,
    terms: declaredTerms(configuration),
    mediaBase: configuration.media_base_url ?? configuration.base_url,
    photo: configuration.photo,
    thumbnail: configuration.thumbnail,
    reusablePhotos: reusable.photos,
    reusableDigests:
      options.reusable &&
      new Map([...reusable.reusableIfSameDigest].map(([path, { digest }]) => [path, digest])),
    staging: options.staging,
    shard: options.shard,
    standIns: options.standIns,
    counter: createWorkCounters(),
  };
  const groups = groupCount(task);
  const pause = createYield();
  const onGroup = () => {
    const done = Math.round((Atomics.load(task.counter, 1) / groups) * paths.length);
    listener({ kind: 'progress', stage: 'read', done, total: paths.length });
    return pause();
  };
  const worth = paths.length / FILES_PER_THREAD;
  const read: FileRecord[] = new Array(paths.length);
  const take = ({ start, rows, texts }: ReadGroup) => {
    options.onTexts?.(texts);
    for (const [index, record] of decodeRows(rows).entries())
      read[start + index] = record.hasReusableDigest
        ? reusable.reusableIfSameDigest.get(record.path)!
        : record;
  };
  const shared = options.threads.share('read', task, worth, take);
  await shared.finish(() => readFiles(task, 0, take, onGroup));
  if (paths.length > FILES_TO_FREE_MEMORY) options.threads.dismiss();

  let next = 0;
  return files.map((_, index) => reusable.unchanged[index] ?? read[next++]!);
}

function hasSamePlaces(records: readonly FileRecord[], last: LastRelease): boolean {
  return (
    records.length === last.records.length &&
    records.every((record, index) => {
      const before = last.records[index]!;
      if (record === before) return true;
      const [old, now] = [crossFileValuesOf(before), crossFileValuesOf(record)];
      if (!old || !now || record.path !== before.path) return false;
      return old.id === now.id && old.country === now.country && old.city === now.city;
    })
  );
}

/**
 * Diagnostics that involve several files. If no id, country or city changed, reuses those of the last build: computing
 * them takes 10% of a build in which one of 100,000 properties changed.
 */
export function crossFileDiagnostics(
  content: string,
  records: readonly FileRecord[],
  last?: LastRelease | undefined,
): Diagnostic[] {
  if (last && hasSamePlaces(records, last)) {
    const fresh = new Set(records.filter((record) => !isFromLastBuild(record)).map(({ path }) => path));
    return last.otherFindings
      .filter(({ code }) => CROSS_FILE_CODES.has(code))
      .map((found) => (fresh.has(found.file) ? locatedAgain(content, found) : found));
  }
  const inputs: CrossFileInput[] = [];
  for (const { path, entry, crossFileValues } of records) {
    // An entry decodes its values on demand; a spread would decode all of them.
    if (entry) inputs.push(entry);
    else if (crossFileValues) inputs.push({ path, ...crossFileValues });
  }
  return checkAcrossFiles(inputs).map((finding) => located(content, finding));
}

function located(content: string, { code, path, field, args }: CrossFileFinding): Diagnostic {
  return createDiagnostic(code, path, openAgain(content, path)?.spanOf([field]) ?? null, args, [field]);
}

/** Updates the position, since a change of other lines may have moved it. */
function locatedAgain(content: string, found: Diagnostic): Diagnostic {
  const span = openAgain(content, found.file)?.spanOf([...(found.fieldPath ?? [])]) ?? null;
  return { ...found, span };
}

/** Finds properties that are past their end date, and drafts that are past their start date. */
export function dateDiagnostics(
  content: string,
  records: readonly FileRecord[],
  instant: number,
): Diagnostic[] {
  // Skips records without dates, since reading their paths would load their texts.
  const dated = records.filter(({ visibility }) => visibility);
  return dated.flatMap(
    ({ path, visibility }) => dateDiagnostic(path, visibility, instant, () => openAgain(content, path)) ?? [],
  );
}

/** @param open reads the file, to find the position of the date */
export function dateDiagnostic(
  path: string,
  visibility: Visibility | undefined,
  instant: number,
  open: () => DocumentWithSpans | undefined,
): Diagnostic | undefined {
  const reason = hiddenReasonAt(visibility, instant);
  const isOverdue = reason === 'draft' && visibility?.from !== undefined && visibility.from <= instant;
  if (reason !== 'over' && !isOverdue) return undefined;
  const field = isOverdue ? 'live_from' : 'live_until';
  const document = open();
  const value = String((Object(document?.value) as Record<string, unknown>)[field] ?? '');
  const span = document?.spanOf([field]) ?? null;
  return isOverdue
    ? createDiagnostic('overdue-draft', path, span, { from: value }, [field])
    : createDiagnostic('no-longer-live', path, span, { until: value }, [field]);
}

function openAgain(content: string, path: string): DocumentWithSpans | undefined {
  try {
    return parsePropertyFile(readFileSync(join(content, path)), path);
  } catch {
    return undefined;
  }
}

export function recordsWithoutErrors(
  records: readonly FileRecord[],
  otherFindings: readonly Diagnostic[],
): readonly FileRecord[] {
  const faulty = new Set(otherFindings.filter(isError).map(({ file }) => file));
  const isSound = (record: FileRecord) =>
    crossFileValuesOf(record) && !recordHasErrors(record) && (faulty.size === 0 || !faulty.has(record.path));
  // Usually no record has errors. Returning `records` then saves a copy, which takes 8 MB for a million.
  return records.every(isSound) ? records : records.filter(isSound);
}

/** `excluded` must be some of the records, in the same order. */
export function recordsExcept(records: readonly FileRecord[], excluded: readonly FileRecord[]): FileRecord[] {
  if (records.length === excluded.length) return [];
  let next = 0;
  return records.filter((record) => {
    const isExcluded = record === excluded[next];
    if (isExcluded) next++;
    return !isExcluded;
  });
}
