import { join } from 'node:path';
import type { GoneFiles } from '../import/files/gone-files.ts';
import {
  type ImportResult,
  isAboutPhotos,
  isRepeatImport,
  MAX_LISTED_CHANGES,
  type Outcome,
} from '../import/files/import.ts';
import type { RepairCount } from '../import/finding.ts';
import type { SourceResult } from '../import/import-options.ts';
import { meaningNote, type UnusedColumn } from '../import/mapping/declared-columns.ts';
import { gapSentence } from '../import/mapping/gaps.ts';
import { isCoordinateField } from '../import/mapping/mapping.ts';
import type { ProposalDescription } from '../import/mapping/mapping-text.ts';
import { documentationUrl } from '../package/documentation.ts';
import { isError } from '../source/diagnostic.ts';
import { countText, formatNumber } from '../text/amounts.ts';
import { printable, printableLines } from '../text/printable.ts';
import { cutText } from '../text/shorten.ts';
import { createPrinter, MAX_ENTRIES, type Printer } from './import-printer.ts';
import { createLiveLine } from './live-line.ts';
import { commandLine } from './shell-command.ts';
import { type PrettyOrJson, printJsonList, type Sink } from './sink.ts';

export function createImportProgress(write: (text: string) => void, isLive: boolean) {
  const line = createLiveLine(write, isLive);
  const listener = (done: number, total: number | undefined) => {
    if (done === total || !isLive) line.clear();
    else
      line.count(
        total === undefined
          ? `Reading ${formatNumber(done)} `
          : `${formatNumber(done)} of ${formatNumber(total)} `,
      );
  };
  return { listener, end: line.clear };
}

type ReportedImport = Omit<SourceResult, 'diagnostics'> & {
  /** Whether to list all files whose rows are gone. @default only the first ones */
  readonly listsGone?: boolean;
  readonly example?: string | undefined;
  /** Whether the user was asked for the mapping. @default false */
  readonly isAsked?: boolean;
  /** The outcomes that have findings. Used only for JSON. @default the outcomes in `result` */
  readonly outcomes?: Iterable<Outcome> | undefined;
};

/** Prints the most important part at the end, so that it is right above the prompt. */
export function reportImport(
  imported: ReportedImport,
  format: PrettyOrJson,
  content: string,
  sink: Sink,
): void {
  const { notes, gaps = [], unused, empty = [], declared, mapping, proposed, example, result } = imported;
  const { hidingWords } = imported;
  if (format === 'json') {
    const { outcomes = result?.outcomes ?? [] } = imported;
    const named = gaps.map(({ column, ...gap }) => ({ ...gap, column: column?.name }));
    const told = { notes, gaps: named, unused, empty, declared, mapping, hidingWords, proposed, example };
    const document = { ...told, ...result };
    printJsonList(result ? { ...document, outcomes: [] } : document, 'outcomes', outcomes, sink);
    return;
  }
  const print = createPrinter(sink);
  const causes = advisedCauses(imported, content);
  const warnings = causes.filter((one) => !isError(one));
  print.causes(causes.filter(isError));
  print.notes(notes);
  print.causes(warnings.filter(({ code }) => !isAboutPhotos(code)));
  const settings = printable(join(content, 'catalogue.yaml'));
  print.section(`Declared in ${settings}`, declared ?? [], String, { between: ', ', most: 1000 });
  const isNext = result !== undefined && isRepeatImport(result);
  const known = isNext ? unused.filter(({ isNew }) => !isNew) : [];
  if (known.length > 0) print.err(`${countText(known.length, 'column')} not used, as last time\n\n`);
  const told = unused.filter((column) => !known.includes(column) && !column.isDeclined);
  printColumns(print, told, proposed?.path ?? mapping ?? 'the mapping', settings);
  if (!isNext) print.section('Columns that are empty in every row', empty, printable, { between: ', ' });
  if (proposed) {
    printProposed(print, proposed, imported, content);
    return;
  }
  if (!result) return;
  const { words, repairs } = result;
  print.section(
    `${countText(words.length, 'facility')} that the vocabulary lacks, imported as they are`,
    words,
    ({ word, count }) => `${printable(word)} (${formatNumber(count)})`,
    { between: ', ' },
  );
  printRepairs(print, repairs);
  print.causes(warnings.filter(({ code }) => isAboutPhotos(code)));
  if (isNext) printChanged(print, result);
  printGone(print, result.gone, content, imported.listsGone ?? false);
  printSummary(print, result, content, imported);
}

