import { join } from 'node:path';
import type { UnusedColumn } from '../import/declared-columns.ts';
import { type GapAdvice, gapSentence } from '../import/gaps.ts';
import type { GoneFiles } from '../import/gone.ts';
import { type ImportResult, isAboutPhotos } from '../import/import.ts';
import { isPlace } from '../import/mapping.ts';
import type { SourceNote } from '../import/row.ts';
import type { ProposedMapping, SourceResult } from '../import/source.ts';
import type { Cause } from '../import/tally.ts';
import { printable } from '../text/printable.ts';
import { cut, formatNumber, plural } from '../text/words.ts';
import { colorsOf } from './colors.ts';
import { createLiveLine } from './live-line.ts';
import { printJson, type Sink } from './sink.ts';

/** Most lines of a section; the counts include all, and JSON has them. */
const MAX_SHOWN = 30;
const ALL = '; --format json lists them all';

export function createImportProgress(write: (text: string) => void, isLive: boolean) {
  const line = createLiveLine(write, isLive);
  const listener = (done: number, total: number | undefined) =>
    line.count(`${formatNumber(done)} of ${total === undefined ? '?' : formatNumber(total)} `);
  return { listener, end: line.clear };
}

/** What an owner must know ends the report, next to the prompt. */
export function reportImport(
  { name, notes, gaps = [], unused, declared, mapping, proposed, result, ...more }: ReportedImport,
  format: 'pretty' | 'json',
  content: string,
  sink: Sink,
): void {
  if (format === 'json') {
    printJson({ notes, gaps, unused, declared, mapping, proposed, example: more.example, ...result }, sink);
    return;
  }
  const print = createPrinter(sink);
  const adviceOf = new Map(gaps.map(({ field, advice }) => [field, advice]));
  if (result) {
    const [errors, warnings] = [isError, (one: Cause) => !isError(one)].map((some) =>
      result.causes.filter(some).map((cause) => {
        const help =
          cause.code === 'missing-key'
            ? adviceOf.get(cause.field)
            : cause.code === 'invalid-value' && mapping !== undefined
              ? `Such values are left out. To keep them, say in the mapping what they mean: ${cause.field}: { from: <column>, map: { <value>: <meaning> } }`
              : undefined;
        return { ...cause, help: help ?? cause.help };
      }),
    );
    print.causes(errors!);
    print.notes(notes);
    print.causes(warnings!.filter(({ code }) => !isAboutPhotos(code)));
  } else print.notes(notes);
  if (declared) print.section('Declared in catalogue.yaml', declared, declared.length, ', ');
  printColumns(print, unused, proposed?.path ?? mapping ?? 'the mapping');
  if (proposed) {
    printProposed(print, proposed, gaps, name, content);
    return;
  }
  if (!result) return;
  const { words, repairs, causes, gone } = result;
  print.section(
    `${plural(words.length, 'facility')} that the vocabulary lacks, imported as they are`,
    words.slice(0, MAX_SHOWN).map(({ word, count }) => `${printable(word)} (${formatNumber(count)})`),
    words.length,
    ', ',
  );
  const made = repairs.reduce((sum, { count }) => sum + count, 0);
  print.section(
    `${plural(made, 'value')} repaired`,
    repairs.map(({ field, count, examples }) => {
      const shown = examples
        .map(({ from, to, count: times }) => {
          return `${quoted(from)} → ${quoted(to)}${times > 1 ? ` (${formatNumber(times)})` : ''}`;
        })
        .join(', ');
      return `${printable(field)}: ${formatNumber(count)}, such as ${shown}`;
    }),
  );
  print.causes(causes.filter((one) => !isError(one) && isAboutPhotos(one.code)));
  printGone(print, gone, content, more.listsGone ?? false);
  printSummary(print, result, content, { mapping, hidden: more.hidden, example: more.example });
}

export type ReportedImport = Omit<SourceResult, 'diagnostics'> & {
  /** @default the first ones */
  readonly listsGone?: boolean;
  readonly example?: string | undefined;
};

const isError = ({ severity }: { readonly severity: string }) => severity === 'error';
const quoted = (text: string) => `"${printable(cut(text, 30))}"`;

