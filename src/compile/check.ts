import { resolve } from 'node:path';
import type { FieldTable } from '../contract/fields.ts';
import type { HostName } from '../contract/hosts.ts';
import { declaredTerms } from '../contract/terms.ts';
import type { UsageError } from '../errors/errors.ts';
import { readConfiguration } from '../source/configuration-file.ts';
import { CONFIGURATION_FILE } from '../source/content-path.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type Findings, findingsOf, hasErrors, totalCount } from '../source/findings.ts';
import { scanContent } from '../source/scan-content.ts';
import { addCounts, type TextCounts } from '../source/translation-counts.ts';
import { countFindings, createFindings, withDiagnostics } from './build-findings.ts';
import { inspectRecordPhotos } from './images/record-images.ts';
import { readAsOf } from './inputs/as-of.ts';
import { withLogo } from './inputs/logo.ts';
import { outputFolder } from './output-folder.ts';
import { createStopwatch, type Listener, type Stage } from './progress.ts';
import { crossFileDiagnostics, dateDiagnostics } from './read/catalogue.ts';
import { readFolder } from './read/folder.ts';
import { filterVisible } from './visible-at.ts';

export type CheckOptions = {
  readonly content?: string;
  /** Output folder; its image cache tells which photos were processed already. @default 'dist' */
  readonly out?: string;
  /** Instant that dates are compared with. @default the commit's time; without Git, now */
  readonly asOf?: Date;
  /** Selects files by their path relative to the content folder. @default all files */
  readonly isWanted?: ((file: string) => boolean) | undefined;
  /** Number of threads. @default as many as the work justifies, at most one per core */
  readonly jobs?: number;
  readonly listener?: Listener;
};

export type CheckResult = {
  /** Findings of the selected files, and always of the configuration. */
  readonly findings: Findings;
  /** Computed on first access and not enumerable, since there may be millions. */
  readonly diagnostics: readonly Diagnostic[];
  readonly files: number;
  /** Counts for the files that were not selected; undefined without `isWanted`. */
  readonly others?: OtherFiles;
  /**
   * By language and field. `of`: number of texts that exist in any language. `texts`: how many of them are translated.
   * Undefined if there is only one language.
   */
  readonly languages?: Languages;
  readonly seconds: Partial<Record<Stage, number>>;
  readonly host?: HostName;
  /** Set if the configured host does not accept the catalogue. Not determined if there are errors. */
  readonly unfit?: UsageError;
};

type Languages = Readonly<
  Record<string, Readonly<Record<string, { readonly texts: number; readonly of: number }>>>
>;

function languagesOf(counts: TextCounts, { languages }: FieldTable): Languages | undefined {
  const [, ...others] = languages;
  if (others.length === 0) return undefined;
  const existing = Object.entries(counts).filter(([, [of]]) => of! > 0);
  return Object.fromEntries(
    others.map((language, index) => [
      language,
      Object.fromEntries(existing.map(([name, [of, ...own]]) => [name, { texts: own[index]!, of: of! }])),
    ]),
  );
}

type OtherFiles = { readonly files: number; readonly errors: number; readonly warnings: number };

/**
 * Reports the same diagnostics as a build, but writes nothing.
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
  // Invalid settings must not prevent the check of files.
  const { usable: configuration, diagnostics: faults } = readConfiguration(content);
  const found = scanContent(content, configuration);
  stopwatch.start('read');
  const { files } = found;
  const texts: TextCounts = {};
  const onTexts = (counts: TextCounts) => addCounts(texts, counts);
  const { jobs } = options;
  const records = await readFolder({ content, configuration, files, jobs, listener, onTexts });
  const asOf = await asked;
  const otherFindings = [
    ...found.diagnostics,
    ...faults,
    ...withLogo(content, configuration).diagnostics,
    ...crossFileDiagnostics(content, records),
    ...dateDiagnostics(content, records, asOf.instant),
  ];
  stopwatch.start('media');
  const folder = outputFolder(options.out ?? 'dist');
  const stage = { content, configuration, cacheFolder: folder.mediaCache, listener };
  otherFindings.push(...(await inspectRecordPhotos(stage, records)));
  const findings = createFindings(records, otherFindings, countFindings(records, otherFindings));
  let unfit: UsageError | undefined;
  if (configuration.host && !hasErrors(findings)) {
    const { hostRefusal } = await import('./host-refusal.ts');
    unfit = hostRefusal(configuration, filterVisible(records, asOf.instant), { content, folder });
  }
  const seconds = stopwatch.stop();
  const { fields } = declaredTerms(configuration);
  const languages = languagesOf(texts, fields);
  const { host } = configuration;
  const whole = { seconds, ...(languages && { languages }), ...(host && { host }), ...(unfit && { unfit }) };
  if (!options.isWanted) return withDiagnostics<CheckResult>({ findings, files: files.length, ...whole });
  const { isWanted: isAskedFor } = options;
  // Findings of the configuration are always reported, since it affects every file.
  const isWanted = (file: string) => file === CONFIGURATION_FILE || isAskedFor(file);
  const wanted = files.filter(isWanted).length;
  const selected: Diagnostic[] = [];
  for (const found of findings) if (isWanted(found.file)) selected.push(found);
  const own = findingsOf(selected);
  return withDiagnostics<CheckResult>({
    findings: own,
    files: wanted,
    others: {
      files: files.length - wanted,
      errors: totalCount(findings.errors) - totalCount(own.errors),
      warnings: totalCount(findings.warnings) - totalCount(own.warnings),
    },
    ...whole,
  });
}
