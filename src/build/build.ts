/** `build`: from a content folder to `dist`. */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FilePatterns } from '../source/find-files.ts';
import type { BuildContext, BuildOptions, BuildResult, Counts } from './context.ts';
import { asOfOr } from './inputs/as-of.ts';
import { readIdentity } from './inputs/git-commit.ts';
import { readConfigurationBytes, scan } from './inputs/scan.ts';
import { type Lock, takeLock } from './lock.ts';
import { outputFolder, previewFolder, refuseOverlap } from './output-folder.ts';
import { createStopwatch, type Listener } from './progress.ts';
import { observationTime, stampFiles } from './state/stamps.ts';
import { diagnosticsIfSettled, digestInputs, heldState, mayBeLost } from './state/trust.ts';
import { openThreads } from './threads/pool.ts';

/** Files that one thread reads in what is left of the start of another one, while this one loads what it needs. */
const FILES_PER_PREPARED_THREAD = 300;

/**
 * Builds `dist`. Any error in the content leaves `dist` as it was; a build that is killed leaves it for the next one
 * to repair.
 *
 * @throws UsageError for options or a configuration that cannot be; EnvironmentError, or an error of the file system,
 *   when the machine is at fault.
 *
 * @example
 * const { outcome, diagnostics } = await build({ content: 'content', out: 'dist' });
 */
export async function build(options: BuildOptions = {}): Promise<BuildResult> {
  let lock: Lock | undefined;
  const listener: Listener = (event) => {
    options.signal?.throwIfAborted();
    lock?.beat();
    options.listener?.(event);
  };
  const stopwatch = createStopwatch(listener);
  const content = resolve(options.content ?? 'content');
  const folder = (options.preview ? previewFolder : outputFolder)(options.out ?? 'dist');
  stopwatch.start('scan');
  const configurationBytes = readConfigurationBytes(content);
  refuseOverlap(content, folder.root);
  lock = takeLock(folder.lock);
  const threads = openThreads(options.jobs);
  try {
    const given = { options, content, folder, configurationBytes, listener, stopwatch, threads };
    const context = await look(given);
    const settled = settledResult(context);
    if (settled) return settled;
    if (!context.state) threads.prepare('read', context.found.files.length / FILES_PER_PREPARED_THREAD);
    // A build that has nothing to do needs none of this.
    const { buildRelease } = await import('./build-release.ts');
    return await buildRelease(context);
  } finally {
    await threads.stop();
    rmSync(folder.staging, { recursive: true, force: true });
    lock.release();
  }
}

/** What a build is given, and what it opened. */
type Given = Pick<
  BuildContext,
  'options' | 'content' | 'folder' | 'configurationBytes' | 'listener' | 'stopwatch' | 'threads'
>;

/** Looks at everything that decides whether there is something to do; nothing but the configuration is read. */
async function look(given: Given): Promise<BuildContext> {
  const { options, content, folder, configurationBytes } = given;
  const since = observationTime(content, folder.lock);
  const inputs = digestInputs(options, configurationBytes);
  const checkOutput = options.checkOutput || mayBeLost(folder);
  const state = options.force ? undefined : heldState(content, folder, inputs, checkOutput);
  // Git answers while files are looked for.
  const asked = readIdentity(content);
  const found = scan(content, state ? state.summary.configuration : await readPatterns(configurationBytes));
  const stamps = stampFiles(content, found.files);
  const identity = await asked;
  const asOf = asOfOr(options.asOf, identity);
  return { ...given, found, stamps, identity, asOf, inputs, since, checkOutput, state };
}

/** The result of a build that has nothing to do; undefined when there is something. */
function settledResult(context: BuildContext): BuildResult | undefined {
  const { state, checkOutput, stopwatch, asOf } = context;
  const diagnostics = state && !checkOutput ? diagnosticsIfSettled(state, context) : undefined;
  if (!state || !diagnostics) return undefined;
  const { counts, hidden, leftOut, refusedTargets, release } = state.summary;
  return {
    outcome: 'unchanged',
    diagnostics,
    leftOut,
    asOf,
    hidden,
    release,
    refusedTargets,
    damaged: [],
    counts: counts as Counts,
    advice: undefined,
    work: { written: 0, removed: 0, made: 0, reused: 0 },
    seconds: stopwatch.stop(),
  };
}

/** The patterns of the files to read; what reads a configuration is loaded only where there is one to read. */
async function readPatterns(configuration: Buffer | undefined): Promise<FilePatterns | undefined> {
  if (!configuration) return undefined;
  const { checkConfiguration } = await import('../source/configuration-file.ts');
  return checkConfiguration(configuration).usable;
}