function advisedCauses({ gaps = [], wordLines, mapping, result }: ReportedImport, content: string) {
  const adviceOf = new Map(gaps.map(({ field, advice }) => [field, advice]));
  return (result?.causes ?? []).map((cause) => {
    const isUnreadable = cause.code === 'invalid-value' || cause.code === 'unknown-choice';
    const line =
      wordLines?.[cause.field] ??
      (cause.code === 'invalid-value' && cause.field !== 'price_from'
        ? `${cause.field}: { from: <column>, map: { <value>: <meaning> } }`
        : undefined);
    const help = cause.code === 'missing-key' ? adviceOf.get(cause.field) : undefined;
    const words =
      isUnreadable && !isError(cause) && mapping !== undefined
        ? `To keep such values, say in ${mapping} what they mean${cause.code === 'unknown-choice' ? `, or add them to "choices" of ${cause.field} in ${join(content, 'catalogue.yaml')}` : ''}:`
        : cause.code === 'unknown-country'
          ? 'Say in the mapping which country it is:'
          : cause.code === 'invalid-id'
            ? 'If the table has ids of its own, say so in the mapping, which changes the ids of files that are there:'
            : undefined;
    return words && line ? { ...cause, help: words, paste: line } : { ...cause, help: help ?? cause.help };
  });
}

function printRepairs(print: Printer, repairs: readonly RepairCount[]): void {
  const countOf = (list: readonly RepairCount[]) =>
    list.reduce((sum, { field, count }) => sum + (field === 'encoding' ? 0 : count), 0);
  const made = countOf(repairs);
  const news = repairs.flatMap(({ count, fresh = count, ...one }) =>
    fresh > 0 ? [{ ...one, count: fresh }] : [],
  );
  const again = made - countOf(news);
  if (made > 0 && made === again) print.err(`${countText(made, 'repair')}, of unchanged values\n\n`);
  const title = `${made > 0 ? `${countText(made, 'value')} repaired` : 'Repaired'}${again > 0 ? `, ${formatNumber(again)} of them unchanged` : ''}`;
  const isSwap = ({ swappedWith }: RepairCount) => swappedWith !== undefined;
  const sorted = [...news.filter(isSwap), ...news.filter((one) => !isSwap(one))];
  print.section(title, sorted, ({ field, swappedWith, count, examples }) => {
    const shown = examples.map(({ at, from, to, count: times }) => {
      const place = isCoordinateField(field) ? ` (${at})` : '';
      return `${from === '' ? `empty → ${printable(cutText(to, 30))}` : `${quoted(from)} → ${quoted(to)}`}${times > 1 ? ` (${formatNumber(times)})` : place}`;
    });
    const what = swappedWith === undefined ? '' : `, swapped with the ${swappedWith}`;
    return `${printable(field)}${what}: ${formatNumber(count)}, such as ${shown.join(', ')}`;
  });
}

const quoted = (text: string) => `"${printable(cutText(text, 30))}"`;

