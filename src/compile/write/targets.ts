import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Configuration, routeSettings } from '../../contract/configuration.ts';
import { scopeFolder } from '../../contract/object-keys.ts';
import { problemDocuments } from '../../contract/problem.ts';
import { TARGET_NAMES } from '../../contract/target-names.ts';
import { UsageError } from '../../errors/errors.ts';
import { writeViaTemporaryFile } from '../../files/atomic-write.ts';
import { makeFolder, makePublicFolder, writePieces } from '../../files/files-and-folders.ts';
import { digestOf } from '../../release/digest.ts';
import type { Scope } from '../../release/sequence.ts';
import type { TargetFile } from '../../targets/target.ts';
import type { OutputFolder } from '../output-folder.ts';
import type { FileDigests, FileDigestsByGroup, RefusedTarget, StoredEdge } from '../state/written-files.ts';
import { removeFiles } from './gone-files.ts';
import { digestAtPath, FOLDER_DIGEST, type Journal } from './journal.ts';

export type GeneratedEdge = {
  readonly stored: StoredEdge;
  /** By target. Undefined if the files of the last build are still current. */
  readonly files: ReadonlyMap<string, readonly TargetFile[]> | undefined;
};

/**
 * @param last the last build's result, if its files are still valid; undefined if all files must be generated again.
 * The function returns `last` itself, unless the last build copied folders: every build has to copy them again
 * @throws UsageError if a target in the configuration cannot serve this catalogue
 */
export async function generateEdge(
  configuration: Configuration,
  scopes: readonly Scope[],
  last: StoredEdge | undefined,
): Promise<GeneratedEdge> {
  if (last && !last.copies) return { stored: last, files: undefined };
  const { TARGETS } = await import('../../targets/index.ts');
  const wanted = configuration.targets;
  const settings = routeSettings(configuration);
  const totals = {
    *[Symbol.iterator]() {
      for (const { country, city, total } of scopes) yield { folder: scopeFolder(country, city), total };
    },
  };
  const input = { configuration, settings, problems: problemDocuments(settings), scopes: totals };
  const files = new Map<string, readonly TargetFile[]>();
  const refused: RefusedTarget[] = [];
  for (const name of TARGET_NAMES) {
    if (wanted !== 'all' && !wanted.includes(name)) continue;
    const result = TARGETS[name].generate(input);
    if (result.files) files.set(name, result.files);
    else if (wanted === 'all') refused.push({ name, ...result.refusal });
    else throw new UsageError(result.refusal.code, `${name}: ${result.refusal.message}`);
  }
  return { stored: { targets: [...files.keys()], refused }, files };
}

export type WrittenEdge = {
  readonly group: FileDigests;
  /** Generated files that somebody edited; they are kept. */
  readonly edited: readonly string[];
  /** Copies folders if the system permits no links to them. Call it only after the folders to copy are complete. */
  readonly copyLinked: () => StoredEdge;
};

/**
 * Writes the configurations that differ and removes obsolete ones. Does not touch files that no build wrote or that
 * somebody edited. For a link, the digest of its target path is compared.
 */
export function writeEdge(
  folder: OutputFolder,
  { stored, files }: GeneratedEdge,
  last: { readonly groups: FileDigestsByGroup } | undefined,
  journal: Journal,
): WrittenEdge {
  if (last && !files) return { group: last.groups.edge, edited: [], copyLinked: () => stored };
  const copies = new Map<string, string>();
  const group: Record<string, string> = {};
  const edited: string[] = [];
  for (const [name, list] of files ?? []) {
    for (const file of list) {
      const key = `${name}/${file.path}`;
      const digest = digestOf('link' in file ? file.link : file.content);
      group[key] = digest;
      const found = digestAtPath(join(folder.edge, key));
      if (found === digest) journal.note('edge', key, digest);
      // A file may be empty after a power failure. Nobody empties one on purpose.
      else if (found === undefined || found === EMPTY || journal.hasNoted('edge', key, found)) {
        journal.note('edge', key, digest);
        if (writeFile(folder, key, file)) continue;
        group[key] = FOLDER_DIGEST;
        journal.note('edge', key, FOLDER_DIGEST);
        copies.set(key, join(dirname(file.path), 'link' in file ? file.link : ''));
      } else edited.push(key);
    }
  }
  const stale = journal.stale('edge', group);
  // Recursive, because a folder may have been copied instead of linked.
  removeFiles(folder.edge, stale.unedited, true);
  return {
    group,
    edited: [...edited, ...stale.edited],
    copyLinked() {
      for (const [path, source] of copies)
        cpSync(join(folder.public, source), join(folder.edge, path), { recursive: true });
      return copies.size === 0 ? stored : { ...stored, copies: [...copies.keys()] };
    },
  };
}

const EMPTY = digestOf('');

/** Atomic: an incomplete file would later count as edited. Returns false if the system permits no links. */
function writeFile({ edge, staging }: OutputFolder, key: string, file: TargetFile): boolean {
  const path = join(edge, key);
  makePublicFolder(dirname(path));
  if ('link' in file) return makeLink(file.link, path);
  makeFolder(staging);
  writeViaTemporaryFile(join(staging, 'edge'), path, (temporary) =>
    writePieces(temporary, [Buffer.from(file.content)]),
  );
  return true;
}

/** Returns false if the system permits no links, for example on Windows. */
function makeLink(link: string, path: string): boolean {
  rmSync(path, { recursive: true, force: true });
  try {
    symlinkSync(link, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    return false;
  }
}
