/** What was changed in authored files, for people. */
import pico from 'picocolors';
import type { FormatResult } from '../editing/format-content.ts';
import type { RepairedFile } from '../editing/repair-content.ts';
import { printable } from '../printable.ts';
import { cut, plural } from '../words.ts';
import { contentPrefix, printDiagnostics, type Sink } from './report.ts';

/** Prints the outcome of formatting: the files on standard output, all else on standard error. */
export function reportFormat(result: FormatResult, check: boolean, content: string, sink: Sink): void {
  const prefix = contentPrefix(content);
  const colors = pico.createColors(sink.color);
  printDiagnostics(result.diagnostics, 'pretty', prefix, sink);
  for (const path of result.changed) sink.out(`${printable(prefix + path)}\n`);
  for (const path of result.left) {
    sink.err(
      `${colors.yellow('Left as it is:')} ${printable(prefix + path)} has anchors, tags or nested values.\n`,
    );
  }
  const { files, changed, diagnostics } = result;
  const count = plural(changed.length, 'file');
  if (diagnostics.some(({ severity }) => severity === 'error')) {
    sink.err(`${colors.red('Left as they are:')} files that cannot be read, above.\n`);
  }
  if (check && changed.length > 0) {
    sink.err(`${colors.red('Not formatted:')} ${count} of ${files}. Run "catalogue format".\n`);
  } else if (changed.length > 0) sink.err(`${colors.green('Formatted')} ${count} of ${files}.\n`);
  else sink.err(`${colors.green('Formatted')} already: ${plural(files, 'file')}.\n`);
}

/** Prints each repair on a line: where, which field, and what it was and is. */
export function reportRepairs(repaired: readonly RepairedFile[], prefix: string, sink: Sink): void {
  const colors = pico.createColors(sink.color);
  for (const { file, repairs } of repaired) {
    for (const { path, line, column, from, to } of repairs) {
      const place = colors.bold(`${printable(prefix + file)}:${line}:${column}`);
      const change = `${quoted(from)} → ${quoted(to)}`;
      sink.err(
        `${place}  ${colors.green('repaired')} ${colors.dim(printable(path.join('.')))}\n  ${change}\n`,
      );
    }
  }
  const count = repaired.reduce((sum, { repairs }) => sum + repairs.length, 0);
  if (count === 0) sink.err('Nothing that could be repaired safely.\n');
  else
    sink.err(
      `${colors.green('Repaired')} ${plural(count, 'value')} in ${plural(repaired.length, 'file')}.\n\n`,
    );
}

/** A text in quotes, with a mark for every character that would not be seen. */
function quoted(text: string): string {
  const short = cut(text, 60);
  return `"${printable(short)}"`;
}