function createPrinter(sink: Sink) {
  const colors = colorsOf(sink.color);
  const mark = (severity: 'error' | 'warning') =>
    severity === 'error' ? colors.red('error') : colors.yellow('warning');
  const section = (
    title: string,
    lines: readonly string[],
    total = lines.length,
    between = '\n  ',
    all = ALL,
  ) => {
    if (total === 0) return;
    const more =
      total > lines.length ? `${between}... and ${formatNumber(total - lines.length)} more${all}` : '';
    sink.err(`${colors.bold(title)}\n  ${lines.join(between)}${more}\n\n`);
  };
  const advice = (help: string) => (help === '' ? '' : `  ${colors.dim('→')} ${printable(help)}\n`);
  return {
    ...{ section, advice, mark, colors, err: sink.err },
    causes(causes: readonly Cause[]): void {
      for (const { code, severity, field, help, count, examples } of causes.slice(0, MAX_SHOWN)) {
        const place = field === '' ? '' : `  ${printable(field)}`;
        sink.err(`${mark(severity)}  ${colors.dim(printable(code))}${place}  ${plural(count, 'row')}\n`);
        for (const { at, message } of examples) sink.err(`  ${printable(at)}: ${printable(message)}\n`);
        if (count > examples.length)
          sink.err(`  ... and ${formatNumber(count - examples.length)} more${ALL}\n`);
        sink.err(`${advice(help)}\n`);
      }
    },
    notes(notes: readonly SourceNote[]): void {
      for (const { severity, code, message, help, line } of notes) {
        const at = line === undefined ? '' : `line ${formatNumber(line)}: `;
        sink.err(
          `${mark(severity)}  ${colors.dim(printable(code))}\n  ${at}${printable(message)}\n${advice(help)}\n`,
        );
      }
    },
  };
}

type Printer = ReturnType<typeof createPrinter>;

function printColumns({ section }: Printer, unused: readonly UnusedColumn[], path: string): void {
  const line = ({ name, filled, looks, secret, isNew }: UnusedColumn) =>
    `${printable(name)} (${isNew ? 'new, ' : ''}${plural(filled, 'value')})${secret ? `: looks like ${secret}` : looks && `: ${printable(looks)}`}`;
  const open = unused.filter(({ secret }) => secret === undefined);
  const secrets = unused.filter(({ secret }) => secret !== undefined);
  const known = open.filter(({ field, line: its }) => field !== undefined && its === undefined);
  const others = open.filter(({ field, line: its }) => field === undefined && its === undefined);
  section('Columns not used', others.slice(0, MAX_SHOWN).map(line), others.length);
  section(
    'Columns not used, whose fields catalogue.yaml declares. Import with --declare, or add to the mapping',
    open.flatMap((column) =>
      column.field === undefined || column.line === undefined
        ? []
        : `${printable(column.line)}  for ${line(column)}`,
    ),
  );
  section(
    `Columns not used, which fit a field. Add to ${printable(path)}`,
    open.flatMap((column) =>
      column.field !== undefined || column.line === undefined
        ? []
        : `${printable(column.line)}  for ${line(column)}`,
    ),
  );
  section(
    'Columns not used, since catalogue.yaml does not declare their fields. Import with --declare, or add below "fields"',
    known.map((column) => `${column.field}: {}  for ${line(column)}`),
  );
  section('Columns not used, since they look private', secrets.slice(0, MAX_SHOWN).map(line), secrets.length);
}

function printGone(
  { section, mark, advice, colors, err }: Printer,
  { files, removed, edited, refusal }: GoneFiles,
  content: string,
  isListed: boolean,
): void {
  const path = (file: string) => printable(join(content, file));
  const most = isListed ? files.length : MAX_SHOWN;
  const left = files.filter((file) => !removed.includes(file));
  section(
    `${plural(removed.length, 'file')} removed, whose rows are gone`,
    removed.slice(0, most).map(path),
    removed.length,
  );
  section(
    `${plural(left.length, 'file')} from this source whose rows are gone${edited.length > 0 ? ', edited since, and left as they are' : ''}`,
    left.slice(0, most).map(path),
    left.length,
    '\n  ',
    '; --list-gone lists them all',
  );
  if (left.length > edited.length && !refusal && removed.length === 0)
    err(`${advice('To remove them, run the same command with --remove-gone.')}\n`);
  if (refusal)
    err(
      `${mark('error')}  ${colors.dim(printable(refusal.code))}\n  ${printable(refusal.message)}\n${advice(refusal.help)}\n`,
    );
}

