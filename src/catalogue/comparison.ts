/** What differs between two sequences, scope by scope, without looking at a tree. */
import { scopeFolder } from '../contract/layout.ts';
import { pageCount } from '../contract/pagination.ts';
import { type Placed, type Scope, scopesOf } from './sequence.ts';

/** What comparison needs to know of an entry. */
export type Comparable = Placed & {
  readonly id: string;
  readonly summaryDigest: string;
  readonly detailDigest: string;
};

/** A scope whose pages have to be written, at least in part. */
export type ChangedScope = {
  readonly scope: Scope;
  /** Key of its folder. */
  readonly folder: string;
  /** Total before; 0 for a new scope. */
  readonly before: number;
  /** Places (from 0) in the scope whose entry differs, in order; undefined when every page has to be written. */
  readonly places: readonly number[] | undefined;
};

/** A scope that has gone. */
export type GoneScope = { readonly folder: string; readonly before: number };

/** What differs between two sequences. */
export type Comparison = {
  readonly changed: readonly ChangedScope[];
  readonly gone: readonly GoneScope[];
  /** Ids whose detail is new or differs. */
  readonly writtenDetails: readonly string[];
  /** Ids whose detail has gone. */
  readonly goneDetails: readonly string[];
};

/**
 * Compares two sequences. An empty `before` makes everything new.
 *
 * @param scopes the scopes of `after`, when they are known.
 */
export function compareSequences(
  before: readonly Comparable[],
  after: readonly Comparable[],
  scopes: readonly Scope[] = scopesOf(after),
): Comparison {
  const key = (scope: Scope) => `${scope.country}\0${scope.city}`;
  const folder = (scope: Scope) => scopeFolder(scope.country, scope.city);
  const old = new Map(scopesOf(before).map((scope) => [key(scope), scope]));
  const changed: ChangedScope[] = [];
  for (const scope of scopes) {
    const previous = old.get(key(scope));
    old.delete(key(scope));
    // Every page carries the total, so another total changes every page.
    if (!previous || previous.total !== scope.total) {
      changed.push({ scope, folder: folder(scope), before: previous?.total ?? 0, places: undefined });
      continue;
    }
    const places = differingPlaces(before, previous, after, scope);
    if (places.length > 0) changed.push({ scope, folder: folder(scope), before: previous.total, places });
  }
  const gone = [...old.values()].map((scope) => ({ folder: folder(scope), before: scope.total }));
  return { changed, gone, ...compareDetails(before, after) };
}

function compareDetails(before: readonly Comparable[], after: readonly Comparable[]) {
  const old = new Map(before.map((entry) => [entry.id, entry.detailDigest]));
  const writtenDetails: string[] = [];
  for (const entry of after) {
    if (old.get(entry.id) !== entry.detailDigest) writtenDetails.push(entry.id);
    old.delete(entry.id);
  }
  return { writtenDetails, goneDetails: [...old.keys()] };
}

function differingPlaces(
  before: readonly Comparable[],
  previous: Scope,
  after: readonly Comparable[],
  scope: Scope,
): number[] {
  const places: number[] = [];
  let run = 0;
  let old = previous.runs[0]!.start;
  let place = 0;
  for (const { start, end } of scope.runs) {
    for (let index = start; index < end; index++, place++, old++) {
      // The totals are the same, so there is a run left.
      if (old === previous.runs[run]!.end) old = previous.runs[++run]!.start;
      if (before[old]!.summaryDigest !== after[index]!.summaryDigest) places.push(place);
    }
  }
  return places;
}

/** Numbers of the pages of one size that have to be written, in order. */
export function changedPages({ scope, places }: ChangedScope, size: number): number[] {
  if (!places) return Array.from({ length: pageCount(scope.total, size) }, (_, index) => index + 1);
  const numbers: number[] = [];
  for (const place of places) {
    const number = Math.floor(place / size) + 1;
    if (numbers.at(-1) !== number) numbers.push(number);
  }
  return numbers;
}
