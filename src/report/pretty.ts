/** Diagnostics as text for people: where, what, the line itself, and what to do. */
import type { Colors } from 'picocolors/types.js';
import type { Diagnostic } from '../source/diagnostic.ts';

/** The widest stretch of a source line that is shown, in UTF-16 units. */
const WIDTH = 100;

/** One diagnostic as lines of text, without a final line end. `prefix`: path of the content folder. */
export function prettyDiagnostic(diagnostic: Diagnostic, prefix: string, colors: Colors): string {
  const { severity, span, code, message, help } = diagnostic;
  const mark =
    severity === 'error' ? colors.red(colors.bold('error')) : colors.yellow(colors.bold('warning'));
  const place = span ? `:${span.line}:${span.column}` : '';
  const lines = [`${colors.bold(`${prefix}${diagnostic.file}${place}`)}  ${mark} ${colors.dim(code)}`];
  lines.push(`  ${message}`);
  if (span) {
    const { text, start } = excerpt(span.text, span.column - 1, span.length);
    const number = String(span.line);
    const pad = ' '.repeat(number.length);
    const before = printable(text.slice(0, span.column - 1 - start));
    const marked = printable(text.slice(span.column - 1 - start, span.column - 1 - start + span.length));
    const after = printable(text.slice(span.column - 1 - start + span.length));
    const under = '~'.repeat(Math.max(1, columns(marked)));
    const paint = severity === 'error' ? colors.red : colors.yellow;
    lines.push(`  ${colors.dim(`${number} |`)} ${before}${marked}${after}`);
    lines.push(`  ${colors.dim(`${pad} |`)} ${' '.repeat(columns(before))}${paint(under)}`);
  }
  if (help) lines.push(`  ${colors.cyan('→')} ${help}`);
  return lines.join('\n');
}

/** The part of a long line around a stretch of it. */
function excerpt(line: string, start: number, length: number): { text: string; start: number } {
  if (line.length <= WIDTH) return { text: line, start: 0 };
  const from = Math.max(0, Math.min(start - 20, line.length - WIDTH, start + length - WIDTH / 2));
  return {
    text: line.slice(from, Math.max(from + WIDTH, Math.min(start + length, from + 2 * WIDTH))),
    start: from,
  };
}

/** Control characters and direction marks as visible ones: a file must not be able to steer the terminal. */
function printable(text: string): string {
  return text
    .replace(/\t/g, ' ')
    .replace(
      /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]/gu,
      '\u00b7',
    );
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;

/** Columns that a text takes on a terminal: two for East Asian wide characters, none for combining marks. */
function columns(text: string): number {
  let count = 0;
  for (const character of text) count += /\p{M}|\u200d/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return count;
}
