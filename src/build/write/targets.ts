/** The stage that generates the configurations of the serving targets. */
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

/** What was generated last. */
export type RememberedEdge = {
  readonly targets: readonly string[];
  /** Digests of the files, by their path below the folder; of a link, that of what it names. */
  readonly files: Readonly<Record<string, string>>;
  readonly refused: readonly RefusedTarget[];
  /** Paths of folders that are copies, where links are not permitted. They are written at each build. @default none */
  readonly copies?: readonly string[];
};

/** A folder that is copied, since the system permits no link to it. */
type LinkCopy = {
  /** Path below the folder of all targets. */
  readonly path: string;
  /** Path of the folder that the link would name, below `dist/public`. */
  readonly source: string;
};

/** A target that cannot serve this catalogue, and why. */
type RefusedTarget = TargetRefusal & { readonly name: string };

/** Configurations, before they are written. */
export type GeneratedEdge = {
  readonly remembered: RememberedEdge;
  /** Files by target; undefined when those of the last build still hold. */
  readonly files: ReadonlyMap<string, readonly TargetFile[]> | undefined;
};

/**
 * Generates the configurations, unless nothing that they depend on changed.
 *
 * @param last what the last build generated with the same configuration and the same totals.
 * @throws UsageError when a target that is named in the configuration cannot serve this catalogue.
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
 * Writes configurations: each target's folder is replaced as a whole.
 *
 * @returns a copy for each link that the system does not permit, still to be made.
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

/** Makes a link. Returns whether the system permits it: Windows may not. */
function makeLink(link: string, path: string): boolean {
  try {
    symlinkSync(link, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
    return false;
  }
}

/** Copies the folders that links cannot name, once their files are written. Returns what to remember. */
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
