/** `check`: finds everything that `build` would find wrong, and writes nothing. */
import { resolve } from 'node:path';
import { CONFIGURATION_FILE } from '../source/content-path.ts';
import { compareDiagnostics, type Diagnostic, isError } from '../source/diagnostic.ts';
import { inspectRecordMedia } from './images/images.ts';
import { readAsOf } from './inputs/as-of.ts';
import { readConfiguration } from './inputs/configuration.ts';
import { withLogo } from './inputs/logo.ts';
import { scan } from './inputs/scan.ts';
import { outputFolder } from './output-folder.ts';
import { createStopwatch, type Listener, type Stage } from './progress.ts';
import { crossDiagnostics, dateFindings } from './read/catalogue.ts';
import { readFolder } from './read/folder.ts';

/** What to check. */
export type CheckOptions = {
  /** The content folder. @default 'content' */
  readonly content?: string;
  /** The output folder, whose cache of photos is proof of those that were made before. @default 'dist' */
  readonly out?: string;
  /** The instant that dates are compared with. @default the time of the commit; outside git, now */
  readonly asOf?: Date;
  /** Whether findings of a file, relative to the content folder, are asked for. @default all are */
  readonly isWanted?: (file: string) => boolean;
  /** Threads. @default what the work is worth, the cores of the machine at most */
  readonly jobs?: number;
  /** Hears of the progress. */
  readonly listener?: Listener;
};

/** What was found. */
export type CheckResult = {
  /** Of the files that are asked for. Where the configuration has errors, those: no file can be judged then. */
  readonly diagnostics: readonly Diagnostic[];
  /** Number of YAML files that are asked for, without the configuration. */
  readonly files: number;
  /** All other files; absent when every file is asked for. */
  readonly others?: OtherFiles;
  /** Seconds of each stage. */
  readonly seconds: Partial<Record<Stage, number>>;
};

/** Numbers of files that were not asked for, and of what is wrong in them. */
type OtherFiles = { readonly files: number; readonly errors: number; readonly warnings: number };

/**
 * Checks a content folder: the same diagnostics as of a build.
 *
 * @throws UsageError when there is no such folder.
 *
 * @example
 * const { diagnostics } = await check({ content: 'content' });
 * diagnostics.length // 0
 */
export async function check(options: CheckOptions = {}): Promise<CheckResult> {
  const listener = options.listener ?? (() => {});
  const stopwatch = createStopwatch(listener);
  const content = resolve(options.content ?? 'content');
  stopwatch.start('scan');
  const asked = readAsOf(content, options.asOf);
  // A wrong setting hides nothing of what is wrong elsewhere.
  const { usable: configuration, diagnostics: faults } = readConfiguration(content);
  const found = scan(content, configuration);
  stopwatch.start('read');
  const { files } = found;
  const records = await readFolder({ content, configuration, files, jobs: options.jobs, listener });
  const diagnostics = [
    ...found.diagnostics,
    ...faults,
    ...withLogo(content, configuration).diagnostics,
    ...crossDiagnostics(content, records),
    ...records.flatMap((record) => record.diagnostics),
    ...dateFindings(content, records, (await asked).instant),
  ];
  stopwatch.start('media');
  const cacheFolder = outputFolder(options.out ?? 'dist').mediaCache;
  const stage = { content, configuration, cacheFolder, listener };
  diagnostics.push(...(await inspectRecordMedia(stage, records)));
  const seconds = stopwatch.stop();
  diagnostics.sort(compareDiagnostics);
  if (!options.isWanted) return { diagnostics, files: files.length, seconds };
  const { isWanted: isAskedFor } = options;
  // What is wrong with the configuration concerns every file.
  const isWanted = (file: string) => file === CONFIGURATION_FILE || isAskedFor(file);
  const wanted = files.filter(isWanted).length;
  const others = diagnostics.filter(({ file }) => !isWanted(file));
  const errors = others.filter(isError).length;
  return {
    diagnostics: diagnostics.filter(({ file }) => isWanted(file)),
    files: wanted,
    others: { files: files.length - wanted, errors, warnings: others.length - errors },
    seconds,
  };
}
