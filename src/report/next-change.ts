import type { NextChange } from '../compile/next-change.ts';
import { printable } from '../text/printable.ts';
import { contentPrefix } from './path-prefix.ts';
import { MAX_LIST_LINES, type PrettyOrJson, printJson, type Sink, truncatedListTexts } from './sink.ts';
import { timeText } from './time-text.ts';

/** The time goes to standard output, for programs; everything else is for people. */
export function reportNextChange(
  { asOf, next, changes }: NextChange,
  isDue: boolean,
  { format, content }: { readonly format: PrettyOrJson; readonly content: string },
  sink: Sink,
): void {
  const prefix = contentPrefix(content);
  if (format === 'json') {
    const files = changes.map(({ file, change }) => ({ file: prefix + file, change }));
    const time = next === null ? null : timeText(next);
    printJson({ asOf: timeText(asOf.instant), next: time, isDue, changes: files }, sink);
    return;
  }
  if (next === null) {
    sink.err(`After ${timeText(asOf.instant)} no date changes what is published.\n`);
    return;
  }
  sink.out(`${timeText(next)}\n`);
  const lineOf = ({ file, change }: (typeof changes)[number]) =>
    `${printable(prefix + file)} is ${change === 'shown' ? 'published' : 'not published any more'}`;
  for (const line of truncatedListTexts(changes, MAX_LIST_LINES, lineOf)) sink.err(`  ${line}\n`);
}
