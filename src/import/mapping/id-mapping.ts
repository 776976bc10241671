/** Chooses the columns that ids are made from, and warns if the ids may change or collide. */
import { uuidFromName } from '../../release/uuid-v5.ts';
import { countText } from '../../text/amounts.ts';
import { warningFinding } from '../finding.ts';
import { type Column, isContainer, MAX_COMPARED, MAX_KEY_LENGTH, type Profile } from '../table/profile.ts';
import type { SourceNote } from '../table/row.ts';
import { columnMeaning, isBareNumberWord, isRowCodeColumn } from '../words/column-names.ts';
import { columnsOf, conversionOf, type Proposal, type ValueSource } from './mapping.ts';
import { fieldLine } from './mapping-text.ts';

/** UUID namespace for the names of sources. The UUID made from a source's name is the namespace for ids of its rows. */
export const ID_NAMESPACE = '5d0f3c1e-6d7e-5a39-9d55-5c8f6a2b7e10';

export function isIdentifier({ email, link, boolean, number }: Column['share']): boolean {
  return email + link + (number > 0.5 ? 0 : boolean) < 0.5;
}

/** Uses a column of UUIDs, or else makes ids from a key column or from title and place. Undefined without these. */
export function idMapping(
  mapping: Proposal,
  { columns, rows: all, unread }: Pick<Profile, 'columns' | 'rows' | 'unread'>,
  name: string,
): ValueSource | undefined {
  const rows = all - unread;
  const isKey = (column: Column) => {
    const { filled, isUnique, list, longest, secret } = column;
    const isText = list === undefined && !isContainer(column) && longest <= MAX_KEY_LENGTH;
    return isText && filled === rows && isUnique && secret === undefined;
  };
  const certaintyOf = ({ name }: Column) => columnMeaning(name)?.certainty ?? 0;
  const used = columnsOf(mapping);
  const isFree = (column: Column) =>
    isRowCodeColumn(column) && columnMeaning(column.name) === undefined && !used.includes(column.name);
  const isNamed = (column: Column) =>
    (columnMeaning(column.name)?.meaning === 'id' && isIdentifier(column.share)) || isFree(column);
  const named = columns
    .filter(isNamed)
    .filter(isKey)
    .sort((a, b) => certaintyOf(b) - certaintyOf(a));
  const uuids = [...named, ...columns].find((column) => column.share.uuid > 0.9 && isKey(column));
  if (uuids) return uuids.name;
  const uuid = uuidFromName(name, ID_NAMESPACE);
  // A column called "No." probably numbers the rows, so any other key is better.
  const key = named.find((column) => !isBareNumberWord(column.name)) ?? named[0];
  if (key) return { from: key.name, uuid };
  const columnsIn = (field: string) => columnsOf({ [field]: mapping[field] });
  const [title, city, ...degrees] = ['title', 'city', 'latitude', 'longitude'].map(columnsIn);
  // If titles are unique, the id is made without coordinates, so that correcting these does not change it.
  const isTitled =
    rows < MAX_COMPARED && columns.some((column) => column.name === title![0] && isKey(column));
  if (isTitled) return { from: [...title!, ...city!], join: '|', uuid };
  const place = degrees.some((one) => one.length > 0) ? degrees.flat() : columnsIn('address');
  const from = [...new Set([...title!, ...city!, ...place])];
  return from.length === 0 ? undefined : { from, join: '|', uuid };
}

/** Whether the title is one of several columns that ids are made from, so that a new title gives a new id. */
export function isIdOfTitle({ id, title }: Proposal): boolean {
  const { from } = conversionOf(id);
  return Array.isArray(from) && columnsOf({ title }).some((column) => from.includes(column));
}

/**
 * Finds a column that is named like an id, but in which several rows share a value. Considers only the column that the
 * mapping uses for the id and, if ids are made from titles, columns with at least half as many distinct values as
 * filled cells. (A column with fewer may hold postal codes.)
 */
export function repeatedIdColumn(mapping: Proposal, { columns }: Profile): Column | undefined {
  const { from } = conversionOf(mapping.id);
  const isTelling = ({ words, filled }: Column) => words === undefined || words.size * 2 >= filled;
  return columns.find(
    (one) => one.sharedCount > 0 && (one.name === from || (isIdOfTitle(mapping) && isTelling(one))),
  );
}

/** Returns a mapping line that makes ids from a column of keys. `source`: name of the source. */
export function idLine({ id }: Proposal, source: string, key?: Column): string {
  const { from } = conversionOf(id);
  const column = key?.name ?? (typeof from === 'string' ? from : '<column>');
  return fieldLine('id', { from: column, uuid: uuidFromName(source, ID_NAMESPACE) });
}

