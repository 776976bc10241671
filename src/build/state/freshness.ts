/**
 * Decides how far a build may rely on the last one's state and output. Every shortcut of a build is decided here:
 *
 * - **The state is used** when the same code, libraries, options and configuration made it, and the files that it lists
 *   exist. Otherwise everything is read and written.
 * - **The output is compared with it** when the machine started since: files are not flushed to the disk one by one, so
 *   after a power loss the state may be complete and output files empty. Files written or copied here since the start
 *   are intact.
 * - **Nothing is done** when, in addition, no file changed, no date showed or hid a property since, and every
 *   diagnostic of that build depends only on those files. Files left out and errors are checked again by every build.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { join, relative } from 'node:path';
import { MANIFEST_KEY } from '../../contract/keys.ts';
import { engineName, engineVersions } from '../../media/engine.ts';
import type { BuildIdentity } from '../../release/manifest.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { version } from '../../version.ts';
import type { BuildOptions } from '../context.ts';
import type { AsOf } from '../inputs/as-of.ts';
import { isSameLogo } from '../inputs/logo.ts';
import type { OutputFolder } from '../output-folder.ts';
import { holdsAt } from '../visible.ts';
import { readState, type State, type StateSummary } from './file.ts';
import type { StoredRelease } from './last-release.ts';
import { program } from './program.ts';
import { type FileStamps, isUnchanged } from './stamps.ts';

/** Returns the digest of all inputs other than the content. */
export function digestInputs(
  { baseUrl, layout, preview = false }: Pick<BuildOptions, 'baseUrl' | 'layout' | 'preview'>,
  configuration: Buffer | undefined,
): string {
  // Case folding depends on the Unicode tables of Node.
  const { unicode } = process.versions;
  const about = [
    version,
    program,
    unicode,
    baseUrl ?? null,
    layout ?? null,
    preview,
    configuration === undefined,
  ];
  return createHash('sha256')
    .update(JSON.stringify(about))
    .update(configuration ?? '')
    .digest('hex');
}

/**
 * Returns the versions of the image encoders; undefined without images. Other versions make other bytes, and may refuse
 * other photos.
 */
export function engineOf(images: readonly string[]): string | undefined {
  return images.length === 0 ? undefined : engineName(engineVersions());
}

/**
 * Returns the last build's state, if it can be used.
 *
 * @param isChecked whether the whole output will be compared with it, so that no check is needed here.
 */
export function usableState(
  content: string,
  folder: OutputFolder,
  inputs: string,
  isChecked: boolean,
): State<StoredRelease> | undefined {
  const state = readState<StoredRelease>(folder.state);
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

/** Whether output files may be lost because the machine stopped before they reached the disk. */
export function mayBeLost(folder: OutputFolder): boolean {
  const stats = statSync(folder.state, { throwIfNoEntry: false });
  if (!stats) return false;
  const now = Date.now();
  // Programs cannot set the change time: it is that of writing or copying. A future time proves nothing.
  return stats.ctimeMs < now - uptime() * 1000 || stats.ctimeMs > now + CLOCK_SKEW;
}

/** Milliseconds by which a file system's clock may be ahead of this machine's. */
const CLOCK_SKEW = 60_000;

/** Facts that a build collects before it reads properties. */
export type Findings = {
  readonly content: string;
  readonly scanned: readonly Diagnostic[];
  readonly stamps: FileStamps;
  readonly identity: BuildIdentity;
  readonly asOf: AsOf;
};

/** Returns the last build's diagnostics, if a build would give the same and write nothing; undefined otherwise. */
export function diagnosticsIfSettled(
  { summary, stamps, diagnostics }: State<StoredRelease>,
  now: Findings,
): readonly Diagnostic[] | undefined {
  if (!summary.settled || now.scanned.length > 0) return undefined;
  if (!holdsAt(summary.validity, now.asOf.instant)) return undefined;
  if (summary.identity.commit !== now.identity.commit) return undefined;
  const before = stamps();
  if (before === undefined || !isUnchanged(before, now.stamps, now.content)) return undefined;
  return summary.diagnostics === 0 ? [] : diagnostics();
}

/**
 * Whether all diagnostics of a build depend only on the files that it stamped: there is no error, none is from listing
 * files, and no file was left out.
 */
export function isSettled(
  scanned: readonly Diagnostic[],
  diagnostics: readonly Diagnostic[],
  leftOut: readonly string[],
): boolean {
  return (
    scanned.length === 0 && leftOut.length === 0 && diagnostics.every(({ severity }) => severity !== 'error')
  );
}

/**
 * Returns the files and folders that every release of this kind has, as paths in the output folder. A state whose
 * output lacks one is not used.
 *
 * @param keys keys of files in `dist/public`; each is represented by its top file or folder.
 */
export function outputsOf(
  folder: OutputFolder,
  keys: Iterable<string>,
  targets: readonly string[],
): readonly string[] {
  const inside = (path: string) => relative(folder.root, path);
  const tops = new Set([...keys].map((key) => inside(join(folder.public, topEntry(key)))));
  return [inside(folder.schema), ...targets.map((name) => inside(join(folder.edge, name))), ...tops];
}

/** Returns the top part of a key: a file, or a folder of one kind of files. */
function topEntry(key: string): string {
  const [first = '', second] = key.split('/');
  return first.startsWith('_') && second !== undefined ? `${first}/${second}` : first;
}
