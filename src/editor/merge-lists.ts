/** Three-way merge of lists by entry: photos by file or URL, policies and payment methods by type, words by value. */
import { isMapping } from '../values/mapping.ts';
import type { AuthoredValue } from './api.ts';
import { type FormValues, isEqualValue } from './undo-history.ts';

/**
 * Each side's value after adding the other side's changes. `yours` and `theirs` differ only where both sides changed
 * the same entry, or the order.
 */
export type MergedSides<Value> = { readonly yours: Value; readonly theirs: Value };

const IDENTIFYING_MEMBERS = ['file', 'url', 'policy_type', 'method_type'] as const;

export function mergeListEntries(
  base: AuthoredValue | undefined,
  yours: AuthoredValue | undefined,
  theirs: AuthoredValue | undefined,
): MergedSides<readonly AuthoredValue[]> | undefined {
  if (!Array.isArray(yours) && !Array.isArray(theirs)) return undefined;
  const lists = [base, yours, theirs].map(namedEntries);
  const [before, mine, other] = lists;
  if (!before || !mine || !other) return undefined;
  const merged = new Map(
    [...new Set([...mine.keys(), ...other.keys()])].map((name) => [
      name,
      mergedEntry(before.get(name), mine.get(name), other.get(name)),
    ]),
  );
  const [ours, others] = [orderOf(mine, other), orderOf(other, mine)];
  const arranged = (order: readonly string[], side: keyof MergedSides<unknown>) =>
    order.flatMap((name) => merged.get(name)![side] ?? []);
  const isMoved = { yours: isReordered(before, mine), theirs: isReordered(before, other) };
  return {
    yours: arranged(isMoved.yours ? ours : others, 'yours'),
    theirs: arranged(isMoved.theirs || !isMoved.yours ? others : ours, 'theirs'),
  };
}

function namedEntries(value: AuthoredValue | undefined): ReadonlyMap<string, AuthoredValue> | undefined {
  if (value === undefined || value === null || value === '') return new Map();
  if (!Array.isArray(value)) return undefined;
  const named = new Map<string, AuthoredValue>();
  for (const entry of value as readonly AuthoredValue[]) {
    const name = nameOf(entry);
    if (name === undefined || named.has(name)) return undefined;
    named.set(name, entry);
  }
  return named;
}

function nameOf(entry: AuthoredValue): string | undefined {
  if (typeof entry === 'string') return entry;
  if (!isMapping(entry)) return undefined;
  const values = entry as FormValues;
  const name = IDENTIFYING_MEMBERS.map((member) => values[member]).find(
    (one) => typeof one === 'string' && one !== '',
  );
  return typeof name === 'string' ? name : undefined;
}

function mergedEntry(
  base: AuthoredValue | undefined,
  yours: AuthoredValue | undefined,
  theirs: AuthoredValue | undefined,
): MergedSides<AuthoredValue | undefined> {
  if (isEqualValue(base, yours)) return { yours: theirs, theirs };
  if (isEqualValue(base, theirs)) return { yours, theirs: yours };
  if (!isMapping(yours) || !isMapping(theirs)) return { yours, theirs };
  const [before, mine, other] = [isMapping(base) ? base : {}, yours, theirs] as [
    FormValues,
    FormValues,
    FormValues,
  ];
  const members = [...new Set([...Object.keys(other), ...Object.keys(mine)])].map(
    (member) => [member, mergedEntry(before[member], mine[member], other[member])] as const,
  );
  const side = (name: keyof MergedSides<unknown>) =>
    Object.fromEntries(
      members.flatMap(([member, sides]) => {
        const value = sides[name];
        return value === undefined ? [] : [[member, value] as const];
      }),
    );
  return { yours: side('yours'), theirs: side('theirs') };
}

function orderOf(frame: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): string[] {
  const order = [...frame.keys()];
  let previous = -1;
  for (const name of other.keys()) {
    const place = frame.has(name) ? order.indexOf(name) : previous + 1;
    if (!frame.has(name)) order.splice(place, 0, name);
    previous = place;
  }
  return order;
}

function isReordered(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): boolean {
  const stayed = [...after.keys()].filter((name) => before.has(name));
  const order = [...before.keys()].filter((name) => after.has(name));
  return stayed.some((name, place) => name !== order[place]);
}
