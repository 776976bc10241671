import type { Diagnostic } from '../source/diagnostic.ts';
import {
  type FindingCounts,
  type Findings,
  findingsOf,
  firstFindings,
  totalCount,
} from '../source/findings.ts';
import { countText, formatNumber } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import { createColors } from './colors.ts';
import { githubDiagnostic } from './github.ts';
import { contentPrefix, repositoryPrefix } from './path-prefix.ts';
import { prettyDiagnostic } from './pretty.ts';
import { sarifLog } from './sarif.ts';
import { CHECK_LISTS_ALL, moreText, printJsonList, type ReportFormat, type Sink } from './sink.ts';

/**
 * Returns whether a summary for people may follow: not after JSON or a SARIF log. Paths are relative to the repository
 * in the formats `github` and `sarif`, and to the working folder in others.
 * @param result members that precede the findings in JSON
 */
export function reportFindings(
  result: object,
  findings: Findings,
  format: ReportFormat,
  content: string,
  sink: Sink,
): boolean {
  if (format === 'json') printResult(result, findings, contentPrefix(content), sink);
  else if (format === 'sarif') {
    const { document, results } = sarifLog(findings, repositoryPrefix(content));
    printJsonList(document, 'results', results, sink);
  } else {
    const prefix = format === 'github' ? repositoryPrefix(content) : contentPrefix(content);
    printFindings(findings, format, prefix, sink);
    return true;
  }
  return false;
}

function printResult(result: object, findings: Findings, prefix: string, sink: Sink): void {
  const { errors, warnings } = findings;
  const document = { ...result, findings: { errors, warnings }, diagnostics: [] };
  printJsonList(document, 'diagnostics', withPrefix(findings, prefix), sink);
}

function* withPrefix(diagnostics: Iterable<Diagnostic>, prefix: string): Generator<Diagnostic> {
  for (const diagnostic of diagnostics) yield { ...diagnostic, file: prefix + diagnostic.file };
}

function printFindings(
  findings: Findings,
  format: 'pretty' | 'github',
  prefix: string,
  sink: Sink,
  more?: string,
): void {
  const shown = firstFindings(findings);
  const colors = createColors(sink.color);
  for (const diagnostic of shown) {
    if (format === 'github') sink.out(`${githubDiagnostic(diagnostic, prefix)}\n`);
    else sink.err(`${prettyDiagnostic(diagnostic, prefix, colors)}\n\n`);
  }
  const hidden = countFindings(findings) - shown.length;
  if (hidden > 0) sink.err(`${moreText(hidden, more)}. In all: ${codesText(findings)}.\n\n`);
}

function codesText({ errors, warnings }: FindingCounts): string {
  const counts = { ...warnings };
  for (const [code, count] of Object.entries(errors)) counts[code] = (counts[code] ?? 0) + count;
  const sorted = Object.entries(counts).sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  return sorted.map(([code, count]) => `${formatNumber(count)} ${printable(code)}`).join(', ');
}

function countFindings({ errors, warnings }: FindingCounts): number {
  return totalCount(errors) + totalCount(warnings);
}

/** For commands without `--format`. */
export function printDiagnostics(diagnostics: readonly Diagnostic[], prefix: string, sink: Sink): void {
  printFindings(findingsOf(diagnostics), 'pretty', prefix, sink, CHECK_LISTS_ALL);
}

/** Such as "2 errors, 1 warning" or "no errors". */
export function tallyOfFindings({ errors, warnings }: FindingCounts): string {
  return tallyText(totalCount(errors), totalCount(warnings));
}

export const NO_FINDINGS_TEXT = 'no errors';

export function noFilesText(content: string): string {
  return `Found no property file in ${printable(contentPrefix(content) || './')}: no name there ends in .yaml or .yml, except catalogue.yaml. Run "catalogue new" to write one, or name another folder with --content.\n`;
}

export function tallyText(errors: number, warnings: number): string {
  const parts = [errors === 0 ? NO_FINDINGS_TEXT : countText(errors, 'error')];
  if (warnings > 0) parts.push(countText(warnings, 'warning'));
  return parts.join(', ');
}
