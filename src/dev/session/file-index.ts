/** Index of all property files. It does not hold their records, which would take 150 MB for 100,000 files. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { CrossFileValues, FileRecord } from '../../compile/read/file-record.ts';
import type { StoredRelease } from '../../compile/state/last-release.ts';
import type { BuildState } from '../../compile/state/state-file.ts';
import type { Summary } from '../../contract/property.ts';
import { type Visibility, visibilityOf } from '../../contract/visibility.ts';
import { conflictedVersions } from '../../editing/conflicted-text.ts';
import { readConfiguration } from '../../source/configuration-file.ts';
import { compareDiagnostics, type Diagnostic } from '../../source/diagnostic.ts';
import { scanContent } from '../../source/scan-content.ts';
import { cutText } from '../../text/shorten.ts';
import { readFieldValues } from '../content/read-field-values.ts';

/** A file as the last build found it. The object stays the same while its `piece` is unchanged. */
export type IndexedFile = CrossFileValues & {
  readonly path: string;
  readonly title: string;
  readonly visibility: Visibility | undefined;
  /** URL of a photo elsewhere, or digest of a photo in the content; null without a photo or before the first build. */
  readonly thumbnail: { readonly digest: string } | string | null;
  readonly isSound: boolean;
  /** Diagnostics that do not depend on other files. */
  readonly own: readonly Diagnostic[];
  /** Name of the part of the stored build state that holds this file; empty before the first build. */
  readonly piece: string;
};

export type FileIndex = {
  readonly files: ReadonlyMap<string, IndexedFile>;
  readonly diagnostics: ReadonlyMap<string, readonly Diagnostic[]>;
};

/**
 * Reuses the files of unchanged pieces from `before`, an earlier index. Returns undefined if the state is incomplete.
 */
export function createFileIndex(
  content: string,
  state: BuildState<StoredRelease>,
  before: FileIndex | undefined,
): FileIndex | undefined {
  const otherFindings = state.findings()?.otherFindings;
  const known = new Map<string, IndexedFile[]>();
  for (const file of before?.files.values() ?? []) {
    const own = known.get(file.piece);
    if (own) own.push(file);
    else known.set(file.piece, [file]);
  }
  const files = new Map<string, IndexedFile>();
  for (const name of state.pieces) {
    const piece = known.get(name) ?? state.piece(name)?.map((record) => knownFile(content, record, name));
    if (!piece) return undefined;
    for (const file of piece) files.set(file.path, file);
  }
  if (!otherFindings) return undefined;
  const diagnostics = new Map<string, readonly Diagnostic[]>();
  for (const { path, own } of files.values()) if (own.length > 0) diagnostics.set(path, own);
  for (const found of otherFindings)
    diagnostics.set(found.file, [...(diagnostics.get(found.file) ?? []), found].sort(compareDiagnostics));
  return { files, diagnostics };
}

function knownFile(content: string, record: FileRecord, piece: string): IndexedFile {
  const { path, entry, crossFileValues, visibility, media } = record;
  const summary = entry && (JSON.parse(entry.summary) as Summary);
  const photo = media.find(({ thumbnail }) => thumbnail);
  const { id, country, city } = entry ?? crossFileValues ?? {};
  return {
    path,
    id,
    title: summary?.title ?? titleOf(textsIn(content, path)),
    country,
    city,
    visibility,
    thumbnail: photo ? { digest: photo.digest } : (summary?.thumbnail ?? null),
    isSound: entry !== undefined,
    own: record.diagnostics,
    piece,
  };
}

/** Number of files read before other work gets a turn. */
const GROUP = 100;

/** Returns the index to use before the first build. Files are read but not checked. */
export async function createUncheckedFileIndex(content: string): Promise<FileIndex> {
  const { files: paths } = scanContent(content, readConfiguration(content).usable);
  const files = new Map<string, IndexedFile>();
  for (const [place, path] of paths.entries()) {
    if (place % GROUP === 0) await turn();
    const texts = textsIn(content, path);
    const { id, country, city } = texts;
    const shown = { id, country, city, title: titleOf(texts), visibility: visibilityOf(texts) };
    files.set(path, { path, ...shown, thumbnail: null, isSound: true, own: [], piece: '' });
  }
  return { files, diagnostics: new Map() };
}

export function readPropertyId(content: string, path: string): string | undefined {
  return textsIn(content, path).id;
}

type Texts = { readonly [field: string]: string | undefined };

function textsIn(content: string, path: string): Texts {
  try {
    const text = readFileSync(join(content, path), 'utf8');
    const values = Object.entries(readFieldValues(conflictedVersions(text)?.yours ?? text));
    const texts = Object.fromEntries(values.filter(([, value]) => typeof value === 'string'));
    // A copy, since a slice of a string keeps the whole string in memory.
    return JSON.parse(JSON.stringify(texts));
  } catch {
    return {};
  }
}

function titleOf({ title = '' }: Texts): string {
  return cutText(title.trim(), 200);
}