/** Warns if rows share an id, or if ids depend on titles. `file`: path of the mapping; undefined for a proposed one. */
export function idNotes(mapping: Proposal, profile: Profile, source: string, file?: string): SourceNote[] {
  const isOfTitle = isIdOfTitle(mapping);
  const key = repeatedIdColumn(mapping, profile);
  const { from } = conversionOf(mapping.id);
  const rounded = [key ?? profile.columns.find(({ name }) => name === from) ?? []].flat().flatMap(roundedIds);
  const twice = key && rounded.length === 0 ? [repeatedIds(key, isOfTitle)] : rounded;
  if (!isOfTitle) return twice;
  const message = `The ids follow from ${columnsOf({ id: mapping.id }).join(', ')}: a row whose title or place changes becomes another property, beside the old one.`;
  const place = file === undefined ? 'the mapping' : `${file}, which changes all ids once`;
  const help = `If a column has a number of its own for each row, write in ${place}: ${idLine(mapping, source, key)}`;
  return [...twice, warningFinding('id-from-title', message, help)];
}

/** Says what a spreadsheet did to a long number; empty if the text does not look like that. */
export function spreadsheetNumberText(text: string): string {
  if (/^\d(?:[.,]\d+)?e\+?\d{1,3}$/i.test(text))
    return 'A spreadsheet wrote long numbers with an exponent, so their last digits may be lost.';
  return /^[1-9]\d{14}0+$/.test(text)
    ? 'A spreadsheet rounded long numbers to 15 digits, and wrote zeros for the others.'
    : '';
}

function repeatedIds({ name, sharedCount, shared }: Column, isOfTitle: boolean): SourceNote {
  const shown = `${shared.join(', ')}${sharedCount > shared.length ? ', ...' : ''}`;
  const message = `${countText(sharedCount, 'value')} of "${name}" ${sharedCount === 1 ? 'is' : 'are'} in more than one row: ${shown}.`;
  const help = isOfTitle
    ? 'If that column has the number of each property, remove the surplus rows before the first import: ids never change.'
    : REMOVE_OTHERS;
  return warningFinding('repeated-id', message, help);
}

const REMOVE_OTHERS =
  'Only the first row of each is imported. Remove the others, or give them numbers of their own.';

/** Whether most long numbers end in zeros, since a few do so by chance. Rounded ones may be in several rows. */
function areMostRounded({ words, samples }: Column): boolean {
  const long = [...(words ?? samples.map((text) => [text, 1] as const))].filter(([text]) =>
    /^\d{16,}$/.test(text),
  );
  const count = (some: typeof long) => some.reduce((sum, [, rows]) => sum + rows, 0);
  const rounded = count(long.filter(([text]) => spreadsheetNumberText(text) !== ''));
  return rounded > 1 && rounded * 2 > count(long);
}

function roundedIds(column: Column): SourceNote[] {
  const { name, samples, shared } = column;
  const cells = shared.map((cell) => /^"(.*)" \(/.exec(cell)?.[1] ?? '');
  const text = [...samples, ...cells].find(
    (one) => spreadsheetNumberText(one) !== '' && (!/^\d+$/.test(one) || areMostRounded(column)),
  );
  if (text === undefined) return [];
  const message = `"${name}" has ids such as ${text}. ${spreadsheetNumberText(text)}`;
  return [warningFinding('rounded-id', message, FORMAT_AS_TEXT)];
}

const FORMAT_AS_TEXT =
  'Import the export as it came. If you open it in a spreadsheet, format the column as text before you save.';

/** Moves the advice about repeated or rounded ids from the notes to the causes that are about duplicate ids, if any. */
export function withAdviceOnDuplicates<Cause extends { readonly code: string; readonly help: string }>(
  notes: readonly SourceNote[],
  causes: readonly Cause[],
): { readonly notes: readonly SourceNote[]; readonly causes: readonly Cause[] } {
  const note = notes.find(({ code, help }) => code === 'rounded-id' || help === REMOVE_OTHERS);
  if (!note || !causes.some(({ code }) => code === 'duplicate-id')) return { notes, causes };
  const help = note.code === 'rounded-id' ? `${note.message} ${note.help}` : note.help;
  return {
    notes: notes.filter((one) => one !== note),
    causes: causes.map((one) => (one.code === 'duplicate-id' ? { ...one, help } : one)),
  };
}
