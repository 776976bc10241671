/** What a session knows of the last build, so that a saved file alone has to be read again. */
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imagesOf, inspectRecordMedia } from '../build/images/images.ts';
import type { OutputFolder } from '../build/output-folder.ts';
import { sizesOf } from '../build/plan.ts';
import { crossDiagnostics, dateFindings, readRecords } from '../build/read/catalogue.ts';
import { type FileRecord, spoolPath } from '../build/read/files.ts';
import { readState } from '../build/state/file.ts';
import { type Remembered, readLastRelease } from '../build/state/last-release.ts';
import { NOTHING_KNOWN } from '../build/state/reusable.ts';
import { plainLine } from '../build/state/stamps.ts';
import { openThreads } from '../build/threads/pool.ts';
import { visibleAt } from '../build/visible.ts';
import type { Configuration } from '../contract/configuration.ts';
import { COUNTRIES_KEY, INDEX_KEY, pointsKey } from '../contract/document-keys.ts';
import { countriesText } from '../documents/countries.ts';
import { type DownloadFiles, downloadsOf, indexText } from '../documents/index.ts';
import {
  type CountryRun,
  coordinatesOf,
  countryRuns,
  pointsBytes,
  publishedCoordinates,
} from '../documents/points.ts';
import { type HeldRelease, holdRelease } from '../release/in-memory.ts';
import { sequenceLines } from '../release/manifest.ts';
import { releaseName } from '../release/name.ts';
import {
  type Entry,
  type JoinedSummaries,
  joinSummaries,
  scopesOf,
  toSequence,
} from '../release/sequence.ts';
import { CONFIGURATION_FILE, isHidden, isSourcePath } from '../source/content-path.ts';
import { CROSS_CODES } from '../source/cross-file-checks.ts';
import { compareDiagnostics, type Diagnostic } from '../source/diagnostic.ts';
import type { PhotoFile } from '../source/photo-file.ts';
import { stampFile } from '../source/stamp.ts';

/** What is known. Nothing in it is ever changed: a change makes another one. */
export type Memory = {
  readonly content: string;
  readonly configuration: Configuration;
  readonly folder: OutputFolder;
  /** The instant that decides which dated properties are shown. */
  readonly instant: number;
  /** Every YAML file, by path, with what is wrong in it. */
  readonly records: ReadonlyMap<string, FileRecord>;
  /** The entries of all records that have one and are shown, in order. */
  readonly sequence: readonly Entry[];
  /** What is wrong across files. */
  readonly cross: readonly Diagnostic[];
  /** Photos in use, by path. */
  readonly photos: ReadonlyMap<string, PhotoFile>;
  /** Names of the images that the output has. */
  readonly media: ReadonlySet<string>;
  /** The downloads that the output has. */
  readonly parts: readonly DownloadFiles[] | undefined;
  /** Details of which the output may hold an older form, by id. */
  readonly details: ReadonlyMap<string, Buffer>;
};

/** A release to answer from. */
export type Held = {
  /** Name of the release; it takes a while to find. */
  readonly id: () => string;
  readonly sequence: readonly Entry[];
  /** Names of its images. */
  readonly media: ReadonlySet<string>;
  readonly read: HeldRelease;
};

/** What came of some changed paths. */
export type Applied =
  /** More changed than a property: only a build can judge it. */
  | { readonly kind: 'build' }
  | {
      readonly kind: 'read';
      readonly memory: Memory;
      /** Of all files. */
      readonly diagnostics: readonly Diagnostic[];
      /** Undefined when there is an error. */
      readonly held: Held | undefined;
      /** Paths that were read, each with what the file system said of it before. */
      readonly seen: ReadonlyMap<string, string>;
    };

/** What the last build left; undefined when its state cannot be relied upon. */
export function loadMemory(
  content: string,
  configuration: Configuration,
  folder: OutputFolder,
  instant: number,
): { memory: Memory; held: Held } | undefined {
  const last = readLastRelease(readState<Remembered>(folder.state));
  if (!last) return undefined;
  const records = new Map(last.records.map((record) => [record.path, record]));
  const memory: Memory = {
    content,
    configuration,
    folder,
    instant,
    records,
    sequence: last.published.map((record) => record.entry!),
    cross: last.diagnostics.filter(({ code }) => CROSS_CODES.has(code)),
    photos: photosOf(records.values()),
    media: new Set(last.media),
    parts: last.parts,
    details: new Map(),
  };
  return { memory, held: hold(memory, memory.media) };
}

