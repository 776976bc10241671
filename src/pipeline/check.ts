/** `check`: finds everything that `build` would find wrong, and writes nothing. */
import { resolve } from 'node:path';
import { outputFolder } from '../emit/output-folder.ts';
import { checkConfiguration } from '../source/configuration-file.ts';
import { compareDiagnostics, type Diagnostic } from '../source/diagnostic.ts';
import { NOTHING_KNOWN } from './known.ts';
import { inspectRecordMedia } from './media-stage.ts';
import { createStopwatch, type Listener, type Stage } from './progress.ts';
import { crossDiagnostics, readRecords, withoutErrors } from './read-catalogue.ts';
import { readConfigurationBytes, scan } from './scan.ts';
import { withThreads } from './threads.ts';

/** What to check. */
export type CheckOptions = {
  /** The content folder. @default 'content' */
  readonly content?: string;
  /** The output folder, whose cache of photos is proof of those that were made before. @default 'dist' */
  readonly out?: string;
  /** Threads. @default what the work is worth, the cores of the machine at most */
  readonly jobs?: number;
  /** Hears of the progress. */
  readonly listener?: Listener;
};

/** What was found. */
export type CheckResult = {
  readonly diagnostics: readonly Diagnostic[];
  /** Number of YAML files, without the configuration. */
  readonly files: number;
  /** Seconds of each stage. */
  readonly seconds: Partial<Record<Stage, number>>;
};

/**
 * Checks a content folder: the same diagnostics as of a build.
 *
 * @throws UsageError when there is no such folder.
 */
export async function check(options: CheckOptions = {}): Promise<CheckResult> {
  const listener = options.listener ?? (() => {});
  const stopwatch = createStopwatch(listener);
  const content = resolve(options.content ?? 'content');
  stopwatch.start('scan');
  const found = scan(content);
  const { configuration, diagnostics: faults } = checkConfiguration(readConfigurationBytes(content));
  if (!configuration) {
    const diagnostics = [...found.diagnostics, ...faults].sort(compareDiagnostics);
    return { diagnostics, files: found.files.length, seconds: stopwatch.stop() };
  }
  stopwatch.start('read');
  const { files } = found;
  const records = await withThreads(options.jobs, (threads) =>
    readRecords({
      content,
      configuration,
      files,
      known: NOTHING_KNOWN,
      staging: undefined,
      threads,
      listener,
    }),
  );
  const diagnostics = [
    ...found.diagnostics,
    ...crossDiagnostics(content, records),
    ...records.flatMap((record) => record.diagnostics),
  ];
  stopwatch.start('media');
  const cacheFolder = outputFolder(options.out ?? 'dist').mediaCache;
  const sound = withoutErrors(records, diagnostics);
  diagnostics.push(...(await inspectRecordMedia({ content, configuration, cacheFolder, listener }, sound)));
  return {
    diagnostics: diagnostics.sort(compareDiagnostics),
    files: files.length,
    seconds: stopwatch.stop(),
  };
}
