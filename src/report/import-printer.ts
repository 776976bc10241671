import type { FindingCause } from '../import/files/tally.ts';
import type { SourceNote } from '../import/table/row.ts';
import { countText, formatNumber } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import { createColors } from './colors.ts';
import { adviceLines, diagnosticHead } from './pretty.ts';
import { type Sink, truncatedListTexts } from './sink.ts';

/** Maximum number of causes, and of entries in a section that sets no `most`. */
export const MAX_ENTRIES = 30;

/** `paste`: a line that the user can paste into the mapping. */
type ReportedCause = FindingCause & { readonly paste?: string };

export type Printer = ReturnType<typeof createPrinter>;

export function createPrinter({ color, err }: Sink) {
  const colors = createColors(color);
  const finding = (found: Omit<SourceNote, 'message'>, place: string, lines: readonly string[]) =>
    [`${diagnosticHead(found, colors)}${place}`, ...lines, ...adviceLines(found.help, colors), ''].join('\n');
  const causeText = (cause: ReportedCause) => {
    const { paste = '', field, count, values, fresh, examples } = cause;
    const many = values > count ? `, ${formatNumber(values)} values` : '';
    const places = `${examples.map(({ at }) => at).join(', ')}${count > examples.length ? ', ...; --format json lists them all' : ''}`;
    const known =
      fresh === 0
        ? ` as last time: ${printable(places)}`
        : fresh < count
          ? `, ${formatNumber(fresh)} of them new or changed`
          : '';
    const shown = examples.slice(0, fresh);
    const lines = shown.map(
      ({ at, name, message }) =>
        `  ${printable([at, name].filter(Boolean).join(', '))}: ${printable(message)}`,
    );
    const hidden = fresh - shown.length;
    if (hidden > 0) lines.push(`  ... and ${formatNumber(hidden)} more; --format json lists them all`);
    const told = fresh === 0 ? { ...cause, help: '' } : cause;
    const place = `${field && `  ${printable(field)}`}  ${countText(count, 'row')}${many}${known}`;
    return `${finding(told, place, lines)}${told.help && paste && `${printable(paste)}\n`}`;
  };
  return {
    colors,
    err,
    advice(help: string) {
      for (const line of adviceLines(help, colors)) err(`${line}\n\n`);
    },
    section<Item>(
      title: string,
      list: readonly Item[],
      lineOf: (item: Item) => string,
      {
        indent = '  ',
        between = undefined as string | undefined,
        most = MAX_ENTRIES,
        more = undefined as string | undefined,
      } = {},
    ) {
      if (list.length === 0) return;
      const lines = truncatedListTexts(list, most, lineOf, more).join(between ?? `\n${indent}`);
      err(`${colors.bold(title)}\n${indent}${lines}\n\n`);
    },
    causes(causes: readonly ReportedCause[]) {
      for (const text of truncatedListTexts(causes, MAX_ENTRIES, causeText)) err(`${text}\n`);
    },
    notes(notes: readonly SourceNote[]) {
      for (const note of notes) {
        const at = note.line === undefined ? '' : `line ${note.line}: `;
        err(`${finding(note, '', [`  ${at}${printable(note.message)}`])}\n`);
      }
    },
  };
}
