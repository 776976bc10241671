/**
 * Decides what a build can take over from the last one:
 * - **The state is used** if the same code, libraries, image encoders, options, configuration and logo made it.
 * Otherwise everything is read and written.
 * - **The output is compared with the state** if stamps of output files changed (`output-stamps.ts`), or if the
 * machine was restarted after the last build. Files are not flushed to disk one by one, so a power loss may leave a
 * complete state and empty output files. Files written or copied here after the restart are intact.
 * - **Nothing is done** if the state is used, the output need not be compared, neither a file nor the commit changed,
 * no date shows or hides a property, and all diagnostics depend only on those files. Files with errors, and files left
 * out, are checked again by every build.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { uptime } from 'node:os';
import { engineName, engineVersions } from '../../media/engine-version.ts';
import { version } from '../../package/version.ts';
import type { BuildIdentity } from '../../release/root-contents.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { type FindingCounts, type Findings, hasErrors } from '../../source/findings.ts';
import { storedFindings } from '../build-findings.ts';
import type { BuildOptions } from '../context.ts';
import type { AsOf } from '../inputs/as-of.ts';
import { isSameLogo } from '../inputs/logo.ts';
import type { OutputFolder } from '../output-folder.ts';
import { isInUnchangedRange } from '../visible-at.ts';
import { type FileStamps, hasSameStamps } from './content-stamps.ts';
import type { StoredRelease } from './last-release.ts';
import { programDigest } from './program-digest.ts';
import { type BuildState, readState } from './state-file.ts';

/** Digest of all inputs except the content: program, options and configuration. */
export function digestSetup(
  { baseUrl, layout, preview = false }: Pick<BuildOptions, 'baseUrl' | 'layout' | 'preview'>,
  configuration: Buffer | undefined,
): string {
  // Case folding depends on Node's Unicode tables.
  const { unicode } = process.versions;
  const settings = [baseUrl ?? null, layout ?? null, preview, configuration === undefined];
  return createHash('sha256')
    .update(JSON.stringify([version, programDigest, unicode, ...settings]))
    .update(configuration ?? '')
    .digest('hex');
}

/** Undefined without images. Another version of an encoder may make other bytes and refuse other photos. */
export function encoderVersionsIfNeeded(images: readonly string[]): string | undefined {
  return images.length === 0 ? undefined : engineName(engineVersions());
}

/** Undefined without a state, or if program, options, configuration, logo or image encoders have changed since. */
export function readUsableState(
  content: string,
  folder: OutputFolder,
  inputs: string,
): BuildState<StoredRelease> | undefined {
  const state = readState<StoredRelease>(folder.state);
  if (!state || state.summary.inputs !== inputs) return undefined;
  const { configuration, engine } = state.summary;
  if (!isSameLogo(content, configuration)) return undefined;
  if (engine !== undefined && engine !== engineName(engineVersions())) return undefined;
  return state;
}

/** Whether the machine may have stopped before the files of the last build reached the disk. */
export function mayHaveLostWrites(folder: OutputFolder): boolean {
  const stats = statSync(folder.state, { throwIfNoEntry: false });
  if (!stats) return false;
  const now = Date.now();
  // Programs cannot set the change time, so it tells when the file was written or copied here. A time in the future
  // proves nothing.
  return stats.ctimeMs < now - uptime() * 1000 || stats.ctimeMs > now + CLOCK_SKEW;
}

/** Milliseconds by which a file system's clock may be ahead. */
const CLOCK_SKEW = 60_000;

export type CurrentContent = {
  readonly content: string;
  readonly scanned: readonly Diagnostic[];
  readonly stamps: FileStamps;
  readonly identity: BuildIdentity;
  readonly asOf: AsOf;
};

/** Undefined if a build might report other findings or write something. */
export function findingsIfUnchanged(
  state: BuildState<StoredRelease>,
  now: CurrentContent,
): Findings | undefined {
  const { summary, stamps } = state;
  if (!summary.settled || now.scanned.length > 0) return undefined;
  if (!isInUnchangedRange(summary.validity, now.asOf.instant)) return undefined;
  if (summary.identity.commit !== now.identity.commit) return undefined;
  const before = stamps();
  if (before === undefined || !hasSameStamps(before, now.stamps, now.content)) return undefined;
  return storedFindings(state);
}

/**
 * Whether unchanged stamps of the files mean unchanged findings. False if there are errors or files left out, or if
 * listing the files had findings.
 */
export function dependsOnStampsOnly(
  scanned: readonly Diagnostic[],
  findings: FindingCounts,
  leftOut: readonly string[],
): boolean {
  return scanned.length === 0 && leftOut.length === 0 && !hasErrors(findings);
}
