import { isMapping } from '../values/mapping.ts';
import type { AuthoredValue, FieldValues, ValuePath } from './api.ts';

export type FormValues = FieldValues;

export type FormChange = { readonly path: ValuePath; readonly value: AuthoredValue };

/** Text that is not a value yet, such as half of a country's name, by control id. */
export type UnfinishedTexts = Readonly<Record<string, string>>;

/** `keys`: for each list, the keys of its entries. A key moves with its entry, so that inputs keep the focus. */
export type Snapshot = {
  readonly values: FormValues;
  readonly texts: UnfinishedTexts;
  readonly keys: Readonly<Record<string, readonly number[]>>;
};

export type UndoHistory = {
  readonly past: readonly Snapshot[];
  readonly present: Snapshot;
  readonly future: readonly Snapshot[];
  readonly typed?: { readonly place: string; readonly at: number };
};

/** Milliseconds without typing after which the next change is a new undo step. */
const UNDO_STEP_PAUSE = 1500;

const MOST_STEPS = 500;

export function startHistory(values: FormValues): UndoHistory {
  return { past: [], present: { values, texts: {}, keys: {} }, future: [] };
}

/**
 * Continued typing in the same place extends the last step. `unfinished.text`: undefined once the text of the control
 * is complete, for example because `changes` have its value.
 */
export function applyChanges(
  history: UndoHistory,
  changes: readonly FormChange[],
  at: number,
  unfinished?: { readonly control: string; readonly text: string | undefined },
): UndoHistory {
  const { present, typed } = history;
  const place = unfinished?.control ?? JSON.stringify(changes.map(({ path }) => path));
  const isNowValue = unfinished !== undefined && unfinished.text === undefined;
  const isTyping = !isNowValue && changes.every(({ value }) => typeof value === 'string' || value === null);
  const goesOn = typed?.place === place && (isNowValue || (isTyping && at - typed.at < UNDO_STEP_PAUSE));
  const values = changes.reduce(
    (before, { path, value }) => valueSet(before, path, value) as FormValues,
    present.values,
  );
  const { [unfinished?.control ?? '']: _text, ...others } = present.texts;
  const texts = isNowValue
    ? others
    : { ...present.texts, ...(unfinished && { [unfinished.control]: unfinished.text! }) };
  return {
    ...withUndoStep(history, { ...present, values, texts }),
    ...(goesOn && { past: history.past }),
    ...(isTyping && { typed: { place, at } }),
  };
}

export function withUndoStep({ past, present }: UndoHistory, next: Snapshot): UndoHistory {
  return { past: [...past, present].slice(-MOST_STEPS), present: next, future: [] };
}

/** Applies `change` to all snapshots, so that undo does not revert it. Drops undo steps that then change nothing. */
export function rebaseHistory(
  { past, present, future }: UndoHistory,
  change: (values: FormValues) => FormValues,
): UndoHistory {
  const next = [...past, present, ...future].map((one) => ({ ...one, values: change(one.values) }));
  const now = next[past.length]!;
  const differs = (one: Snapshot, other: Snapshot | undefined) =>
    !other || !isEqualValue(one.values, other.values) || !isEqualValue(one.texts, other.texts);
  return {
    past: next.slice(0, past.length).filter((one, index) => differs(one, next[index + 1])),
    present: now,
    future: next.slice(past.length + 1).filter((one, index) => differs(one, next[past.length + index])),
  };
}

/** @param arrange receives the indexes of entries; returns those to keep, in order, and values of new entries */
export function withRearrangedEntries(
  history: UndoHistory,
  list: string,
  arrange: (places: readonly number[]) => readonly (number | AuthoredValue)[],
): UndoHistory {
  const { present } = history;
  const entries = entriesAt(present.values, list);
  const keys = entryKeys(present, list);
  const order = arrange(entries.map((_, place) => place));
  let fresh = Math.max(-1, ...keys);
  return withUndoStep(history, {
    ...present,
    values: {
      ...present.values,
      [list]: order.map((one) => (typeof one === 'number' ? entries[one]! : one)),
    },
    keys: { ...present.keys, [list]: order.map((one) => (typeof one === 'number' ? keys[one]! : ++fresh)) },
  });
}

export function undoOneStep({ past, present, future }: UndoHistory): UndoHistory | undefined {
  const before = past.at(-1);
  return before && { past: past.slice(0, -1), present: before, future: [present, ...future] };
}

export function redoOneStep({ past, present, future }: UndoHistory): UndoHistory | undefined {
  const [next, ...rest] = future;
  return next && { past: [...past, present], present: next, future: rest };
}

export function entriesAt(values: FormValues, list: string): readonly AuthoredValue[] {
  const value = values[list];
  return Array.isArray(value) ? (value as readonly AuthoredValue[]) : [];
}

export function entryKeys({ values, keys }: Snapshot, list: string): readonly number[] {
  const known = keys[list] ?? [];
  const first = Math.max(-1, ...known) + 1;
  return entriesAt(values, list).map((_, place) => known[place] ?? first + place);
}

function valueSet(
  holder: AuthoredValue | undefined,
  [step, ...rest]: ValuePath,
  value: AuthoredValue,
): AuthoredValue {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = Array.isArray(holder) ? (holder as readonly AuthoredValue[]) : [];
    if (step >= list.length) return list;
    return value === null && rest.length === 0
      ? list.toSpliced(step, 1)
      : list.with(step, valueSet(list[step], rest, value));
  }
  const mapping = isMapping(holder) ? (holder as FormValues) : {};
  const next = valueSet(mapping[step], rest, value);
  if (next !== null) return { ...mapping, [step]: next };
  const { [step]: _removed, ...others } = mapping;
  return others;
}

export function changedFields(base: FormValues, values: FormValues): FieldValues {
  const names = new Set([...Object.keys(base), ...Object.keys(values)]);
  const changed = [...names].filter((name) => !isEqualValue(base[name], values[name]));
  return Object.fromEntries(changed.map((name) => [name, values[name] ?? null]));
}

/** Undefined, null and empty values are equal. */
export function isEqualValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(filled(one)) === JSON.stringify(filled(other));
}

function filled(value: unknown): unknown {
  if (value === undefined || value === null || value === '') return '';
  if (Array.isArray(value)) return value.length === 0 ? '' : value.map(filled);
  if (typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, filled(inner)] as const);
  return entries.filter(([, inner]) => inner !== '').sort(([a], [b]) => (a < b ? -1 : 1));
}
