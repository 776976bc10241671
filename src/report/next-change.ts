import type { NextChange } from '../compile/next-change.ts';
import { printable } from '../text/printable.ts';
import { contentPrefix } from './paths.ts';
import { timeText } from './rfc3339.ts';
import { MAX_LIST_LINES, type PlainFormat, printJson, type Sink, truncatedItems } from './sink.ts';

/** The time goes to standard output, for programs; everything else is for people. */
export function reportNextChange(
  { asOf, next, changes }: NextChange,
  isDue: boolean,
  { format, content }: { readonly format: PlainFormat; readonly content: string },
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
  for (const line of truncatedItems(changes, MAX_LIST_LINES, lineOf)) sink.err(`  ${line}\n`);
}
