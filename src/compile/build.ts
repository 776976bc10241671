import { existsSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CURRENT_KEY } from '../contract/object-keys.ts';
import {
  FILE_MODE,
  FOLDER_MODE,
  hasMode,
  rememberUmask,
  restoreModes,
  setMode,
} from '../files/published-modes.ts';
import type { FilePatterns } from '../source/find-property-files.ts';
import { readConfigurationBytes, scanContent } from '../source/scan-content.ts';
import { createBuildResult } from './build-findings.ts';
import type { BuildContext, BuildOptions, BuildResult } from './context.ts';
import { limitsAndCostsOf } from './host-limits.ts';
import { resolveAsOf } from './inputs/as-of.ts';
import { readBuildIdentity } from './inputs/git-commit.ts';
import { devFolder, type OutputFolder, outputFolder, refuseOverlap } from './output-folder.ts';
import { type OutputLock, takeOutputLock } from './output-lock.ts';
import { createStopwatch, type Listener } from './progress.ts';
import { currentFileSystemTime, readFileStamps } from './state/content-stamps.ts';
import { isDamagedStateError } from './state/damage.ts';
import { digestSetup, findingsIfUnchanged, mayHaveLostWrites, readUsableState } from './state/freshness.ts';
import { outputChangeFlags } from './state/output-stamps.ts';
import { openThreads } from './threads/pool.ts';

/** Number of files that justify one more thread, which starts while the main thread loads modules. */
const FILES_PER_PREPARED_THREAD = 300;

/**
 * Builds `dist`. If the content is refused, only the image cache changes. After a killed build, the next build repairs
 * `dist`.
 * @throws UsageError for invalid options, a missing content folder, or a catalogue that `host`, `max_files` or a target
 * does not accept; EnvironmentError or a file system error for problems of the machine
 * @example
 * const { outcome, diagnostics } = await build({ content: 'content', out: 'dist' });
 */
export async function build(options: BuildOptions = {}): Promise<BuildResult> {
  try {
    return await buildOnce(options);
  } catch (error) {
    if (options.force || !isDamagedStateError(error)) throw error;
    return buildOnce({ ...options, force: true });
  }
}

async function buildOnce(options: BuildOptions): Promise<BuildResult> {
  let lock: OutputLock | undefined;
  const listener: Listener = (event) => {
    options.signal?.throwIfAborted();
    lock?.beat();
    options.listener?.(event);
  };
  const stopwatch = createStopwatch(listener);
  const content = resolve(options.content ?? 'content');
  const folder = (options.preview ? devFolder : outputFolder)(options.out ?? 'dist');
  stopwatch.start('scan');
  const configurationBytes = readConfigurationBytes(content);
  refuseOverlap(content, folder.root);
  // Preview builds are never published, so their files may stay private to the user.
  if (!options.preview) rememberUmask();
  lock = takeOutputLock(folder.lock);
  const threads = openThreads(options.jobs);
  try {
    const given = { options, content, folder, configurationBytes, listener, stopwatch, threads };
    const context = await collectContext(given);
    // Imported only here, since a build without changes starts faster without these modules.
    const built =
      unchangedResult(context) ?? (await (await import('./build-release.ts')).buildRelease(context));
    if (!options.preview && built.outcome !== 'refused') await repairModes(folder, context.comparesOutput);
    return built;
  } finally {
    try {
      await threads.stop();
      rmSync(folder.staging, { recursive: true, force: true });
    } finally {
      lock.release();
    }
  }
}

/**
 * An earlier build may have run with a umask that left files unreadable for a web server. Repairs the modes of all
 * files if one of the four paths checked here has the wrong mode, or if `comparesOutput`. New files get the right mode.
 */
async function repairModes(folder: OutputFolder, comparesOutput: boolean): Promise<void> {
  const isSound = (path: string, mode: number) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    return !stats || hasMode(stats, mode);
  };
  const folders = [folder.root, folder.public, folder.edge];
  const isFile = isSound(join(folder.public, CURRENT_KEY), FILE_MODE);
  if (!comparesOutput && isFile && folders.every((path) => isSound(path, FOLDER_MODE))) return;
  for (const path of [folder.public, folder.edge]) if (existsSync(path)) await restoreModes(path);
  if (existsSync(folder.public)) setMode(folder.root, FOLDER_MODE);
}

type Given = Pick<
  BuildContext,
  'options' | 'content' | 'folder' | 'configurationBytes' | 'listener' | 'stopwatch' | 'threads'
>;

async function collectContext(given: Given): Promise<BuildContext> {
  const { options, content, folder, configurationBytes } = given;
  const since = currentFileSystemTime(content, folder.lock);
  const inputs = digestSetup(options, configurationBytes);
  const state = options.force ? undefined : readUsableState(content, folder, inputs);
  const changed = state ? outputChangeFlags(folder, state.summary.outputs) : NO_CHANGES;
  const comparesOutput = options.force === true || changed.outsideEdge || mayHaveLostWrites(folder);
  // Started here, so that Git runs while files are listed.
  const asked = readBuildIdentity(content);
  const patterns = state ? state.summary.configuration : await readPatterns(configurationBytes);
  const { files, diagnostics: scanned } = scanContent(content, patterns);
  const stamps = await readFileStamps(content, files, given.threads);
  if (!state) given.threads.prepare('read', files.length / FILES_PER_PREPARED_THREAD);
  const left = [files];
  const takeFiles = () => left.pop()!;
  const identity = await asked;
  const asOf = resolveAsOf(options.asOf, identity);
  return {
    ...given,
    scanned,
    takeFiles,
    stamps,
    identity,
    asOf,
    inputs,
    since,
    comparesOutput,
    renewsEdge: changed.edge,
    state,
  };
}

const NO_CHANGES = { edge: false, outsideEdge: false };

function unchangedResult(context: BuildContext): BuildResult | undefined {
  const { state, comparesOutput, renewsEdge } = context;
  const isIntact = !comparesOutput && !renewsEdge;
  const findings = state && isIntact ? findingsIfUnchanged(state, context) : undefined;
  if (!state || !findings) return undefined;
  const { counts, hidden, leftOut, refusedTargets, release } = state.summary;
  return createBuildResult(context, {
    outcome: 'unchanged',
    findings,
    leftOut,
    hidden,
    release,
    refusedTargets,
    counts,
    host: limitsAndCostsOf(state.summary.configuration, counts.files, 0),
  });
}

async function readPatterns(configuration: Buffer | undefined): Promise<FilePatterns | undefined> {
  if (!configuration) return undefined;
  const { checkConfiguration } = await import('../source/configuration-file.ts');
  return checkConfiguration(configuration).usable;
}
