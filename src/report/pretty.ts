/** Formats diagnostics for people: place, message, source line and advice. */
import { printable } from '../printable.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Colors } from './colors.ts';

/** Longest excerpt of a source line, in UTF-16 units. */
const WIDTH = 100;

/** Formats a diagnostic, without a final line break. `prefix`: path of the content folder. */
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
    const under = '~'.repeat(Math.max(1, columns(marked)));
    const paint = severity === 'error' ? colors.red : colors.yellow;
    lines.push(`  ${colors.dim(`${number} |`)} ${line}`);
    lines.push(`  ${colors.dim(`${pad} |`)} ${' '.repeat(columns(before))}${paint(under)}`);
  }
  if (help) lines.push(`  ${colors.cyan('→')} ${printable(help)}`);
  return lines.join('\n');
}

/** Cuts a long line to the part around a range. */
function excerpt(line: string, start: number, length: number): { text: string; start: number } {
  if (line.length <= WIDTH) return { text: line, start: 0 };
  const wanted = Math.max(0, Math.min(start - 20, line.length - WIDTH, start + length - WIDTH / 2));
  // Cuts never split a surrogate pair.
  const from = wanted + (/[\udc00-\udfff]/.test(line.charAt(wanted)) ? 1 : 0);
  const end = Math.max(from + WIDTH, Math.min(start + length, from + 2 * WIDTH));
  return { text: line.slice(from, end).replace(/[\ud800-\udbff]$/, ''), start: from };
}

/** Wide characters: East Asian Width W and F (UAX #11), in blocks, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** Combining marks, joiners and other characters of zero width. */
const NARROW = /[\p{M}\u200b-\u200d\u2060]/u;
const REGIONAL = /\p{Regional_Indicator}/u;

/** Counts the columns of a text on a terminal: two for wide characters, none for combining marks. */
function columns(text: string): number {
  let count = 0;
  for (const character of text) {
    // A pair of them is a flag, two columns wide.
    if (REGIONAL.test(character)) count += 1;
    else if (!NARROW.test(character)) count += WIDE.test(character) ? 2 : 1;
  }
  return count;
}
