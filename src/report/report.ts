/** Prints what a command found and did, in the format that was asked for. */
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import pico from 'picocolors';
import type { BuildResult } from '../build/build.ts';
import type { CheckResult } from '../build/check.ts';
import type { RepairedFile } from '../editing/repair-content.ts';
import { printable, printableJson } from '../printable.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { version } from '../version.ts';
import { bytes, plural } from '../words.ts';
import { reportRepairs } from './editing.ts';
import { githubDiagnostic } from './github.ts';
import { prettyDiagnostic } from './pretty.ts';
import type { Round } from './rounds.ts';
import { sarifLog } from './sarif.ts';

/** The formats of a report. */
export const FORMATS = ['pretty', 'json', 'github', 'sarif'] as const;

/** A format of a report. */
export type Format = (typeof FORMATS)[number];

/** Diagnostics printed at most; a report of ten thousand lines helps nobody. The counts are of all. */
const SHOWN = 200;

/** Mended findings of a round that are printed at most. */
const MENDED = 10;

/** Where a report goes. */
export type Sink = {
  /** Results: what a program reads. */
  readonly out: (text: string) => void;
  /** Diagnostics and progress: what a person reads. */
  readonly err: (text: string) => void;
  readonly color: boolean;
};

/** The content folder as the start of a path that the user's terminal can open. */
export function contentPrefix(content: string): string {
  const path = relative(process.cwd(), content).split(sep).join('/');
  return path === '' ? '' : `${path}/`;
}

/**
 * Path of the content folder from the root of its git repository, as services that annotate a repository want it; from
 * the working folder when it is in none.
 */
export function repositoryPrefix(content: string): string {
  const start = resolve(content);
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) {
      const path = relative(folder, start).split(sep).join('/');
      return path === '' ? '' : `${path}/`;
    }
    if (dirname(folder) === folder) return contentPrefix(content);
  }
}

/** Prints the outcome of a build. */
export function reportBuild(result: BuildResult, format: Format, content: string, sink: Sink): void {
  const prefix = contentPrefix(content);
  if (format === 'json') {
    printJson({ ...result, diagnostics: withPrefix(result.diagnostics, prefix) }, sink);
    return;
  }
  if (!reportDiagnostics(result.diagnostics, format, content, sink)) return;
  const tally = tallyOf(result.diagnostics);
  const colors = pico.createColors(sink.color);
  if (result.outcome === 'refused') {
    sink.err(`${colors.red('Nothing was written:')} ${tally}.\n`);
    return;
  }
  const { counts, work } = result;
  if (!counts) return;
  if (counts.properties + result.leftOut.length === 0) sink.err(noFilesText(content));
  const total = Object.values(result.seconds).reduce((sum, seconds) => sum + seconds, 0);
  if (result.leftOut.length > 0) {
    sink.err(`Left out ${plural(result.leftOut.length, 'file')} with errors:\n`);
    for (const path of result.leftOut) sink.err(`  ${printable(prefix + path)}\n`);
  }
  if (result.damaged.length > 0) {
    sink.err(`${plural(result.damaged.length, 'file')} of the output had been changed, now put right:\n`);
    for (const key of result.damaged.slice(0, SHOWN)) sink.err(`  ${printable(key)}\n`);
  }
  const lines = [
    `${plural(counts.properties, 'property')}, ${plural(counts.cities, 'city')}, ${plural(counts.countries, 'country')}`,
    [
      ...(counts.pages > 0 || counts.packed === 0 ? [plural(counts.pages, 'page')] : []),
      ...(counts.packed > 0 ? [plural(counts.packed, 'packed file')] : []),
      plural(counts.files, 'file'),
      ...(counts.pages > 0 || counts.packed === 0 ? [`${bytes(counts.pageBytes)} of lists`] : []),
    ].join(', '),
    `release ${result.release}`,
  ];
  if (result.outcome === 'unchanged') lines.push(`nothing changed, in ${seconds(total)}`);
  else {
    lines.push(`${plural(counts.images, 'image')}: ${work.made} made, ${work.reused} from the cache`);
    lines.push(`${plural(work.written, 'file')} written, ${work.removed} removed, in ${seconds(total)}`);
    const stages = Object.entries(result.seconds).map(([stage, time]) => `${stage} ${seconds(time)}`);
    lines.push(stages.join(', '));
  }
  for (const { name, message } of result.refusedTargets) {
    sink.err(`${colors.yellow('Passed over')} the target ${name}: ${printable(message)}\n`);
  }
  if (result.advice) {
    const { pages, packed } = result.advice;
    sink.err(
      `${colors.yellow('Many pages:')} lists are ${plural(pages.files, 'file')}, ${bytes(pages.bytes)}. With "layout: packed" they would be ${plural(packed.files, 'file')}, about ${bytes(packed.bytes)}, for a platform with compute at the edge.\n`,
    );
  }
  sink.err(`${colors.green('Built')} ${lines.join('\n      ')}\n`);
  if (result.diagnostics.length > 0) sink.err(`${tally}.\n`);
}

