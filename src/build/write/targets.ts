/** The build stage that generates the targets' configurations. */
import { cpSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Configuration, routeSettings } from '../../contract/configuration.ts';
import { scopeFolder } from '../../contract/keys.ts';
import { problemDocuments } from '../../contract/problem.ts';
import { TARGET_NAMES } from '../../contract/target-names.ts';
import { UsageError } from '../../errors.ts';
import { renameFile } from '../../file-names.ts';
import { makeFolder } from '../../folder.ts';
import { digestOf } from '../../release/digest.ts';
import type { Scope } from '../../release/sequence.ts';
import type { TargetFile, TargetRefusal } from '../../targets/target.ts';

/** The last generated configurations, as stored in the state. */
export type RememberedEdge = {
  readonly targets: readonly string[];
  /** Digests of the files, by path below the folder; for a link, that of its target. */
  readonly files: Readonly<Record<string, string>>;
  readonly refused: readonly RefusedTarget[];
  /** Paths of folders copied instead of linked, where links are not permitted. Each build writes them. @default none */
  readonly copies?: readonly string[];
};

/** A folder to copy, because the system permits no link. */
type LinkCopy = {
  /** Path below the folder of all targets. */
  readonly path: string;
  /** Path of the folder to copy, below `dist/public`. */
  readonly source: string;
};

/** A target that cannot serve this catalogue, with the reason. */
type RefusedTarget = TargetRefusal & { readonly name: string };

/** Generated configurations, not yet written. */
export type GeneratedEdge = {
  readonly remembered: RememberedEdge;
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
  last: RememberedEdge | undefined,
): Promise<GeneratedEdge> {
  if (last && !last.copies) return { remembered: last, files: undefined };
  const { TARGETS } = await import('../../targets/index.ts');
  const wanted = configuration.targets;
  const settings = routeSettings(configuration);
  const totals = scopes.map(({ country, city, total }) => ({ folder: scopeFolder(country, city), total }));
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
  const remembered = { targets: [...files.keys()], files: digestsOf(files), refused };
  return { remembered, files };
}

function digestsOf(files: ReadonlyMap<string, readonly TargetFile[]>): Record<string, string> {
  const digests: Record<string, string> = {};
  for (const [name, list] of files) {
    for (const file of list)
      digests[`${name}/${file.path}`] = digestOf('link' in file ? file.link : file.content);
  }
  return digests;
}

/**
 * Writes configurations, replacing each target's folder as a whole.
 *
 * @returns copies to make in place of links that the system does not permit.
 */
export function writeEdge(folder: string, { files }: GeneratedEdge): LinkCopy[] {
  const copies: LinkCopy[] = [];
  if (!files) return copies;
  for (const name of TARGET_NAMES) {
    if (!files.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  for (const [name, list] of files) {
    const made = join(folder, `${name}.new`);
    rmSync(made, { recursive: true, force: true });
    const folders = new Set<string>();
    for (const file of list) {
      const path = join(made, file.path);
      const parent = dirname(path);
      if (!folders.has(parent)) makeFolder(parent);
      folders.add(parent);
      if ('link' in file) {
        if (!makeLink(file.link, path))
          copies.push({ path: `${name}/${file.path}`, source: join(dirname(file.path), file.link) });
      } else writeFileSync(path, file.content);
    }
    rmSync(join(folder, name), { recursive: true, force: true });
    renameFile(made, join(folder, name));
  }
  return copies;
}

/** Makes a link. Returns false when the system does not permit it, as Windows may. */
function makeLink(link: string, path: string): boolean {
  try {
    symlinkSync(link, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    return false;
  }
}

/** Copies folders in place of links, once their files are written. Returns the value to store in the state. */
export function copyLinked(
  folder: { edge: string; public: string },
  { remembered }: GeneratedEdge,
  copies: readonly LinkCopy[],
): RememberedEdge {
  for (const { path, source } of copies)
    cpSync(join(folder.public, source), join(folder.edge, path), { recursive: true });
  const { copies: _, ...rest } = remembered;
  return copies.length === 0 ? rest : { ...rest, copies: copies.map(({ path }) => path) };
}