/**
 * Reads what changed.
 *
 * @param changed paths relative to the content folder.
 * @throws the error of the file system.
 */
export async function applyChanges(memory: Memory, changed: Iterable<string>): Promise<Applied> {
  const touched = touchedFiles(memory, changed);
  if (!touched) return { kind: 'build' };
  const { present, gone } = touched;
  // What is wrong in a file may be mended elsewhere: a photo that was missing is one.
  for (const [path, { diagnostics }] of memory.records) {
    if (!diagnostics.some(isError)) continue;
    const line = lineOf(memory.content, path);
    if (line === undefined) gone.add(path);
    else present.set(path, line);
  }
  const read = await readTouched(memory, [...present.keys()]);
  const isFetched = memory.configuration.remote_photos === 'fetch';
  if (isFetched && read.records.some(({ remote }) => remote !== undefined)) return { kind: 'build' };
  const next = replaceRecords(memory, gone, read);
  const { content, instant } = next;
  const diagnostics = [...next.cross, ...dateFindings(content, [...next.records.values()], instant)];
  for (const record of next.records.values()) diagnostics.push(...record.diagnostics);
  diagnostics.sort(compareDiagnostics);
  const applied = { kind: 'read', memory: next, diagnostics, seen: present } as const;
  if (diagnostics.some(isError)) return { ...applied, held: undefined };
  const media = mediaOf(next);
  for (const name of media) if (!memory.media.has(name)) return { kind: 'build' };
  return { ...applied, held: hold(next, media) };
}

/** Whether two releases have the same properties. */
export function isSameRelease({ sequence: one }: Held, { sequence: other }: Held): boolean {
  return (
    one.length === other.length &&
    one.every(({ id, summaryDigest, detailDigest }, index) => {
      const same = other[index]!;
      return id === same.id && summaryDigest === same.summaryDigest && detailDigest === same.detailDigest;
    })
  );
}

function replaceRecords(memory: Memory, gone: ReadonlySet<string>, read: ReadFiles): Memory {
  const records = new Map(memory.records);
  const before: FileRecord[] = [];
  for (const path of [...gone, ...read.records.map((record) => record.path)]) {
    const record = records.get(path);
    if (record) before.push(record);
    records.delete(path);
  }
  for (const record of read.records) records.set(record.path, record);
  const dropped = new Set(before.map(({ entry }) => entry));
  const kept = memory.sequence.filter((entry) => !dropped.has(entry));
  const shown = visibleAt(read.records, memory.instant);
  const sequence = toSequence([...kept, ...shown.flatMap(({ entry }) => entry ?? [])]);
  // Findings across files depend on these alone, and take longest to find.
  const places = (list: readonly FileRecord[]) =>
    list
      .map(({ path, entry, placed: place = entry }) =>
        JSON.stringify([path, place?.id, place?.country, place?.city]),
      )
      .sort();
  const isPlacedAlike = String(places(before)) === String(places(read.records));
  const cross =
    isPlacedAlike && memory.cross.length === 0 ? [] : crossDiagnostics(memory.content, inOrder(records));
  const hasPhotos = [...before, ...read.records].some(({ media }) => media.length > 0);
  const photos = hasPhotos ? photosOf(records.values()) : memory.photos;
  const details = new Map([...memory.details, ...read.details]);
  return { ...memory, records, sequence, cross, photos, details };
}

