import stringWidth from 'string-width';
import type { Diagnostic } from '../source/diagnostic.ts';
import { printable } from '../text/printable.ts';
import type { Colors } from './colors.ts';

/** UTF-16 units of a source line. */
const WIDTH = 100;

/** Without a final line break. `prefix`: path of the content folder. */
export function prettyDiagnostic(
  diagnostic: Omit<Diagnostic, 'code'> & { readonly code: string },
  prefix: string,
  colors: Colors,
): string {
  const { severity, span, code, message, help } = diagnostic;
  const mark =
    severity === 'error' ? colors.red(colors.bold('error')) : colors.yellow(colors.bold('warning'));
  const place = span ? `:${span.line}:${span.column}` : '';
  const path = printable(prefix + diagnostic.file);
  const lines = [`${colors.bold(`${path}${place}`)}  ${mark} ${colors.dim(printable(code))}`];
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
  if (help) lines.push(`  ${colors.cyan('→')} ${printable(help)}`);
  return lines.join('\n');
}

function excerpt(line: string, start: number, length: number): { text: string; start: number } {
  if (line.length <= WIDTH) return { text: line, start: 0 };
  const wanted = Math.max(0, Math.min(start - 20, line.length - WIDTH, start + length - WIDTH / 2));
  // Cuts never split a surrogate pair.
  const from = wanted + (/[\udc00-\udfff]/.test(line.charAt(wanted)) ? 1 : 0);
  const end = Math.max(from + WIDTH, Math.min(start + length, from + 2 * WIDTH));
  return { text: line.slice(from, end).replace(/[\ud800-\udbff]$/, ''), start: from };
}
