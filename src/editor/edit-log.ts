/** What was done to a property since it was loaded, as edits: what the form shows, undoes and saves follows from them. */
import { isMapping } from '../mapping.ts';
import type { Authored, Edit, ValuePath } from './api.ts';

/** What a property says, by field. */
export type Values = Readonly<Record<string, Authored>>;

/** Something that is undone as one: a stretch of typing, a photo, a fix. */
export type Step = {
  readonly edits: readonly Edit[];
  /** When it was done last, in milliseconds: typing goes on in the same step. */
  readonly at: number;
};

/** Typing that pauses longer than this, in milliseconds, begins another step. */
const PAUSE = 1500;

/** The steps with one more. Typing in one field goes on in the step that it began. */
export function withStep(steps: readonly Step[], edits: readonly Edit[], at: number): readonly Step[] {
  const last = steps.at(-1);
  const isMoreOfIt =
    last !== undefined &&
    at - last.at < PAUSE &&
    edits.every(({ kind }) => kind === 'set' || kind === 'remove') &&
    last.edits.length === edits.length &&
    edits.every(
      (edit, index) => isSame(edit.path, last.edits[index]!.path) && isText(edit, last.edits[index]!),
    );
  return [...(isMoreOfIt ? steps.slice(0, -1) : steps), { edits, at }];
}

function isText(...edits: readonly Edit[]): boolean {
  return edits.every((edit) => edit.kind === 'set' && typeof edit.value === 'string');
}

/** The values after an edit. */
export function withEdit(values: Values, edit: Edit): Values {
  return edited(values, edit.path, edit) as Values;
}

/** The values after several edits, each of what those before it left. */
export function withEdits(values: Values, edits: readonly Edit[]): Values {
  return edits.reduce(withEdit, values);
}

function edited(holder: Authored | undefined, [step, ...rest]: ValuePath, edit: Edit): Authored {
  if (typeof step === 'number') {
    const list = Array.isArray(holder) ? (holder as readonly Authored[]) : [];
    if (rest.length > 0) return list.with(step, edited(list[step], rest, edit));
    switch (edit.kind) {
      case 'set':
        return list.with(step, edit.value);
      case 'remove':
        return list.toSpliced(step, 1);
      case 'insert':
        return list.toSpliced(step, 0, edit.value);
      case 'move':
        return list.toSpliced(step, 1).toSpliced(edit.to, 0, list[step]!);
    }
  }
  const mapping = isMapping(holder) ? (holder as Values) : {};
  const name = String(step);
  if (rest.length > 0) return { ...mapping, [name]: edited(mapping[name], rest, edit) };
  if (edit.kind === 'set') return { ...mapping, [name]: edit.value };
  const { [name]: _removed, ...others } = mapping;
  return others;
}

/**
 * The least that has to be done to `base` to get what the edits make of it: what ends as it began is left out, and of
 * several texts for one place the last is kept.
 */
export function netEdits(base: Values, edits: readonly Edit[]): Edit[] {
  const now = withEdits(base, edits);
  let kept: Edit[] = [];
  for (const edit of edits) {
    const [field, ...rest] = edit.path;
    if (isSame(base[field!], now[field!])) continue;
    if (rest.length === 0) kept = kept.filter(({ path }) => path[0] !== field);
    else if (edit.kind === 'set') {
      // Behind an insertion, a removal or a move, a place in the list is another one.
      const start = kept.findLastIndex((one) => one.path[0] === field && isStructural(one)) + 1;
      kept = kept.filter((one, index) => index < start || !isBelow(one.path, edit.path));
    }
    // A field that the file lacks needs no removal.
    if (edit.kind !== 'remove' || rest.length > 0 || field! in base) kept.push(edit);
  }
  return kept;
}

function isStructural({ kind, path }: Edit): boolean {
  return kind === 'insert' || kind === 'move' || (kind === 'remove' && typeof path.at(-1) === 'number');
}

function isBelow(path: ValuePath, top: ValuePath): boolean {
  return top.every((step, index) => path[index] === step);
}

/** Whether two values say the same. An absent text or list is an empty one. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(filled(one)) === JSON.stringify(filled(other));
}

function filled(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : value.map(filled);
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, filled(inner)] as const);
  return entries.filter(([, inner]) => inner !== '').sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * A name for each entry of a list, which stays with it when it moves: the focus does too.
 *
 * @param count entries of the list at first.
 */
export function entryNames(list: string, count: number, edits: readonly Edit[]): readonly string[] {
  let names = Array.from({ length: count }, (_, index) => `${list}-${index}`);
  edits.forEach((edit, number) => {
    const [field, place] = edit.path;
    if (field !== list) return;
    if (edit.path.length === 1) {
      const length = edit.kind === 'set' && Array.isArray(edit.value) ? edit.value.length : 0;
      names = Array.from({ length }, (_, index) => names[index] ?? `${list}-${number}-${index}`);
    } else if (typeof place === 'number' && edit.path.length === 2) {
      if (edit.kind === 'insert') names = names.toSpliced(place, 0, `${list}-new-${number}`);
      if (edit.kind === 'remove') names = names.toSpliced(place, 1);
      if (edit.kind === 'move') names = names.toSpliced(place, 1).toSpliced(edit.to, 0, names[place]!);
    }
  });
  return names;
}
