/** Recognises a later export whose statuses or coordinates changed their form. */
import { join } from 'node:path';
import { UsageError } from '../errors/errors.ts';
import { countText, formatNumber } from '../text/amounts.ts';
import { cutText } from '../text/shorten.ts';
import { columnOf } from './candidate/hidden-reason.ts';
import { draftValue, unknownStatus } from './candidate/row-property.ts';
import { SHRINK } from './files/gone-files.ts';
import { type Ledger, valuesIn } from './files/ledger.ts';
import { conversionOf, type MappingPart, mappingPartsOf, type TableMapping } from './mapping/mapping.ts';
import type { OpenedTable } from './opened-table.ts';
import type { Profile } from './table/profile.ts';

type Table = Pick<OpenedTable, 'content' | 'ledgerName' | 'path' | 'profile'> & {
  readonly given: Pick<TableMapping, 'draft' | 'latitude' | 'longitude'>;
  readonly ledger: Pick<Ledger, 'filesOf'>;
};

/**
 * Must be called before anything is written.
 * @throws UsageError `source-shrunk` if the mapping does not know most of the statuses, and guests would therefore see
 * fewer than half as many properties as before
 */
export function refuseChangedStatuses({ content, given, ledger, ledgerName, path, profile }: Table): void {
  const changed = mappingPartsOf(given.draft)
    .flatMap((part) => statusesIn(part, profile))
    .find(({ known, filled }) => known * 2 < filled || filled === 0);
  if (!changed) return;
  const isShown = (file: string) => String(Object(valuesIn(join(content, file))).draft) !== 'true';
  const shown = ledger.filesOf(ledgerName).filter(isShown).length;
  const { name, known, offered, unknown } = changed;
  if (offered * 2 >= shown) return;
  const words = unknown.length > 0 ? `, which has ${cutText(`"${unknown.join('", "')}"`, 100)} now` : '';
  const message = `${path} knows the status of ${formatNumber(known)} of ${countText(profile.rows, 'row')} in "${name}"${words}. Nothing was changed, since guests would see ${formatNumber(offered)} of the ${countText(shown, 'property')} that they see. Below "draft" in the mapping, write in "false" which words mean "offered", and in "true" the others. ${SHRINK}`;
  throw new UsageError('source-shrunk', message);
}

/**
 * Must be called before anything is written.
 * @throws UsageError `source-shrunk` if most coordinates lost their decimal marks, as in a spreadsheet: then other
 * numbers did too, and 1.5 became 15
 */
export function refuseWholeCoordinates({ content, given, ledger, ledgerName, profile }: Table): void {
  const whole = [given.latitude, given.longitude]
    .flatMap((mapped) => columnOf(mapped as MappingPart, profile.columns) ?? [])
    .find(({ filled, share }) => filled >= 3 && share.number - share.comma - share.dotted > 0.5);
  const isPlaced = (file: string) => /\./.test(String(Object(valuesIn(join(content, file))).latitude));
  if (!whole || !ledger.filesOf(ledgerName).some(isPlaced)) return;
  const message = `Most numbers in "${whole.name}" have no decimals, such as "${whole.samples[0]}". Nothing was changed, since a spreadsheet may have changed other numbers too, such as 1.5 to 15. Import the export as it came. ${SHRINK}`;
  throw new UsageError('source-shrunk', message);
}

function statusesIn(part: MappingPart, { columns, rows }: Profile) {
  const column = columnOf(part, columns);
  if (!column?.words) return [];
  const mapped = { ...conversionOf(part), from: '.' };
  const words = [...column.words];
  const sumOf = (counts: typeof words) => counts.reduce((sum, [, count]) => sum + count, 0);
  const isUnknown = (word: string) => unknownStatus({ '.': word }, mapped) !== undefined;
  const filled = sumOf(words);
  const all = [...words, ['', rows - filled] as const] as typeof words;
  return {
    ...{ name: column.name, filled, known: sumOf(words.filter(([word]) => !isUnknown(word))) },
    offered: sumOf(all.filter(([word]) => draftValue({ '.': word }, mapped) !== 'true')),
    unknown: words.flatMap(([word]) => (isUnknown(word) ? [word] : [])),
  };
}
