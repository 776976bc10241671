/** Prints diagnostics in all report formats. */
import { printable } from '../printable.ts';
import { type Diagnostic, isError } from '../source/diagnostic.ts';
import { version } from '../version.ts';
import { number, plural } from '../words.ts';
import { colorsOf } from './colors.ts';
import { contentPrefix, repositoryPrefix } from './content.ts';
import { githubDiagnostic } from './github.ts';
import { prettyDiagnostic } from './pretty.ts';
import type { Round } from './rounds.ts';
import { sarifLog } from './sarif.ts';
import { printJson, type Sink } from './sink.ts';

export const FORMATS = ['pretty', 'json', 'github', 'sarif'] as const;

export type Format = (typeof FORMATS)[number];

/** Largest number of printed diagnostics: a report of ten thousand lines helps nobody. The counts include all. */
export const SHOWN = 200;

/** Largest number of resolved findings printed per round. */
const FIXED = 10;

/**
 * Prints diagnostics in a format. Paths start at the repository's root for services that annotate it, and at the
 * working folder for people.
 *
 * @returns whether further output may follow; false after a SARIF log, which is a complete document.
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

/** Prefixes the files of diagnostics, for paths from the working folder. */
export function withPrefix(diagnostics: readonly Diagnostic[], prefix: string): Diagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...diagnostic, file: prefix + diagnostic.file }));
}

/** Prints diagnostics; beyond the limit, errors take precedence over warnings. */
export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: 'pretty' | 'github',
  prefix: string,
  sink: Sink,
): void {
  const [errors, warnings] = bySeverity(diagnostics);
  const shown = new Set([...errors, ...warnings].slice(0, SHOWN));
  const colors = colorsOf(sink.color);
  for (const diagnostic of diagnostics) {
    if (!shown.has(diagnostic)) continue;
    if (format === 'github') sink.out(`${githubDiagnostic(diagnostic, prefix)}\n`);
    else sink.err(`${prettyDiagnostic(diagnostic, prefix, colors)}\n\n`);
  }
  const hidden = diagnostics.length - shown.size;
  if (hidden > 0) sink.err(`... and ${hidden} more; --format json lists them all.\n\n`);
}

/** Largest number of warnings of one code that are printed per round. */
const ALIKE = 3;

/** Prints the new findings of a round, warnings of one code together, and a line for each resolved one. */
export function printRound({ added, fixed }: Round, prefix: string, sink: Sink): void {
  const [errors, warnings] = bySeverity(added);
  printDiagnostics(errors, 'pretty', prefix, sink);
  for (const code of new Set(warnings.map((one) => one.code))) {
    const alike = warnings.filter((one) => one.code === code);
    printDiagnostics(alike.slice(0, ALIKE), 'pretty', prefix, sink);
    if (alike.length > ALIKE)
      sink.err(
        `... and ${number(alike.length - ALIKE)} more of ${printable(code)}; "catalogue check" lists them all.\n\n`,
      );
  }
  const colors = colorsOf(sink.color);
  for (const { file, code } of fixed.slice(0, FIXED)) {
    sink.err(`${colors.green('Fixed:')} ${printable(prefix + file)}  ${colors.dim(printable(code))}\n`);
  }
  if (fixed.length > FIXED) sink.err(`${colors.green('Fixed:')} ${fixed.length - FIXED} more\n`);
}

/** Splits diagnostics into errors and warnings. */
export function bySeverity(
  diagnostics: readonly Diagnostic[],
): [errors: Diagnostic[], warnings: Diagnostic[]] {
  return [diagnostics.filter(isError), diagnostics.filter((one) => !isError(one))];
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(isError);
}

/** Formats counts, such as "2 errors, 1 warning" or "no errors". */
export function tallyOf(diagnostics: readonly Diagnostic[]): string {
  const [errors, warnings] = bySeverity(diagnostics);
  return tallyText(errors.length, warnings.length);
}

/** {@link tallyOf} for known numbers. */
export function tallyText(errors: number, warnings: number): string {
  const parts = [errors === 0 ? 'no errors' : plural(errors, 'error')];
  if (warnings > 0) parts.push(plural(warnings, 'warning'));
  return parts.join(', ');
}
