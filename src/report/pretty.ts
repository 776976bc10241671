import stringWidth from 'string-width';
import type { Diagnostic } from '../source/diagnostic.ts';
import { printable } from '../text/printable.ts';
import type { Colors } from './colors.ts';

/** Maximum length of a quoted source line, in UTF-16 units; twice as much if the marked part is long. */
const WIDTH = 100;

/** Without a final line break. `prefix`: path of the content folder. */
export function prettyDiagnostic(
  diagnostic: Omit<Diagnostic, 'code'> & { readonly code: string },
  prefix: string,
  colors: Colors,
): string {
  const { severity, span, message, help } = diagnostic;
  const place = span ? `:${span.line}:${span.column}` : '';
  const path = printable(prefix + diagnostic.file);
  const lines = [`${colors.bold(`${path}${place}`)}  ${diagnosticHead(diagnostic, colors)}`];
  lines.push(`  ${printable(message)}`);
  if (span) {
    const { text, start } = excerpt(span.text, span.column - 1, span.length);
    const number = String(span.line);
    const pad = ' '.repeat(number.length);
    const line = printable(text);
    const lengthOf = (end: number) => printable(text.slice(0, end)).length;
    const [from, to] = [span.column - 1 - start, span.column - 1 - start + span.length].map(lengthOf);
    const before = line.slice(0, from);
    const marked = line.slice(from, to);
    const under = '~'.repeat(Math.max(1, stringWidth(marked)));
    const paint = severity === 'error' ? colors.red : colors.yellow;
    lines.push(`  ${colors.dim(`${number} |`)} ${line}`);
    lines.push(`  ${colors.dim(`${pad} |`)} ${' '.repeat(stringWidth(before))}${paint(under)}`);
  }
  return [...lines, ...adviceLines(help, colors)].join('\n');
}

type Coded = { readonly severity: Diagnostic['severity']; readonly code: string };

export function diagnosticHead({ severity, code }: Coded, colors: Colors): string {
  const paint = severity === 'error' ? colors.red : colors.yellow;
  return `${paint(colors.bold(severity))} ${colors.dim(printable(code))}`;
}

export function adviceLines(help: string, colors: Colors): string[] {
  return help === '' ? [] : [`  ${colors.cyan('→')} ${printable(help)}`];
}

function excerpt(line: string, start: number, length: number): { text: string; start: number } {
  if (line.length <= WIDTH) return { text: line, start: 0 };
  const wanted = Math.max(0, Math.min(start - 20, line.length - WIDTH, start + length - WIDTH / 2));
  // Cuts never split a surrogate pair.
  const from = wanted + (/[\udc00-\udfff]/.test(line.charAt(wanted)) ? 1 : 0);
  const end = Math.max(from + WIDTH, Math.min(start + length, from + 2 * WIDTH));
  return { text: line.slice(from, end).replace(/[\ud800-\udbff]$/, ''), start: from };
}
