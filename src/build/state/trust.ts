/**
 * What the last build left, and how far it can be relied upon. Every short cut of a build is decided here:
 *
 * - **The state holds** when the same code, libraries, options and configuration made it, and what it describes is
 *   there. Otherwise everything is read and written.
 * - **The output is compared with it** when the machine started since: files are not brought to the disk one by one, so
 *   after a loss of power the state may be whole and they empty. What was written, or copied here, since the start is as
 *   it was written.
 * - **Nothing is to be done** when, besides, no file changed, nothing was shown or hidden by its date since, and every
 *   finding of that build follows from those files: what was left out, and what is an error, is looked at again by every
 *   build.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { join, relative } from 'node:path';
import { MANIFEST_KEY } from '../../contract/keys.ts';
import { engineName, engineVersions } from '../../media/engine.ts';
import type { BuildIdentity } from '../../release/manifest.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { FoundFiles } from '../../source/find-files.ts';
import { version } from '../../version.ts';
import type { BuildOptions } from '../context.ts';
import type { AsOf } from '../inputs/as-of.ts';
import { isSameLogo } from '../inputs/logo.ts';
import type { OutputFolder } from '../output-folder.ts';
import { holdsAt } from '../visible.ts';
import { readState, type State, type StateSummary } from './file.ts';
import type { Remembered } from './last-release.ts';
import { program } from './program.ts';
import { type FileStamps, isUnchanged } from './stamps.ts';

/** Digest of all that decides the output besides the content. */
export function digestInputs(
  { baseUrl, preview = false }: Pick<BuildOptions, 'baseUrl' | 'preview'>,
  configuration: Buffer | undefined,
): string {
  // Folding letters depends on the tables of Unicode that come with Node.
  const { unicode } = process.versions;
  const about = [version, program, unicode, baseUrl ?? null, preview, configuration === undefined];
  return createHash('sha256')
    .update(JSON.stringify(about))
    .update(configuration ?? '')
    .digest('hex');
}

/** The encoders of a release with images: those of other versions make other bytes, and may refuse other photos. */
export function engineOf(images: readonly string[]): string | undefined {
  return images.length === 0 ? undefined : engineName(engineVersions());
}

/**
 * The state of the last build, if it holds.
 *
 * @param isChecked whether the whole output is going to be compared with it: then it need not be looked at here.
 */
export function heldState(
  content: string,
  folder: OutputFolder,
  inputs: string,
  isChecked: boolean,
): State<Remembered> | undefined {
  const state = readState<Remembered>(folder.state);
  if (!state || state.summary.inputs !== inputs) return undefined;
  const { configuration, engine } = state.summary;
  if (!isSameLogo(content, configuration)) return undefined;
  if (engine !== undefined && engine !== engineName(engineVersions())) return undefined;
  return isChecked || hasOutputs(folder, state.summary) ? state : undefined;
}

function hasOutputs(folder: OutputFolder, summary: StateSummary): boolean {
  return summary.outputs.every((path) => existsSync(join(folder.root, path))) && hasManifest(folder, summary);
}

function hasManifest(folder: OutputFolder, { manifest }: StateSummary): boolean {
  const path = join(folder.public, MANIFEST_KEY);
  try {
    const { size, mtimeMs } = statSync(path);
    if (size === manifest.size && mtimeMs === manifest.modified) return true;
    // A copy of the output has other times.
    return createHash('sha256').update(readFileSync(path)).digest('hex') === manifest.digest;
  } catch {
    return false;
  }
}

/** Whether what a state describes may not have reached the disk before the machine lost power. */
export function mayBeLost(folder: OutputFolder): boolean {
  const stats = statSync(folder.state, { throwIfNoEntry: false });
  if (!stats) return false;
  const now = Date.now();
  // The change time cannot be set: it is that of the writing, or of the copying. One in the future proves nothing.
  return stats.ctimeMs < now - uptime() * 1000 || stats.ctimeMs > now + CLOCK_SKEW;
}

/** Milliseconds by which the clock of a file system may be ahead of this machine's. */
const CLOCK_SKEW = 60_000;

/** What a build finds before it reads a property. */
export type Findings = {
  readonly content: string;
  readonly found: FoundFiles;
  readonly stamps: FileStamps;
  readonly identity: BuildIdentity;
  readonly asOf: AsOf;
};

/** What the last build found, if it would be found again and nothing is to be written; undefined otherwise. */
export function diagnosticsIfSettled(
  { summary, stamps, rest }: State<Remembered>,
  now: Findings,
): readonly Diagnostic[] | undefined {
  if (!summary.settled || now.found.diagnostics.length > 0) return undefined;
  if (!holdsAt(summary.validity, now.asOf.instant)) return undefined;
  if (summary.identity.commit !== now.identity.commit) return undefined;
  const before = stamps();
  if (before === undefined || !isUnchanged(before, now.stamps, now.content)) return undefined;
  return summary.diagnostics === 0 ? [] : rest()?.diagnostics;
}

/**
 * Whether all findings of a build follow from the files that it stamped: none of them is an error, none was made while
 * looking for files, and no file was left out.
 */
export function isSettled(
  { diagnostics: found }: FoundFiles,
  diagnostics: readonly Diagnostic[],
  leftOut: readonly string[],
): boolean {
  return (
    found.length === 0 && leftOut.length === 0 && diagnostics.every(({ severity }) => severity !== 'error')
  );
}

/**
 * The files and folders that every release of this kind has, as paths below the output folder: a state whose output
 * lacks one describes nothing.
 *
 * @param keys of files below `dist/public`; of each the file or folder at the top stands for it.
 */
export function outputsOf(
  folder: OutputFolder,
  keys: Iterable<string>,
  targets: readonly string[],
): readonly string[] {
  const inside = (path: string) => relative(folder.root, path);
  const tops = new Set([...keys].map((key) => inside(join(folder.public, topOf(key)))));
  return [inside(folder.schema), ...targets.map((name) => inside(join(folder.edge, name))), ...tops];
}

/** The part of a key that names a file, or a folder of files of one kind. */
function topOf(key: string): string {
  const [first = '', second] = key.split('/');
  return first.startsWith('_') && second !== undefined ? `${first}/${second}` : first;
}
