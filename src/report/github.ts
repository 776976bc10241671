/** Formats diagnostics as annotations of a pull request (GitHub Actions, workflow commands). */
import type { Diagnostic } from '../source/diagnostic.ts';
import { escapeControls, printable } from '../text/printable.ts';

export function githubDiagnostic(
  { severity, file, span, code, message, help }: Diagnostic,
  prefix: string,
): string {
  const properties = [`file=${escapeProperty(escapeControls(prefix + file))}`];
  if (span) {
    properties.push(`line=${span.line}`, `endLine=${span.line}`);
    properties.push(`col=${span.column}`, `endColumn=${span.column + span.length}`);
  }
  properties.push(`title=${escapeProperty(code)}`);
  return `::${severity} ${properties.join(',')}::${escapeData(printable(help ? `${message} ${help}` : message))}`;
}

function escapeData(text: string): string {
  return text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
}
