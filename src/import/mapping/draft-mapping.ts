import { guessBoolean } from '../../source/correction.ts';
import { warningFinding } from '../finding.ts';
import type { Column } from '../table/profile.ts';
import type { SourceNote } from '../table/row.ts';
import { squeezedName, squeezedNamesIn } from '../words/column-names.ts';
import { guessAffirmation, isPlaceholderValue } from '../words/column-values.ts';
import TABLE from '../words/tables/column-names.json' with { type: 'json' };
import type { Proposal, ValueSource } from './mapping.ts';
import { fieldLine } from './mapping-text.ts';

const OFFERED = squeezedNamesIn(TABLE.liveness.offered);
const NOT_OFFERED = squeezedNamesIn(TABLE.liveness.not_offered);
/** Columns in which "yes" means that the property is not offered. */
const REVERSED = squeezedNamesIn(TABLE.liveness.reversed);

export function isOffered(text: string, isReversed: boolean): boolean | undefined {
  const word = squeezedName(text);
  if (OFFERED.has(word)) return true;
  if (NOT_OFFERED.has(word)) return false;
  const meant = isPlaceholderValue(text) ? undefined : guessAffirmation(text);
  return meant === undefined ? undefined : (meant === 'true') !== isReversed;
}

export function tellsIfOffered({ name, filled, placeholders, words }: Column): boolean {
  const known = [...(words ?? [])].filter(([text]) => isOffered(text, isReversed(name)) !== undefined);
  return known.reduce((sum, [, count]) => sum + count, 0) > (filled - placeholders) / 2;
}

/** Whether the user must say of some values of the column whether they mean "offered". */
export function hasUnknownStatus({ name, words }: Column): boolean {
  return [...(words?.keys() ?? [])].some((text) => isOffered(text, isReversed(name)) === undefined);
}

/**
 * Whether a column may have the status of properties. "Estado" may also be a region and "Stato" a country, so the
 * values must decide.
 */
export function isStatusName(name: string): boolean {
  return /^(?:status|statut|état|etat|state|estado|stato|situação|situación|stan|toestand)(?![\p{L}\d])/iu.test(
    name.normalize('NFC'),
  );
}

/**
 * Maps a status column to `draft`: each value that does not mean "offered" makes the property a draft. If all `rows` of
 * the table have a status, so does an empty cell, which only a later export can have.
 */
export function draftFieldMapping(column: Column, rows?: number): ValueSource {
  const { name, words } = column;
  const texts = [...(words?.keys() ?? [])].sort();
  // The draft field understands yes and no, so the values need no conversion.
  if (isReversed(name) && texts.every((text) => guessBoolean(text) !== undefined)) return name;
  const [offered, others] = [true, false].map((is) =>
    texts.filter((text) => (isOffered(text, isReversed(name)) === true) === is),
  );
  // If all values of a column mean yes, such as "x", an empty cell means no.
  const isEmptyNo = !isReversed(name) && texts.every((text) => guessAffirmation(text) === 'true');
  if (isEmptyNo) return { from: name, default: 'no', true: ['no'], false: offered };
  const [hiding] = others ?? [];
  const isComplete = hiding !== undefined && column.filled - column.placeholders === rows;
  return { from: name, ...(isComplete && { default: hiding }), true: others, false: offered };
}

const MAX_NAMED = 5;

/** Warns if nothing is mapped to `draft`, but unused columns such as "Freigabe: ja, nein" may say what guests may see. */
export function unusedStatusNotes(
  unused: readonly Column[],
  { draft }: Proposal,
  rows: number,
): SourceNote[] {
  const found = draft === undefined ? unused.filter((column) => dividesProperties(column, rows)) : [];
  const [first] = found;
  if (!first) return [];
  const names = found.slice(0, MAX_NAMED).map(({ name }) => `"${name}"`);
  const message = `Guests will see all properties, even if ${names.join(' or ')} says which of them are offered.`;
  const line = fieldLine('draft', draftFieldMapping(first, rows));
  return [warningFinding('unknown-status', message, `If it does, write in the mapping: ${line}`, 'draft')];
}

/** Whether a column says yes of some properties and no of all others. If it is empty instead, most must have a yes. */
function dividesProperties(column: Column, rows: number): boolean {
  const texts = [...(column.words?.keys() ?? [])];
  const isSome = (meant: boolean) => texts.some((text) => isOffered(text, false) === meant);
  const isWhole = column.filled === rows;
  const isLikely = isSome(false) ? isWhole : !isWhole && column.filled * 2 > rows;
  return tellsIfOffered(column) && isSome(true) && isLikely;
}

function isReversed(name: string): boolean {
  return REVERSED.has(squeezedName(name));
}
