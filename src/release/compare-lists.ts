import { pageKey, scopeFolder } from '../contract/object-keys.ts';
import { pageCount, type Range } from '../contract/pagination.ts';
import type { EntryPlace, Scope } from './sequence.ts';

export type ChangedScope = {
  readonly scope: Scope;
  readonly folder: string;
  /** Previous total; 0 for a new scope. */
  readonly before: number;
  /** Indexes of changed entries within the scope, ascending. Undefined: every page changed. */
  readonly indexes: readonly number[] | undefined;
};

type GoneScope = { readonly folder: string; readonly before: number };

export type ScopeChanges = {
  readonly changed: readonly ChangedScope[];
  readonly gone: readonly GoneScope[];
};

type Entries<Of> = { readonly length: number; readonly [index: number]: Of };

/** If `before` is empty, everything is new. */
export function compareLists<Of>(
  before: Entries<Of>,
  after: Entries<Of>,
  isSame: (one: Of, other: Of) => boolean,
  oldScopes: readonly Scope[],
  scopes: readonly Scope[],
): ScopeChanges {
  const range = differingRange(before, after, isSame);
  const isIn = scopesIn(range, oldScopes, scopes);
  const old = new Map(oldScopes.filter(isIn).map((scope) => [keyOf(scope), scope]));
  const changed: ChangedScope[] = [];
  for (const scope of scopes.filter(isIn)) {
    const key = keyOf(scope);
    const previous = old.get(key);
    old.delete(key);
    const folder = scopeFolder(scope.country, scope.city);
    // Each page contains the total, so a new total changes all pages.
    if (!previous || previous.total !== scope.total) {
      changed.push({ scope, folder, before: previous?.total ?? 0, indexes: undefined });
      continue;
    }
    const differs = (one: number, other: number) => !isSame(before[one]!, after[other]!);
    const indexes = differingIndexes(previous, scope, range, differs);
    if (indexes.length > 0) changed.push({ scope, folder, before: previous.total, indexes });
  }
  const gone = [...old.values()].map((scope) => ({
    folder: scopeFolder(scope.country, scope.city),
    before: scope.total,
  }));
  return { changed, gone };
}

function keyOf({ country, city }: EntryPlace): string {
  return `${country}\0${city}`;
}

/**
 * The entries in which two sequences differ: those from `start` up to `oldEnd` in the old sequence, and from `start` up
 * to `end` in the new one (both exclusive).
 */
type DifferingRange = Range & { readonly oldEnd: number };

export function differingRange<Of>(
  before: Entries<Of>,
  after: Entries<Of>,
  isSame: (one: Of, other: Of) => boolean,
): DifferingRange {
  let start = 0;
  let [oldEnd, end] = [before.length, after.length];
  while (start < oldEnd && start < end && isSame(before[start]!, after[start]!)) start++;
  while (start < oldEnd && start < end && isSame(before[oldEnd - 1]!, after[end - 1]!)) {
    oldEnd--;
    end--;
  }
  return { start, oldEnd, end };
}

function scopesIn(
  { start, oldEnd, end }: DifferingRange,
  oldScopes: readonly Scope[],
  scopes: readonly Scope[],
): (scope: Scope) => boolean {
  // Compares the range with the runs of scopes, because reading the cities of entries would decode each entry. A scope
  // that only borders on the range passes too, even if it has no differences.
  const touch = (first: number, last: number) => (scope: Scope) =>
    scope.runs.some((run) => run.start <= last && run.end >= first);
  const touched = [...oldScopes.filter(touch(start, oldEnd)), ...scopes.filter(touch(start, end))];
  const keys = new Set(touched.map(keyOf));
  // The only scope of an empty catalogue has no entries, but its total is written too.
  return (scope) => scope.total === 0 || keys.has(keyOf(scope));
}

/** @param previous the scope in the old sequence. Its total is the same, so entries outside `range` keep their index */
function differingIndexes(
  previous: Scope,
  { runs }: Scope,
  range: DifferingRange,
  differs: (before: number, after: number) => boolean,
): number[] {
  const indexes: number[] = [];
  const positionBefore = positionsIn(previous.runs);
  let offset = 0;
  for (const { start, end } of runs) {
    for (let at = Math.max(start, range.start); at < Math.min(end, range.end); at++) {
      const index = offset + at - start;
      if (differs(positionBefore(index), at)) indexes.push(index);
    }
    offset += end - start;
  }
  return indexes;
}

/** Returns a function that turns indexes within a scope, which must ascend, into positions in the sequence. */
function positionsIn(runs: readonly Range[]): (index: number) => number {
  // `base`: number of the scope's entries before `run`.
  let [run, base] = [0, 0];
  return (index) => {
    for (; index - base >= lengthOf(runs[run]!); run++) base += lengthOf(runs[run]!);
    return runs[run]!.start + index - base;
  };
}

function lengthOf({ start, end }: Range): number {
  return end - start;
}

export function hasSameTotals({ changed, gone }: ScopeChanges): boolean {
  return gone.length === 0 && changed.every(({ scope, before }) => scope.total === before);
}

/** Keys of a folder's pages that disappear when its total changes from `before` to `after`. */
export function* gonePageKeys(
  folder: string,
  sizes: readonly number[],
  before: number,
  after: number,
): Generator<string> {
  for (const size of sizes)
    for (let number = pageCount(after, size) + 1; number <= pageCount(before, size); number++)
      yield pageKey(folder, size, number);
}

/** Ascending. */
export function changedPageNumbers({ scope, indexes }: ChangedScope, size: number): number[] {
  const numbers: number[] = [];
  if (!indexes) {
    for (let number = 1; number <= pageCount(scope.total, size); number++) numbers.push(number);
    return numbers;
  }
  for (const index of indexes) {
    const number = Math.floor(index / size) + 1;
    if (numbers.at(-1) !== number) numbers.push(number);
  }
  return numbers;
}
