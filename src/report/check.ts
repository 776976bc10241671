import type { CheckResult } from '../compile/check.ts';
import type { ListingReadiness } from '../compile/listing-readiness.ts';
import type { Repair } from '../editing/repair.ts';
import type { RepairableCount, RepairedFile } from '../editing/repair-content.ts';
import { hasErrors } from '../source/findings.ts';
import { countText, pluralOf } from '../text/amounts.ts';
import { printable } from '../text/printable.ts';
import { cutText } from '../text/shorten.ts';
import { createColors } from './colors.ts';
import { noFilesText, reportFindings, tallyOfFindings, tallyText } from './diagnostics.ts';
import { contentPrefix } from './path-prefix.ts';
import { type ReportFormat, type Sink, truncatedListTexts } from './sink.ts';

export function reportCheck(
  result: CheckResult & {
    readonly repaired?: readonly RepairedFile[] | undefined;
    readonly repairable?: RepairableCount | undefined;
    readonly advice?: ListingReadiness | undefined;
    /** Failure that is not a finding. Only for JSON; with other formats, the command throws it after this report. */
    readonly error?: { readonly code: string; readonly message: string } | undefined;
  },
  format: ReportFormat,
  content: string,
  sink: Sink,
): void {
  const prefix = contentPrefix(content);
  const { repaired, repairable, files, others, languages = {} } = result;
  if (repaired && format !== 'json') reportRepairs(repaired, prefix, sink);
  const placed = repaired?.map(({ file, ...repairs }) => ({ file: prefix + file, ...repairs }));
  const document = { ...result, ...(placed && { repaired: placed }) };
  if (!reportFindings(document, result.findings, format, content, sink)) return;
  const colors = createColors(sink.color);
  const mark = hasErrors(result.findings) ? colors.red('Checked') : colors.green('Checked');
  if (files === 0) {
    sink.err(others?.files ? 'No property file is among the given paths.\n' : noFilesText(content));
  }
  sink.err(`${mark} ${countText(files, 'file')}: ${tallyOfFindings(result.findings)}.\n`);
  for (const [language, fields] of Object.entries(languages))
    sink.err(`${languageText(language, fields)}.\n`);
  if (repairable && repairable.count > 0)
    sink.err(
      `Run "catalogue check --fix" to repair ${repairable.count}${repairable.isAll ? '' : ' and more'} of these findings.\n`,
    );
  if (result.advice) reportAdvice(result.advice, prefix, sink);
  if (others && others.errors + others.warnings > 0) {
    const tally = tallyText(others.errors, others.warnings);
    sink.err(`Other files: ${tally}. Run "catalogue check" to see them.\n`);
  }
}

const MAX_NAMED = 3;

function reportAdvice(
  { for: service, properties, ready, wants }: ListingReadiness,
  prefix: string,
  sink: Sink,
): void {
  const colors = createColors(sink.color);
  sink.err(
    `${colors.bold(service)}: ${ready} of ${countText(properties, 'property')} have all that it wants.\n`,
  );
  for (const { what, source, missing } of wants) {
    if (missing.length === 0) continue;
    const names = truncatedListTexts(missing, MAX_NAMED, (file) => printable(prefix + file), '');
    sink.err(`  ${missing.length} without ${what}: ${names.join(', ')}\n  ${colors.dim(source)}\n`);
  }
}

const TEXT_NAMES: Readonly<Record<string, string>> = {
  'photo.description': 'photo description',
  'hotel_policy.detail': 'policy',
};

function languageText(language: string, fields: NonNullable<CheckResult['languages']>[string]): string {
  const parts = Object.entries(fields).map(([name, { texts, of }]) => {
    const noun = TEXT_NAMES[name] ?? name.replaceAll('_', ' ');
    return `${texts} of ${of} ${noun.endsWith('s') ? noun : pluralOf(noun)}`;
  });
  return `Translated to ${language}: ${parts.join(', ')}`;
}

function reportRepairs(repaired: readonly RepairedFile[], prefix: string, sink: Sink): void {
  const colors = createColors(sink.color);
  let count = 0;
  let files = 0;
  for (const { file, repairs, refused } of repaired) {
    const line = (one: Repair, verb: string) => {
      const place = colors.bold(`${printable(prefix + file)}:${one.line}:${one.column}`);
      const change = `${quoted(one.from)} → ${quoted(one.to)}`;
      return `${place}  ${verb} ${colors.dim(printable(one.path.join('.')))}\n  ${change}\n`;
    };
    for (const one of repairs) sink.err(line(one, colors.green('repaired')));
    for (const one of refused) sink.err(`${line(one, colors.red('not repaired'))}  ${one.reason}\n`);
    count += repairs.length;
    files += Math.min(1, repairs.length);
  }
  if (count === 0) sink.err('Nothing that could be repaired safely.\n');
  else
    sink.err(`${colors.green('Repaired')} ${countText(count, 'value')} in ${countText(files, 'file')}.\n\n`);
}

function quoted(text: string): string {
  return `"${printable(cutText(text, 60))}"`;
}
