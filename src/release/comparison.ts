/** Compares two sequences, scope by scope, reading only their entries. */
import { scopeFolder } from '../contract/object-keys.ts';
import { pageCount, type Range } from '../contract/pagination.ts';
import { type Placed, type Scope, scopesOf } from './sequence.ts';

/** Fields of an entry that a comparison uses. */
export type Comparable = Placed & {
  readonly id: string;
  readonly summaryDigest: string;
  readonly detailDigest: string;
};

/** A scope with pages to write. */
export type ChangedScope = {
  readonly scope: Scope;
  readonly folder: string;
  /** Previous total; 0 for a new scope. */
  readonly before: number;
  /** Indices (from 0) in the scope of entries that differ, ascending; undefined when every page has to be written. */
  readonly places: readonly number[] | undefined;
};

type GoneScope = { readonly folder: string; readonly before: number };

/** Differences of two sequences. */
export type Comparison = {
  readonly changed: readonly ChangedScope[];
  readonly gone: readonly GoneScope[];
  readonly writtenDetails: readonly string[];
  /** Ids of removed details. */
  readonly goneDetails: readonly string[];
};

/**
 * Compares two sequences. With an empty `before`, everything is new.
 *
 * @param scopes the scopes of `after`, if they are at hand.
 * @param oldScopes the scopes of `before`, if they are at hand.
 */
export function compareSequences(
  before: readonly Comparable[],
  after: readonly Comparable[],
  scopes: readonly Scope[] = scopesOf(after),
  oldScopes: readonly Scope[] = scopesOf(before),
): Comparison {
  const part = differingPart(before, after, oldScopes, scopes);
  const old = new Map(part.oldScopes.map((scope) => [keyOf(scope), scope]));
  const changed: ChangedScope[] = [];
  for (const scope of part.scopes) {
    const key = keyOf(scope);
    const previous = old.get(key);
    old.delete(key);
    const folder = scopeFolder(scope.country, scope.city);
    // Every page has the total, so a new total changes every page.
    if (!previous || previous.total !== scope.total) {
      changed.push({ scope, folder, before: previous?.total ?? 0, places: undefined });
      continue;
    }
    const places = differingPlaces(before, previous, after, scope, part);
    if (places.length > 0) changed.push({ scope, folder, before: previous.total, places });
  }
  const gone = [...old.values()].map((scope) => ({
    folder: scopeFolder(scope.country, scope.city),
    before: scope.total,
  }));
  let details: ReturnType<typeof compareDetails> | undefined;
  const compared = () => {
    details ??= compareDetails(part.before, part.after);
    return details;
  };
  return {
    changed,
    gone,
    // Computed on demand, since details in parts have no files.
    get writtenDetails() {
      return compared().writtenDetails;
    },
    get goneDetails() {
      return compared().goneDetails;
    },
  };
}

function keyOf({ country, city }: Placed): string {
  return `${country}\0${city}`;
}

/** Strips the common start and end of two sequences, and the scopes that have nothing of the rest. */
function differingPart(
  before: readonly Comparable[],
  after: readonly Comparable[],
  oldScopes: readonly Scope[],
  scopes: readonly Scope[],
) {
  let start = 0;
  let [oldEnd, end] = [before.length, after.length];
  while (start < oldEnd && start < end && isSame(before[start]!, after[start]!)) start++;
  while (start < oldEnd && start < end && isSame(before[oldEnd - 1]!, after[end - 1]!)) {
    oldEnd--;
    end--;
  }
  // By their runs, since an entry decodes its city on demand. One that only touches the part has no difference.
  const touch = (first: number, last: number) => (scope: Scope) =>
    scope.runs.some((run) => run.start <= last && run.end >= first);
  const touched = [...oldScopes.filter(touch(start, oldEnd)), ...scopes.filter(touch(start, end))];
  const keys = new Set(touched.map(keyOf));
  // An empty catalogue has one scope, without entries, whose total is written like any other.
  const isIn = (scope: Scope) => scope.total === 0 || keys.has(keyOf(scope));
  return {
    start,
    end,
    before: before.slice(start, oldEnd),
    after: after.slice(start, end),
    scopes: scopes.filter(isIn),
    oldScopes: oldScopes.filter(isIn),
  };
}

/** Compares two entries. The digest of a summary covers id, country and city. */
function isSame(one: Comparable, other: Comparable): boolean {
  return (
    one === other || (one.summaryDigest === other.summaryDigest && one.detailDigest === other.detailDigest)
  );
}

/** Compares the details of two sequences, or of their differing parts. */
export function compareDetails(
  before: Iterable<Comparable>,
  after: Iterable<Comparable>,
): Pick<Comparison, 'writtenDetails' | 'goneDetails'> {
  const old = new Map<string, string>();
  for (const { id, detailDigest } of before) old.set(id, detailDigest);
  const writtenDetails: string[] = [];
  for (const entry of after) {
    if (old.get(entry.id) !== entry.detailDigest) writtenDetails.push(entry.id);
    old.delete(entry.id);
  }
  return { writtenDetails, goneDetails: [...old.keys()] };
}

/**
 * Finds the indices in a scope whose summaries differ.
 *
 * @param previous the same scope before, with the same total, so that entries outside the differing part keep their
 *   indices.
 */
function differingPlaces(
  before: readonly Comparable[],
  previous: Scope,
  after: readonly Comparable[],
  { runs }: Scope,
  part: Range,
): number[] {
  const places: number[] = [];
  // Index of the old run that has the entry, and the number of entries before that run.
  let [run, base] = [0, 0];
  let offset = 0;
  for (const { start, end } of runs) {
    for (let index = Math.max(start, part.start); index < Math.min(end, part.end); index++) {
      const place = offset + index - start;
      for (; place - base >= lengthOf(previous.runs[run]!); run++) base += lengthOf(previous.runs[run]!);
      const old = before[previous.runs[run]!.start + place - base]!;
      if (old.summaryDigest !== after[index]!.summaryDigest) places.push(place);
    }
    offset += end - start;
  }
  return places;
}

function lengthOf({ start, end }: Range): number {
  return end - start;
}

/** Tells whether two sequences have the same scopes with the same totals. */
export function hasSameTotals({ changed, gone }: Comparison): boolean {
  return gone.length === 0 && changed.every(({ scope, before }) => scope.total === before);
}

/** Numbers of the pages of one size to write, ascending. */
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
