import { version } from '../package/version.ts';
import { type Diagnostic, isError } from '../source/diagnostic.ts';
import { type FindingCounts, type Findings, findingsOf, firstOf, sumOf } from '../source/findings.ts';
import { printable } from '../text/printable.ts';
import { formatNumber, plural } from '../text/words.ts';
import { colorsOf } from './colors.ts';
import { contentPrefix, repositoryPrefix } from './content.ts';
import type { Round } from './findings-diff.ts';
import { githubDiagnostic } from './github.ts';
import { prettyDiagnostic } from './pretty.ts';
import { sarifLog } from './sarif.ts';
import { printJsonList, type Sink } from './sink.ts';

export const FORMATS = ['pretty', 'json', 'github', 'sarif'] as const;

export type Format = (typeof FORMATS)[number];

const FIXED = 10;

/** Paths are as annotating services or people need them. Returns false after a SARIF log: nothing may follow it. */
export function reportDiagnostics(
  findings: Findings,
  format: Exclude<Format, 'json'>,
  content: string,
  sink: Sink,
): boolean {
  if (format === 'pretty') printFindings(findings, format, contentPrefix(content), sink);
  else if (format === 'github') printFindings(findings, format, repositoryPrefix(content), sink);
  else {
    const { document, results } = sarifLog(findings, repositoryPrefix(content), version);
    printJsonList(document, 'results', results, sink);
  }
  return format !== 'sarif';
}

/** Diagnostics come last, with paths from the working folder. */
export function printResult(result: object, findings: Findings, prefix: string, sink: Sink): void {
  const { errors, warnings } = findings;
  const document = { ...result, findings: { errors, warnings }, diagnostics: [] };
  printJsonList(document, 'diagnostics', withPrefix(findings, prefix), sink);
}

function* withPrefix(diagnostics: Iterable<Diagnostic>, prefix: string): Generator<Diagnostic> {
  for (const diagnostic of diagnostics) yield { ...diagnostic, file: prefix + diagnostic.file };
}

function printFindings(findings: Findings, format: 'pretty' | 'github', prefix: string, sink: Sink): void {
  const shown = firstOf(findings);
  const colors = colorsOf(sink.color);
  for (const diagnostic of shown) {
    if (format === 'github') sink.out(`${githubDiagnostic(diagnostic, prefix)}\n`);
    else sink.err(`${prettyDiagnostic(diagnostic, prefix, colors)}\n\n`);
  }
  const hidden = countFindings(findings) - shown.length;
  if (hidden > 0)
    sink.err(
      `... and ${formatNumber(hidden)} more; --format json lists them all. In all: ${codesText(findings)}.\n\n`,
    );
}

function codesText({ errors, warnings }: FindingCounts): string {
  const counts = { ...warnings };
  for (const [code, count] of Object.entries(errors)) counts[code] = (counts[code] ?? 0) + count;
  const sorted = Object.entries(counts).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return sorted.map(([code, count]) => `${formatNumber(count)} ${printable(code)}`).join(', ');
}

function countFindings({ errors, warnings }: FindingCounts): number {
  return sumOf(errors) + sumOf(warnings);
}

export function printDiagnostics(
  diagnostics: readonly Diagnostic[],
  format: 'pretty' | 'github',
  prefix: string,
  sink: Sink,
): void {
  printFindings(findingsOf(diagnostics), format, prefix, sink);
}

const ALIKE = 3;

/** Warnings of one code together, and a line for each resolved finding. */
export function printRound({ added, fixed }: Round, prefix: string, sink: Sink): void {
  const [errors, warnings] = bySeverity(added);
  printDiagnostics(errors, 'pretty', prefix, sink);
  for (const code of new Set(warnings.map((one) => one.code))) {
    const alike = warnings.filter((one) => one.code === code);
    printDiagnostics(alike.slice(0, ALIKE), 'pretty', prefix, sink);
    if (alike.length > ALIKE)
      sink.err(
        `... and ${formatNumber(alike.length - ALIKE)} more of ${printable(code)}; "catalogue check" lists them all.\n\n`,
      );
  }
  const colors = colorsOf(sink.color);
  for (const { file, code } of fixed.slice(0, FIXED)) {
    sink.err(`${colors.green('Fixed:')} ${printable(prefix + file)}  ${colors.dim(printable(code))}\n`);
  }
  if (fixed.length > FIXED) sink.err(`${colors.green('Fixed:')} ${fixed.length - FIXED} more\n`);
}

export function bySeverity(
  diagnostics: readonly Diagnostic[],
): [errors: Diagnostic[], warnings: Diagnostic[]] {
  return [diagnostics.filter(isError), diagnostics.filter((one) => !isError(one))];
}

/** Such as "2 errors, 1 warning" or "no errors". */
export function tallyOf({ errors, warnings }: FindingCounts): string {
  return tallyText(sumOf(errors), sumOf(warnings));
}

export const NO_FINDINGS = 'no errors';

export function tallyText(errors: number, warnings: number): string {
  const parts = [errors === 0 ? NO_FINDINGS : plural(errors, 'error')];
  if (warnings > 0) parts.push(plural(warnings, 'warning'));
  return parts.join(', ');
}
