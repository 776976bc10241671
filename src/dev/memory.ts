/** What a session knows of the last build. With it, only a saved file has to be read again. */
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
import { crossDiagnostics, DATE_CODES, dateFindings } from '../build/read/catalogue.ts';
import { type FileRecord, spoolPath } from '../build/read/files.ts';
import { readFolder } from '../build/read/folder.ts';
import { readState } from '../build/state/file.ts';
import { type Remembered, readLastRelease } from '../build/state/last-release.ts';
import { NOTHING_KNOWN } from '../build/state/reusable.ts';
import { plainLine } from '../build/state/stamps.ts';
import { visibleAt } from '../build/visible.ts';
import type { Configuration } from '../contract/configuration.ts';
import { toSequence } from '../release/sequence.ts';
import { CONFIGURATION_FILE, isHidden, isSourcePath } from '../source/content-path.ts';
import { CROSS_CODES } from '../source/cross-file-checks.ts';
import { compareDiagnostics, type Diagnostic, isError } from '../source/diagnostic.ts';
import type { PhotoFile } from '../source/photo-file.ts';
import { stampFile } from '../source/stamp.ts';
import { type Held, hold, type Memory } from './held.ts';

/** What came of some changed paths. */
export type AppliedChanges =
  /** More changed than a property: only a build can judge it. */
  | { readonly kind: 'build' }
  | {
      readonly kind: 'read';
      readonly memory: Memory;
      /** Of all files. */
      readonly diagnostics: readonly Diagnostic[];
      /** Undefined when there is an error. */
      readonly held: Held | undefined;
    };

/** What the last build left; undefined when its state cannot be relied upon. */
export async function loadMemory(
  content: string,
  configuration: Configuration,
  folder: OutputFolder,
  instant: number,
): Promise<{ memory: Memory; held: Held } | undefined> {
  const last = readLastRelease(readState<Remembered>(folder.state));
  if (!last) return undefined;
  const records = new Map(last.records.map((record) => [record.path, record]));
  const found: Memory = {
    content,
    configuration,
    folder,
    instant,
    records,
    sequence: last.published.map((record) => record.entry!),
    cross: last.diagnostics.filter(({ code }) => CROSS_CODES.has(code)),
    dated: last.diagnostics.filter(({ code }) => DATE_CODES.has(code)),
    photos: photosOf(records.values()),
    media: new Set(last.media),
    parts: last.parts,
    details: new Map(),
  };
  // No build publishes a draft: its entry and its detail are nowhere else.
  const drafts = last.records.filter(({ visibility }) => visibility?.draft);
  const read = await readTouched(
    found,
    drafts.map(({ path }) => path),
  );
  for (const record of read.records) records.set(record.path, record);
  const memory = { ...found, details: read.details };
  return { memory, held: hold(memory, memory.media) };
}

/**
 * Reads what changed.
 *
 * @param changed paths relative to the content folder.
 * @throws the error of the file system.
 */
export async function applyChanges(memory: Memory, changed: Iterable<string>): Promise<AppliedChanges> {
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
  const next = replaceRecords(memory, gone, read);
  const diagnostics = [...next.cross, ...next.dated];
  for (const record of next.records.values()) diagnostics.push(...record.diagnostics);
  diagnostics.sort(compareDiagnostics);
  const applied = { kind: 'read', memory: next, diagnostics } as const;
  if (diagnostics.some(isError)) return { ...applied, held: undefined };
  const media = mediaOf(next);
  for (const name of media) if (!memory.media.has(name)) return { kind: 'build' };
  return { ...applied, held: hold(next, media) };
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
  const dated = [
    ...memory.dated.filter(({ file }) => !gone.has(file) && !read.records.some(({ path }) => path === file)),
    ...dateFindings(memory.content, read.records, memory.instant),
  ];
  return { ...memory, records, sequence, cross, dated, photos, details };
}

function inOrder(records: ReadonlyMap<string, FileRecord>): FileRecord[] {
  return [...records.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
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

/** Stamp of a file as a line; undefined when it is absent. */
export function lineOf(content: string, path: string): string | undefined {
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
  try {
    const known = { ...NOTHING_KNOWN, photos };
    const found = await readFolder({ content, configuration, files: paths, known, staging, jobs: 1 });
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
    const stage = { content, configuration, cacheFolder: folder.mediaCache, listener: () => {} };
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

/** The photos that records use, by path. */
export function photosOf(records: Iterable<FileRecord>): Map<string, PhotoFile> {
  const photos = new Map<string, PhotoFile>();
  for (const { media } of records) for (const photo of media) photos.set(photo.path, photo);
  return photos;
}

/** Names of all images in use. */
function mediaOf({ records, photos, configuration, instant }: Memory): ReadonlySet<string> {
  if (photos.size === 0) return new Set();
  return new Set(
    visibleAt([...records.values()], instant).flatMap((record) => imagesOf(record, configuration)),
  );
}