function printColumns(print: Printer, unused: readonly UnusedColumn[], path: string, settings: string): void {
  const line = ({ name, filled, looks, secret, isNew }: UnusedColumn) =>
    `${printable(name)} (${isNew ? 'new, ' : ''}${countText(filled, 'value')})${secret ? `: looks like ${secret}` : looks && `: ${printable(looks)}`}`;
  const open = unused.filter(({ secret }) => secret === undefined);
  const isOwn = (column: UnusedColumn) => column.declaration !== undefined || column.line === undefined;
  const own = open.filter((column) => column.field === undefined && isOwn(column));
  print.section('Columns not used', own, line);
  const declared = own.filter(({ declaration }) => declaration !== undefined);
  const linesIn = (file: string, indent: string, lineOf: (column: UnusedColumn) => string | undefined) =>
    print.section(`To publish them, add to ${file}`, declared, (column) => printable(lineOf(column) ?? ''), {
      indent,
    });
  linesIn(`"fields" in ${settings}`, '  ', ({ declaration }) => declaration);
  linesIn(printable(path), '', (column) => column.line);
  if (own.length > declared.length)
    print.advice(
      `To publish one, declare a field of your own (${documentationUrl('authoring', 'fields-of-your-own')}), and map it.`,
    );
  const mapped = (column: UnusedColumn) => {
    const lines = printableLines(column.line ?? '');
    return /\n|# /.test(lines) ? lines : `${lines}  # ${line(column)}`;
  };
  print.section(
    `Columns not used, whose fields ${settings} declares. Import with --declare, or add to ${printable(path)}`,
    open.filter((column) => column.field !== undefined && column.line !== undefined),
    mapped,
    { most: open.length, indent: '' },
  );
  print.section(
    `Columns not used, which fit a field. Add to ${printable(path)}`,
    open
      .filter((column) => column.field === undefined && !isOwn(column))
      .map(mapped)
      .sort()
      // The key of a list is printed only once, above all its entries.
      .map((text, place, all) => {
        const [key] = text.split('\n', 1);
        return all[place - 1]?.startsWith(`${key}\n`) ? text.slice(key!.length + 1) : text;
      }),
    String,
    { most: open.length, indent: '' },
  );
  print.section(
    `Columns whose fields ${settings} does not declare. Import with --declare, or add below "fields"`,
    open.filter((column) => column.field !== undefined && column.line === undefined),
    (column) => `${column.field}: {}  # ${line(column)}${meaningNote(column.field ?? '')}`,
    { most: open.length },
  );
  print.section(
    'Columns not used, since they look private',
    unused.filter(({ secret }) => secret !== undefined),
    line,
  );
}