function inOrder(records: ReadonlyMap<string, FileRecord>): FileRecord[] {
  return [...records.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether a file is still as it was seen. */
export function isAsSeen(content: string, path: string, line: string): boolean {
  return lineOf(content, path) === line;
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

type Touched = {
  /** Files to read, with their stamps. */
  readonly present: Map<string, string>;
  readonly gone: Set<string>;
};

/** The YAML files among changed paths; undefined when something else that matters is among them. */
function touchedFiles(
  { content, configuration, records, photos }: Memory,
  changed: Iterable<string>,
): Touched | undefined {
  const present = new Map<string, string>();
  const gone = new Set<string>();
  const hasPatterns = configuration.include.length + configuration.exclude.length > 0;
  for (const path of changed) {
    if (path === CONFIGURATION_FILE || photos.has(path)) return undefined;
    if (isHidden(path)) continue;
    const stats = statsOf(content, path);
    if (!stats) {
      for (const known of [path, ...namesBelow(records, path)]) if (records.has(known)) gone.add(known);
    } else if (stats.isFile()) {
      // Whether the patterns of the configuration match a new file is known to a build.
      if (hasPatterns && isSourcePath(path) && !records.has(path)) return undefined;
      if (isSourcePath(path)) present.set(path, plainLine(stampFile(path, stats)));
      // A name that cannot be shown is judged by a build.
      else if (/\.ya?ml$/i.test(path)) return undefined;
    } else if (!stats.isDirectory() || /\.ya?ml$/i.test(path)) return undefined;
  }
  return { present, gone };
}

function* namesBelow(records: ReadonlyMap<string, FileRecord>, folder: string): Generator<string> {
  if (records.has(folder)) return;
  for (const path of records.keys()) if (path.startsWith(`${folder}/`)) yield path;
}

function statsOf(content: string, path: string): Stats | undefined {
  return lstatSync(join(content, path), { throwIfNoEntry: false });
}

function lineOf(content: string, path: string): string | undefined {
  const stats = statsOf(content, path);
  return stats && plainLine(stampFile(path, stats));
}

type ReadFiles = { readonly records: FileRecord[]; readonly details: ReadonlyMap<string, Buffer> };

/** Reads files; their details come back in memory. */
async function readTouched(
  { content, configuration, folder, photos }: Memory,
  paths: readonly string[],
): Promise<ReadFiles> {
  if (paths.length === 0) return { records: [], details: new Map() };
  const staging = mkdtempSync(join(tmpdir(), 'catalogue-dev-'));
  const listener = () => {};
  try {
    const files = paths.map((path) => ({ path, stamp: '', settled: 0 }));
    const known = { ...NOTHING_KNOWN, photos };
    const threads = openThreads(1);
    const found = await readRecords({ content, configuration, files, known, staging, threads, listener });
    const details = new Map<string, Buffer>();
    const spool = openSync(spoolPath(staging, 0), 'r');
    try {
      const bytes = Buffer.alloc(fstatSync(spool).size);
      readSync(spool, bytes, 0, bytes.length, 0);
      for (const { entry, staged } of found) {
        if (entry && staged)
          details.set(entry.id, Buffer.from(bytes.subarray(staged.offset, staged.offset + staged.length)));
      }
    } finally {
      closeSync(spool);
    }
    const stage = { content, configuration, cacheFolder: folder.mediaCache, listener };
    const judged = await inspectRecordMedia(stage, found);
    const records = found.map(({ staged: _staged, ...record }) => ({
      ...record,
      diagnostics: [...record.diagnostics, ...judged.filter(({ file }) => file === record.path)],
    }));
    return { records, details };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

function photosOf(records: Iterable<FileRecord>): Map<string, PhotoFile> {
  const photos = new Map<string, PhotoFile>();
  for (const { media } of records) for (const photo of media) photos.set(photo.path, photo);
  return photos;
}

/** Names of all images in use. */
function mediaOf({ records, photos, configuration, instant }: Memory): ReadonlySet<string> {
  const isFetched = configuration.remote_photos === 'fetch';
  if (photos.size === 0 && !isFetched) return new Set();
  return new Set(
    visibleAt([...records.values()], instant).flatMap((record) => imagesOf(record, configuration)),
  );
}

function hold(memory: Memory, media: ReadonlySet<string>): Held {
  const { details, configuration, parts, sequence } = memory;
  const scopes = scopesOf(sequence);
  const summaries = joinSummaries(sequence.map(({ summary }) => summary));
  const held = holdRelease({ sequence, scopes, sizes: sizesOf(configuration), summaries, details });
  const countries = scopes.filter(({ country, city }) => country && !city).length;
  const id = () => releaseName(sequenceLines(sequence), configuration);
  const runs = countryRuns(scopes);
  return {
    id,
    sequence,
    media,
    read(key) {
      if (key === COUNTRIES_KEY) return Buffer.from(countriesText(scopes));
      const country = runs.find((run) => pointsKey(run.country) === key);
      if (country) return pointsOf(country, summaries, memory);
      if (key === INDEX_KEY) {
        const about = { release: id(), properties: sequence.length, countries };
        return Buffer.from(indexText(configuration, { ...about, downloads: parts && downloadsOf(parts) }));
      }
      return held(key);
    },
  };
}

/** The points file of a country: the output has the places of all properties but those that changed. */
function pointsOf(
  run: CountryRun,
  summaries: JoinedSummaries,
  { folder, sequence, details }: Memory,
): Buffer {
  const published = publishedCoordinates(folder.public, run.country);
  return pointsBytes(run, summaries, (index) => {
    const { id } = sequence[index]!;
    const detail = details.get(id);
    return detail ? coordinatesOf(detail) : published(id);
  });
}