function printProposed(
  { section, mark, colors, err, advice }: Printer,
  { path, columns, missing }: ProposedMapping,
  gaps: readonly GapAdvice[],
  name: string,
  content: string,
): void {
  section(
    `Proposed mapping: ${printable(path)}`,
    columns.map(([field, from]) => `${field}: ${printable(from)}`),
  );
  for (const gap of gaps)
    err(`${mark('warning')}  ${printable(`${gapSentence(gap)}. ${gap.done}`)}\n${advice(gap.advice)}\n`);
  const needed = missing.filter((field) => !isPlace(field));
  if (needed.length > 0)
    err(`${mark('error')}  No column looks like ${needed.join(', ')}: say in the file which it is.\n\n`);
  if (needed.length < missing.length)
    err(
      `${mark('warning')}  No column looks like the coordinates: all rows become drafts.\n${advice('"catalogue dev --edit" places them on the map.')}\n`,
    );
  const option = content === 'content' ? '' : ` --content ${shellWord(content)}`;
  err('Nothing is imported yet. Look at the mapping, and run:\n\n');
  err(
    `  ${colors.bold(`${invocation()} import ${shellWord(name)} --mapping ${shellWord(path)}${option}`)}\n`,
  );
}

function printSummary(
  { colors, err }: Printer,
  { written, replaced, present, conflict, refused, drafts, links, causes }: ImportResult,
  content: string,
  { mapping, hidden, example }: { readonly [Key in 'mapping' | 'hidden' | 'example']?: string | undefined },
): void {
  const open = causes.filter(({ code }) => code === 'unfinished-draft');
  const lacking = open.reduce((sum, { count }) => sum + count, 0);
  const without = open.map(({ field, count }) => `${formatNumber(count)} without ${printable(field)}`);
  const told = hidden ? ` since ${printable(hidden)}` : ' since the source says so';
  const reasons = [...(drafts > lacking ? [`${formatNumber(drafts - lacking)}${told}`] : []), ...without];
  const parts = [`${plural(written, 'property')} written to ${printable(content)}`];
  if (replaced > 0) parts.push(`${formatNumber(replaced)} replaced`);
  if (present > 0) parts.push(`${formatNumber(present)} there already`);
  if (drafts > 0) parts.push(`${plural(drafts, 'draft')} among them (${reasons.join(', ')})`);
  if (conflict > 0) parts.push(`${formatNumber(conflict)} in conflict and left as they are`);
  if (refused > 0) parts.push(`${formatNumber(refused)} did not fit`);
  const said = refused + conflict > 0 ? colors.yellow('Imported') : colors.green('Imported');
  const by = mapping === undefined ? '' : ` Mapping: ${printable(mapping)}.`;
  err(`${said} ${parts.join(', ')}.${by}\n`);
  const option = content === 'content' ? '' : ` --content ${shellWord(content)}`;
  if (example !== undefined)
    err(
      `The example (${printable(join(content, example))}) is still there, and would be published too: remove it.\n`,
    );
  if (links > 0)
    err(
      `${plural(links, 'property')} with links of photos, which guests see as links: run the same command with --photos to have the photos themselves, or name their hosts in "image_hosts" of "explorer" in catalogue.yaml.\n`,
    );
  if (written > 0) err(`See it: ${colors.bold(`${invocation()} dev --open${option}`)}\n`);
  if (lacking > 0)
    err(
      `Complete the drafts without ${open.map(({ field }) => printable(field)).join(' or ')}: ${colors.bold(`${invocation()} dev --edit${option}`)}\n`,
    );
}

/** As it can be typed here: npm puts a package's own command only on the path of its scripts. */
function invocation(): string {
  return /[\\/]\.bin[\\/]catalogue$/.test(process.argv[1] ?? '') ? 'npx catalogue' : 'catalogue';
}

function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${printable(text).replaceAll("'", "'\\''")}'`;
}