function printChanged(print: Printer, { changed, replaced, written }: ImportResult): void {
  const changes = changed.filter(({ fields }) => fields !== undefined);
  const news = changed.filter(({ fields }) => fields === undefined);
  const title = (all: number, what: string) =>
    `${countText(all, what)}${all > MAX_LISTED_CHANGES ? `, the first ${MAX_LISTED_CHANGES}` : ''}`;
  const names = changed.map(({ name }) => name);
  const label = ({ name, path }: ImportResult['changed'][number]) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} (${path})`;
  print.section(title(Math.max(replaced, changes.length), 'changed property'), changes, (one) => {
    const shown = one.fields!.map(
      ({ field, from, to }) => `${field} ${from || '(none)'} → ${to || '(none)'}`,
    );
    return printable(`${label(one)}: ${shown.join(', ')}`);
  });
  print.section(title(written, 'new property'), news, (one) => printable(label(one)));
}

function printGone(
  print: Printer,
  { files, titles, removed, edited, refusal }: GoneFiles,
  content: string,
  isListed: boolean,
): void {
  const path = (file: string) =>
    printable([titles[file], join(content, file)].filter(Boolean).join(': ')) +
    (edited.includes(file) ? ' (edited since)' : '');
  const left = files.filter((file) => !removed.includes(file));
  const most = isListed ? files.length : MAX_ENTRIES;
  print.section(`${countText(removed.length, 'file')} removed, whose rows are gone`, removed, path, { most });
  print.section(`${countText(left.length, 'file')} from this source whose rows are gone`, left, path, {
    most,
    more: '; --list-gone lists them all',
  });
  if (left.length > edited.length && !refusal)
    print.advice('To remove those that nobody edited, run the same command with --remove-gone.');
  if (edited.length > 0) print.advice('No import removes edited files: delete them yourself.');
  if (refusal) print.notes([refusal]);
}

function printProposed(
  print: Printer,
  { path, columns, missing }: ProposalDescription,
  { name, gaps = [], unused }: ReportedImport,
  content: string,
): void {
  const { colors, err } = print;
  const [error, warning] = [colors.red('error'), colors.yellow('warning')];
  const lineOf = ([field, from]: (typeof columns)[number]) => `${field}: ${printable(from)}`;
  print.section(`Proposed mapping: ${printable(path)}`, columns, lineOf, { most: columns.length });
  for (const gap of gaps) {
    err(`${warning}  ${printable(`${gapSentence(gap)}. ${gap.done}`)}\n`);
    print.advice(gap.advice);
  }
  const needed = missing.filter((field) => !isCoordinateField(field));
  if (needed.length > 0)
    err(`${error}  No column looks like ${needed.join(', ')}: say in the file which it is.\n\n`);
  if (needed.length < missing.length) {
    err(`${warning}  No column looks like the coordinates: all rows become drafts.\n`);
    print.advice('"catalogue dev --edit" places them on the map.');
  }
  err('Nothing is imported yet. Look at the mapping, and run:\n\n');
  const isDeclaring = unused.some(({ field = 'reference' }) => field !== 'reference');
  const words = ['import', name, '--mapping', path, ...(isDeclaring ? ['--declare'] : [])];
  err(`  ${colors.bold(commandLine(words, content))}\n`);
}

function printSummary(
  { colors, err }: Printer,
  result: ImportResult,
  content: string,
  { name, mapping, hidden, hidingWords = [], example, unused, isAsked, passedOver = 0 }: ReportedImport,
): void {
  const { written, replaced, present, conflict, refused, drafts, links, causes } = result;
  const open = causes.filter(({ code }) => code === 'unfinished-draft');
  const lacking = open.reduce((sum, { count }) => sum + count, 0);
  const without = open.map(({ field, count }) => `${formatNumber(count)} without ${printable(field)}`);
  const told = hidden ? ` since ${printable(hidden)}` : ' since the source says so';
  const reasons = [...(drafts > lacking ? [`${formatNumber(drafts - lacking)}${told}`] : []), ...without];
  const parts = [`${countText(written, 'property')} written`];
  if (replaced > 0) parts.push(`${formatNumber(replaced)} updated`);
  if (present > 0) parts.push(`${formatNumber(present)} there already`);
  if (passedOver > 0) parts.push(`${countText(passedOver, 'row')} skipped`);
  if (drafts > 0) parts.push(`${countText(drafts, 'draft')} among them (${reasons.join(', ')})`);
  if (conflict > 0) parts.push(`${formatNumber(conflict)} in conflict, which keep what was edited`);
  if (refused > 0) parts.push(`${countText(refused, 'row')} not imported (see the errors above)`);
  const paint = refused + conflict > 0 ? colors.yellow : colors.green;
  const by = mapping === undefined ? '' : ` Mapping: ${printable(mapping)}.`;
  err(`${paint('Imported')} into ${printable(content)}: ${parts.join(', ')}.${by}\n`);
  if (refused > 0 && written + replaced + present + conflict === 0 && mapping !== undefined)
    err(
      `No row fits. If the mapping names wrong columns, change it; or delete ${printable(mapping)} and run the same command, which then asks again.\n`,
    );
  const dropped = unused.flatMap(({ field, line, isDeclined }) =>
    field === undefined || field === 'reference' || line !== undefined || isDeclined ? [] : [field],
  );
  if (!isAsked && replaced + present + conflict === 0 && mapping !== undefined && dropped.length > 0)
    err(
      `Left out: ${dropped.join(', ')}, which catalogue.yaml does not declare. To have them: ${colors.bold(commandLine(['import', name, '--declare'], content))}\n`,
    );
  if (example !== undefined)
    err(
      `The example (${printable(join(content, example))}) is still there, and would be published too: remove it.\n`,
    );
  if (links > 0) err(`${linksText(result, printable(join(content, 'catalogue.yaml')))}\n`);
  if (written > 0) err(`See it: ${colors.bold(commandLine(['dev', '--open'], content))}\n`);
  if (lacking > 0)
    err(
      `Complete the drafts without ${open.map(({ field }) => printable(field)).join(' or ')}, which the page does not show: ${colors.bold(commandLine(['dev', '--edit'], content))}\n`,
    );
  if (hidingWords.length > 0 && mapping !== undefined)
    err(
      `Guests will see none of them. Below "draft" in ${printable(mapping)}, write in "false", and not in "true", which of these words mean "offered": ${printable(cutText(hidingWords.join(', '), 100))}.\n`,
    );
}

/** The setting can be pasted as it is. */
function linksText({ links, linkOrigins = [], hasExplorerSettings }: ImportResult, settings: string): string {
  const origins = printable(linkOrigins.join(', '));
  const setting = hasExplorerSettings
    ? `add to "image_hosts" below "explorer" in ${settings}: ${origins}`
    : `add to ${settings}: explorer: { image_hosts: [${origins}] }`;
  const downloading = 'To show the photos, run the same command with --photos, which downloads them';
  return `${countText(links, 'property')} with photos that guests see as links. ${downloading}; or, to let the page load them from elsewhere, ${setting}`;
}
