import { scopeFolder } from '../contract/object-keys.ts';
import { pageCount, type Range } from '../contract/pagination.ts';
import type { EntryPlace, Scope } from './sequence.ts';

export type ChangedScope = {
  readonly scope: Scope;
  readonly folder: string;
  /** Previous total; 0 for a new scope. */
  readonly before: number;
  /** Indexes in the scope of changed entries, ascending. Undefined: every page must be written. */
  readonly places: readonly number[] | undefined;
};

type GoneScope = { readonly folder: string; readonly before: number };

export type ListComparison = {
  readonly changed: readonly ChangedScope[];
  readonly gone: readonly GoneScope[];
};

type Entries<Of> = { readonly length: number; readonly [index: number]: Of };

/** If `before` is empty, everything is new. @param isSame compares two summaries */
export function compareLists<Of>(
  before: Entries<Of>,
  after: Entries<Of>,
  isSame: (one: Of, other: Of) => boolean,
  oldScopes: readonly Scope[],
  scopes: readonly Scope[],
): ListComparison {
  const part = differingPart(before, after, isSame);
  const isIn = scopesIn(part, oldScopes, scopes);
  const old = new Map(oldScopes.filter(isIn).map((scope) => [keyOf(scope), scope]));
  const changed: ChangedScope[] = [];
  for (const scope of scopes.filter(isIn)) {
    const key = keyOf(scope);
    const previous = old.get(key);
    old.delete(key);
    const folder = scopeFolder(scope.country, scope.city);
    // Each page contains the total, so a new total changes all pages.
    if (!previous || previous.total !== scope.total) {
      changed.push({ scope, folder, before: previous?.total ?? 0, places: undefined });
      continue;
    }
    const differs = (one: number, other: number) => !isSame(before[one]!, after[other]!);
    const places = differingPlaces(previous, scope, part, differs);
    if (places.length > 0) changed.push({ scope, folder, before: previous.total, places });
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

/** The sequences are equal before `start`; and again from `oldEnd` on in the old one, from `end` on in the new one. */
type Part = Range & { readonly oldEnd: number };

export function differingPart<Of>(
  before: Entries<Of>,
  after: Entries<Of>,
  isSame: (one: Of, other: Of) => boolean,
): Part {
  let start = 0;
  let [oldEnd, end] = [before.length, after.length];
  while (start < oldEnd && start < end && isSame(before[start]!, after[start]!)) start++;
  while (start < oldEnd && start < end && isSame(before[oldEnd - 1]!, after[end - 1]!)) {
    oldEnd--;
    end--;
  }
  return { start, oldEnd, end };
}

/** Scopes that have entries in the part in which two sequences differ. */
function scopesIn(
  { start, oldEnd, end }: Part,
  oldScopes: readonly Scope[],
  scopes: readonly Scope[],
): (scope: Scope) => boolean {
  // Compares runs, since an entry decodes its city on demand. This may include a scope that only touches the part,
  // which then has no difference.
  const touch = (first: number, last: number) => (scope: Scope) =>
    scope.runs.some((run) => run.start <= last && run.end >= first);
  const touched = [...oldScopes.filter(touch(start, oldEnd)), ...scopes.filter(touch(start, end))];
  const keys = new Set(touched.map(keyOf));
  // An empty catalogue has one scope without entries; its total is written too.
  return (scope) => scope.total === 0 || keys.has(keyOf(scope));
}

/** @param previous the same scope with the same total, so entries outside `part` have the same index */
function differingPlaces(
  previous: Scope,
  { runs }: Scope,
  part: Part,
  differs: (before: number, after: number) => boolean,
): number[] {
  const places: number[] = [];
  // `run`: old run that has the entry. `base`: number of entries before that run.
  let [run, base] = [0, 0];
  let offset = 0;
  for (const { start, end } of runs) {
    for (let index = Math.max(start, part.start); index < Math.min(end, part.end); index++) {
      const place = offset + index - start;
      for (; place - base >= lengthOf(previous.runs[run]!); run++) base += lengthOf(previous.runs[run]!);
      if (differs(previous.runs[run]!.start + place - base, index)) places.push(place);
    }
    offset += end - start;
  }
  return places;
}

function lengthOf({ start, end }: Range): number {
  return end - start;
}

export function hasSameTotals({ changed, gone }: ListComparison): boolean {
  return gone.length === 0 && changed.every(({ scope, before }) => scope.total === before);
}

/** Numbers of the changed pages, ascending. */
export function changedPages({ scope, places }: ChangedScope, size: number): number[] {
  const numbers: number[] = [];
  if (!places) {
    for (let number = 1; number <= pageCount(scope.total, size); number++) numbers.push(number);
    return numbers;
  }
  for (const place of places) {
    const number = Math.floor(place / size) + 1;
    if (numbers.at(-1) !== number) numbers.push(number);
  }
  return numbers;
}
