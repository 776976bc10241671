/** The build stage that generates the targets' configurations. */
import { cpSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Configuration, routeSettings } from '../../contract/configuration.ts';
import { scopeFolder } from '../../contract/keys.ts';
import { problemDocuments } from '../../contract/problem.ts';
import { TARGET_NAMES } from '../../contract/target-names.ts';
import { UsageError } from '../../errors.ts';
import { digestOf } from '../../release/digest.ts';
import type { Scope } from '../../release/sequence.ts';
import type { TargetFile, TargetRefusal } from '../../targets/target.ts';
import type { OutputFolder } from '../output-folder.ts';
import { filesBelow, removeFiles } from './gone-files.ts';
import { createGroup, type Group, type Groups } from './group.ts';

/** The last generated configurations, as stored in the state. */
export type StoredEdge = {
  readonly targets: readonly string[];
  readonly refused: readonly RefusedTarget[];
  /** Paths of folders copied instead of linked, where links are not permitted. Each build writes them. @default none */
  readonly copies?: readonly string[];
};

/** A target that cannot serve this catalogue, with the reason. */
type RefusedTarget = TargetRefusal & { readonly name: string };

/** Generated configurations, not yet written. */
export type GeneratedEdge = {
  readonly stored: StoredEdge;
  /** Files by target; undefined when those of the last build are current. */
  readonly files: ReadonlyMap<string, readonly TargetFile[]> | undefined;
};

/**
 * Generates the configurations, unless their inputs are unchanged.
 *
 * @param last the last build's result for the same configuration and totals.
 * @throws UsageError when a target named in the configuration cannot serve this catalogue.
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

/** Written configurations. */
export type WrittenEdge = {
  readonly group: Group;
  /** Copies folders in place of links that the system does not permit, once their files are written. */
  readonly copyLinked: () => StoredEdge;
};

/** Writes the configurations that differ, and removes others. A link has the digest of its target. */
export async function writeEdge(
  folder: Pick<OutputFolder, 'edge' | 'public'>,
  { stored, files }: GeneratedEdge,
  last: { readonly edge: StoredEdge; readonly groups: Groups } | undefined,
): Promise<WrittenEdge> {
  if (last && !files) return { group: last.groups.edge, copyLinked: () => stored };
  const known = last?.edge.copies ? undefined : last?.groups.edge;
  if (!known) removeFiles(folder.edge, edgeFiles(folder.edge));
  const copies = new Map<string, string>();
  const group = createGroup(folder.edge, known);
  for (const [name, list] of files ?? []) {
    for (const file of list) {
      const key = `${name}/${file.path}`;
      if (!('link' in file)) {
        await group.write({ key, content: () => file.content });
        continue;
      }
      const digest = digestOf(file.link);
      const link = (path: string) => {
        if (!makeLink(file.link, path)) copies.set(key, join(dirname(file.path), file.link));
        return digest;
      };
      await group.write({ key, digest, content: () => link });
    }
  }
  removeFiles(folder.edge, group.gone());
  return {
    group: group.group(),
    copyLinked() {
      for (const [path, source] of copies)
        cpSync(join(folder.public, source), join(folder.edge, path), { recursive: true });
      return copies.size === 0 ? stored : { ...stored, copies: [...copies.keys()] };
    },
  };
}

/** Lists files and links in the targets' folders, by path below `edge`. */
export function edgeFiles(edge: string): string[] {
  return TARGET_NAMES.flatMap((name) => [...filesBelow(edge, name)]);
}

/** Replaces a path by a symbolic link. Returns false when the system does not permit links, as Windows may. */
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
