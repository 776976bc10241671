/** Changes single values of a property file and keeps everything else: comments, order, quotes, blank lines, line ends. */
import { isDeepStrictEqual } from 'node:util';
import type { Edit, Edited } from './edit.ts';
import { type Splice, spliced } from './lines.ts';
import { lineOf, type OpenFile, openFile } from './open.ts';
import { editRefusal, type Refusal, RefusedEdit } from './refusal.ts';
import { changedAt, valueAt } from './value.ts';
import { type Change, planOf } from './ways.ts';

/**
 * Makes changes in the text of a file, all or none. A byte-order mark stays.
 *
 * @returns the text, or why the file stays as it is
 */
export function editText(text: string, edits: readonly Edit[]): Edited | Refusal {
  let edited: Edited = { text, dropped: [] };
  for (const edit of edits) {
    try {
      const { text: next, dropped } = makeEdit(openFile(edited.text), edit);
      edited = { text: next, dropped: [...edited.dropped, ...dropped] };
    } catch (error) {
      if (!(error instanceof RefusedEdit)) throw error;
      return editRefusal(error.reason, lineOf(edited.text, error.offset));
    }
  }
  return edited;
}

/**
 * Gives texts that a file has other values: each that can be changed, all in one reading of the file where they do not get
 * in each other's way.
 *
 * @returns the text, and the edits that were made
 */
export function setEach(
  text: string,
  edits: readonly (Edit & { kind: 'set' })[],
): { text: string; made: Edit[] } {
  const file = openFile(text);
  const made: Edit[] = [];
  const splices: Splice[] = [];
  let means = file.value;
  for (const edit of edits) {
    const change = firstWay(file, edit);
    if (!change) continue;
    made.push(edit);
    splices.push(...change.splices);
    means = changedAt(means, edit.path, () => valueAt(change.means, edit.path));
  }
  const all = spliced(text, splices);
  if (isAsMeant(file, all, { splices, means }, [])) return { text: all, made };
  return edits.reduce<{ text: string; made: Edit[] }>(
    (before, edit) => {
      const result = editText(before.text, [edit]);
      return 'refused' in result ? before : { text: result.text, made: [...before.made, edit] };
    },
    { text, made: [] },
  );
}

function firstWay(file: OpenFile, edit: Edit): Change | undefined {
  try {
    for (const step of planOf(file, edit)) return 'kind' in step ? undefined : step;
  } catch (error) {
    if (!(error instanceof RefusedEdit)) throw error;
  }
  return undefined;
}

/** Why a text cannot be edited at all; undefined when it can. */
export function refusalOfText(text: string): Refusal | undefined {
  try {
    openFile(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof RefusedEdit)) throw error;
    return editRefusal(error.reason, lineOf(text, error.offset));
  }
}

/** Makes a change in the first way that does nothing else. @throws RefusedEdit when none is left. */
function makeEdit(file: OpenFile, edit: Edit): Edited {
  let offset = 0;
  let edited: Edited = { text: file.text, dropped: [] };
  for (const step of planOf(file, edit)) {
    if ('kind' in step) {
      const { text, dropped } = makeEdit(openFile(edited.text), step);
      edited = { text, dropped: [...edited.dropped, ...dropped] };
      continue;
    }
    offset = step.splices[0]?.start ?? 0;
    const text = spliced(file.text, step.splices);
    const dropped = droppedBy(file, step);
    if (isAsMeant(file, text, step, dropped)) return { text, dropped };
    edited = REFUSED;
  }
  if (edited === REFUSED) throw new RefusedEdit('unwritable', offset);
  return edited;
}

const REFUSED: Edited = { text: '', dropped: [] };

/** The comments on lines that a change takes out. */
function droppedBy({ comments }: OpenFile, { splices, isRemoval }: Change): string[] {
  if (!isRemoval) return [];
  const isOut = (offset: number) => splices.some(({ start, end }) => start <= offset && offset < end);
  return comments.filter(({ offset }) => isOut(offset)).map(({ source }) => source.trimEnd());
}

/** Whether a text says what a change means, and has every comment but those that were dropped. */
function isAsMeant(before: OpenFile, text: string, { means }: Change, dropped: readonly string[]): boolean {
  try {
    const after = openFile(text);
    return (
      isDeepStrictEqual(after.value, means) &&
      isDeepStrictEqual(orderOf(after.value), orderOf(means)) &&
      isDeepStrictEqual([...sourcesOf(after), ...dropped].sort(), sourcesOf(before).sort())
    );
  } catch (error) {
    if (error instanceof RefusedEdit) return false;
    throw error;
  }
}

const sourcesOf = ({ comments }: OpenFile) => comments.map(({ source }) => source.trimEnd());

/** The names of all fields, in their order. */
function orderOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(orderOf);
  if (typeof value !== 'object' || value === null) return null;
  return Object.entries(value).map(([key, inner]) => [key, orderOf(inner)]);
}
