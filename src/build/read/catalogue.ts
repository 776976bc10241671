/** From a content folder to the records of its files, shared by `build` and `check`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../../contract/configuration.ts';
import { hiddenBecause, type Visibility } from '../../contract/visibility.ts';
import { makeFolder } from '../../folder.ts';
import type { Shard } from '../../media/shard.ts';
import { CROSS_CODES, crossCheck } from '../../source/cross-file-checks.ts';
import type { CrossFinding, PlacedFile } from '../../source/cross-finding.ts';
import { type Diagnostic, diagnose, isError } from '../../source/diagnostic.ts';
import { reopen } from '../../source/property-file.ts';
import type { OpenDocument } from '../../source/yaml-document.ts';
import { createPause, type Listener } from '../progress.ts';
import type { LastRelease } from '../state/last-release.ts';
import { isStored } from '../state/records.ts';
import { type Known, NOTHING_KNOWN } from '../state/reusable.ts';
import { createCounter, type Threads } from '../threads/pool.ts';
import {
  type CheckedAcrossFiles,
  type FileRecord,
  groupCount,
  type ReadGroup,
  type ReadTask,
  readFiles,
} from './files.ts';

/** A second thread takes as long to start, and to compile what it runs, as three thousand files take to read. */
const FILES_PER_THREAD = 3000;

/** Number of files that is worth the start of another thread: what reading loaded and used stays in memory. */
const FILES_PER_MEMORY = 5000;

/** What reading needs. */
export type ReadOptions = {
  readonly content: string;
  readonly configuration: Configuration;
  /** Paths of the files, in order. */
  readonly files: readonly string[];

  /** What the last build knows. @default nothing, and the records have no digests: no build comes after this reading */
  readonly known?: Known;
  /** Folder for the details; undefined when nothing is to be published. */
  readonly staging: string | undefined;
  /** The share of the photos to look at. @default all */
  readonly shard?: Shard | undefined;
  readonly threads: Threads;
  readonly listener: Listener;
};

/** The records of all files, in the order of their paths. */
export async function readRecords(options: ReadOptions): Promise<FileRecord[]> {
  const { configuration, files, known = NOTHING_KNOWN, listener } = options;
  const paths = files.filter((_, index) => !known.unchanged[index]);
  if (options.staging !== undefined) makeFolder(options.staging);
  const task: ReadTask = {
    content: options.content,
    paths,
    vocabulary: configuration.vocabulary,
    mediaBase: configuration.media_base_url ?? configuration.base_url,
    photo: configuration.photo,
    thumbnail: configuration.thumbnail,
    knownPhotos: known.photos,
    knownDigests: options.known && new Map([...known.byBytes].map(([path, { digest }]) => [path, digest])),
    staging: options.staging,
    shard: options.shard,
    counter: createCounter(),
  };
  const groups = groupCount(task);
  const pause = createPause();
  const onGroup = () => {
    const done = Math.round((Atomics.load(task.counter, 1) / groups) * paths.length);
    listener({ kind: 'progress', stage: 'read', done, total: paths.length });
    return pause();
  };
  const worth = paths.length / FILES_PER_THREAD;
  const read: FileRecord[] = new Array(paths.length);
  const take = ({ start, records }: ReadGroup) => {
    for (const [index, record] of records.entries())
      read[start + index] = record.unchanged ? known.byBytes.get(record.path)! : record;
  };
  const shared = options.threads.share('read', task, worth, take);
  await shared.finish(() => readFiles(task, 0, take, onGroup));
  if (paths.length > FILES_PER_MEMORY) options.threads.dismiss();

  let next = 0;
  return files.map((_, index) => known.unchanged[index] ?? read[next++]!);
}

/** Whether every property stands where it stood in the last build. */
function isPlacedAsBefore(records: readonly FileRecord[], last: LastRelease): boolean {
  if (records.length !== last.records.length) return false;
  const fresh = records.filter((record) => !isStored(record));
  const before = new Map<string, CheckedAcrossFiles | undefined>(fresh.map(({ path }) => [path, undefined]));
  for (const record of last.records) if (before.has(record.path)) before.set(record.path, placeOf(record));
  return fresh.every((record) => {
    const [old, now] = [before.get(record.path), placeOf(record)];
    return old && now && old.id === now.id && old.country === now.country && old.city === now.city;
  });
}

function placeOf({ entry, placed }: FileRecord): CheckedAcrossFiles | undefined {
  return entry ?? placed;
}

/**
 * What is wrong across files, in its place. What the last build found holds while every property stands where it stood: to look
 * again takes a tenth of the processor time that one title of 100,000 takes.
 */
export function crossDiagnostics(
  content: string,
  records: readonly FileRecord[],
  last?: LastRelease | undefined,
): Diagnostic[] {
  if (last && isPlacedAsBefore(records, last)) {
    const fresh = new Set(records.filter((record) => !isStored(record)).map(({ path }) => path));
    return last.diagnostics
      .filter(({ code }) => CROSS_CODES.has(code))
      .map((found) => (fresh.has(found.file) ? placedAgain(content, found) : found));
  }
  const placed: PlacedFile[] = [];
  for (const record of records) {
    const place = placeOf(record);
    if (place) placed.push({ path: record.path, id: place.id, country: place.country, city: place.city });
  }
  return crossCheck(placed).map((finding) => place(content, finding));
}

function place(content: string, { code, path, field, args }: CrossFinding): Diagnostic {
  return diagnose(code, path, openAgain(content, path)?.spanOf([field]) ?? null, args, [field]);
}

/** The finding where its field is now: other lines of the file may have changed. */
function placedAgain(content: string, found: Diagnostic): Diagnostic {
  const span = openAgain(content, found.file)?.spanOf([...(found.fieldPath ?? [])]) ?? null;
  return { ...found, span };
}

/** Findings about properties whose time is over, and about drafts whose time has come. */
export function dateFindings(content: string, records: readonly FileRecord[], instant: number): Diagnostic[] {
  return records.flatMap(
    ({ path, visibility }) => dateFinding(path, visibility, instant, () => openAgain(content, path)) ?? [],
  );
}

/** What is wrong with the dates of a file at an instant. `open`: reads it, for the place. */
export function dateFinding(
  path: string,
  visibility: Visibility | undefined,
  instant: number,
  open: () => OpenDocument | undefined,
): Diagnostic | undefined {
  const reason = hiddenBecause(visibility, instant);
  const isOverdue = reason === 'draft' && visibility?.from !== undefined && visibility.from <= instant;
  if (reason !== 'over' && !isOverdue) return undefined;
  const field = isOverdue ? 'live_from' : 'live_until';
  const document = open();
  const value = String((Object(document?.value) as Record<string, unknown>)[field] ?? '');
  const span = document?.spanOf([field]) ?? null;
  return isOverdue
    ? diagnose('overdue-draft', path, span, { from: value }, [field])
    : diagnose('no-longer-live', path, span, { until: value }, [field]);
}

/** A file that was read before, for places in it; undefined when it is gone. */
function openAgain(content: string, path: string): OpenDocument | undefined {
  try {
    return reopen(readFileSync(join(content, path)), path);
  } catch {
    return undefined;
  }
}

/** The records without those that have an error. */
export function withoutErrors(
  records: readonly FileRecord[],
  diagnostics: readonly Diagnostic[],
): FileRecord[] {
  const faulty = new Set(diagnostics.filter(isError).map(({ file }) => file));
  return records.filter((record) => (record.entry ?? record.placed) && !faulty.has(record.path));
}