/** Prints the outcome of a check. */
export function reportCheck(
  result: CheckResult & { readonly repaired?: readonly RepairedFile[] },
  format: Format,
  content: string,
  sink: Sink,
): void {
  const prefix = contentPrefix(content);
  const { repaired } = result;
  if (format === 'json') {
    const files = repaired?.map(({ file, repairs }) => ({ file: prefix + file, repairs }));
    const diagnostics = withPrefix(result.diagnostics, prefix);
    printJson({ ...result, diagnostics, ...(files && { repaired: files }) }, sink);
    return;
  }
  if (repaired) reportRepairs(repaired, prefix, sink);
  if (!reportDiagnostics(result.diagnostics, format, content, sink)) return;
  const colors = pico.createColors(sink.color);
  const mark = result.diagnostics.some(({ severity }) => severity === 'error')
    ? colors.red('Checked')
    : colors.green('Checked');
  const { files, others } = result;
  if (files === 0) {
    sink.err(others?.files ? 'No property file is among the given paths.\n' : noFilesText(content));
  }
  sink.err(`${mark} ${plural(files, 'file')}: ${tallyOf(result.diagnostics)}.\n`);
  if (others && others.errors + others.warnings > 0) {
    const tally = tallyText(others.errors, others.warnings);
    sink.err(`Other files: ${tally}. Run "catalogue check" to see them.\n`);
  }
}

/** What a content folder without any property comes with. */
function noFilesText(content: string): string {
  return `Found no property file in ${printable(contentPrefix(content) || './')}: no name there ends in .yaml or .yml, besides catalogue.yaml. Run "catalogue new" to write one, or name another folder with --content.\n`;
}

/**
 * Prints diagnostics in a format. Services that annotate a repository get paths from its root, people those that their
 * terminal can open.
 *
 * @returns whether anything may follow: a SARIF log is a document of its own.
 */
export function reportDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: Exclude<Format, 'json'>,
  content: string,
  sink: Sink,
): boolean {
  if (format === 'pretty') printDiagnostics(diagnostics, format, contentPrefix(content), sink);
  else if (format === 'github') printDiagnostics(diagnostics, format, repositoryPrefix(content), sink);
  else printJson(sarifLog(diagnostics, repositoryPrefix(content), version), sink);
  return format !== 'sarif';
}

/** Prints a result as JSON. */
export function printJson(value: unknown, sink: Sink): void {
  sink.out(`${printableJson(value)}\n`);
}

/** Diagnostics with paths from the working folder. */
export function withPrefix(diagnostics: readonly Diagnostic[], prefix: string): Diagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...diagnostic, file: prefix + diagnostic.file }));
}

/** Prints diagnostics, errors first in need: warnings give way when there are too many. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: 'pretty' | 'github',
  prefix: string,
  sink: Sink,
): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const shown = new Set(
    errors.length >= SHOWN ? errors.slice(0, SHOWN) : [...errors, ...warnings(diagnostics)].slice(0, SHOWN),
  );
  const colors = pico.createColors(sink.color);
  for (const diagnostic of diagnostics) {
    if (!shown.has(diagnostic)) continue;
    if (format === 'github') sink.out(`${githubDiagnostic(diagnostic, prefix)}\n`);
    else sink.err(`${prettyDiagnostic(diagnostic, prefix, colors)}\n\n`);
  }
  const hidden = diagnostics.length - shown.size;
  if (hidden > 0) sink.err(`... and ${hidden} more; --format json lists them all.\n\n`);
}

/** Prints what is new since the last round, and a line for each finding that is mended. */
export function printRound({ fresh, mended }: Round, prefix: string, sink: Sink): void {
  printDiagnostics(fresh, 'pretty', prefix, sink);
  const colors = pico.createColors(sink.color);
  for (const { file, code } of mended.slice(0, MENDED)) {
    sink.err(`${colors.green('Mended:')} ${printable(prefix + file)}  ${colors.dim(printable(code))}\n`);
  }
  if (mended.length > MENDED) sink.err(`${colors.green('Mended:')} ${mended.length - MENDED} more\n`);
}

function warnings(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'warning');
}

/** "2 errors, 1 warning", or "no errors". */
export function tallyOf(diagnostics: readonly Diagnostic[]): string {
  const doubts = warnings(diagnostics).length;
  return tallyText(diagnostics.length - doubts, doubts);
}

function tallyText(errors: number, doubts: number): string {
  const parts = [errors === 0 ? 'no errors' : plural(errors, 'error')];
  if (doubts > 0) parts.push(plural(doubts, 'warning'));
  return parts.join(', ');
}

function seconds(value: number): string {
  return `${value.toFixed(2)} s`;
}
