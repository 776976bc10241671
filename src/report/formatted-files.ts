import type { FormatResult } from '../editing/format-content.ts';
import { isError } from '../source/diagnostic.ts';
import { countText } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import { createColors } from './colors.ts';
import { printDiagnostics } from './diagnostics.ts';
import { contentPrefix } from './path-prefix.ts';
import type { Sink } from './sink.ts';

/** Paths of changed files go to standard output, everything else to standard error. */
export function reportFormatting(result: FormatResult, check: boolean, content: string, sink: Sink): void {
  const prefix = contentPrefix(content);
  const colors = createColors(sink.color);
  printDiagnostics(result.diagnostics, prefix, sink);
  for (const path of result.changed) sink.out(`${printable(prefix + path)}\n`);
  for (const { file, reason } of result.left) {
    sink.err(`${colors.yellow('Left as it is:')} ${printable(prefix + file)} ${reason}.\n`);
  }
  const { files, changed, diagnostics } = result;
  const count = countText(changed.length, 'file');
  const unreadable = new Set(diagnostics.filter(isError).map(({ file }) => file)).size;
  if (unreadable > 0) {
    sink.err(`${colors.red('Left as they are:')} files that cannot be read, above.\n`);
  }
  if (check && changed.length > 0) {
    sink.err(`${colors.red('Not formatted:')} ${count} of ${files}. Run "catalogue format".\n`);
  } else if (changed.length > 0) sink.err(`${colors.green('Formatted')} ${count} of ${files}.\n`);
  else if (result.left.length > 0 || unreadable > 0) {
    const rest = files - result.left.length - unreadable;
    sink.err(
      `${colors.green('Formatted')} already, apart from those above: ${countText(Math.max(0, rest), 'file')}.\n`,
    );
  } else sink.err(`${colors.green('Formatted')} already: ${countText(files, 'file')}.\n`);
}
