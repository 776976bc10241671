/** The stage that generates the configurations of the serving targets. */
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Configuration, routeSettings } from '../../contract/configuration.ts';
import { scopeFolder } from '../../contract/keys.ts';
import { problemDocuments } from '../../contract/problem.ts';
import { TARGET_NAMES } from '../../contract/target-names.ts';
import { UsageError } from '../../errors.ts';
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
  if (last) return { remembered: last, files: undefined };
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

/** Writes configurations: each target's folder is replaced as a whole. */
export function writeEdge(folder: string, { files }: GeneratedEdge): void {
  if (!files) return;
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
      if ('link' in file) symlinkSync(file.link, path);
      else writeFileSync(path, file.content);
    }
    rmSync(join(folder, name), { recursive: true, force: true });
    renameSync(made, join(folder, name));
  }
}
