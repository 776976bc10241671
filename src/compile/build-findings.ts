/** Merges the findings that are stored in records (one record per source file) with all other findings. */
import { compareDiagnostics, type Diagnostic } from '../source/diagnostic.ts';
import {
  createFindingCounter,
  type FindingCounts,
  type Findings,
  isBrokenConfiguration,
} from '../source/findings.ts';
import { summarizeUndeclaredFields } from '../source/undeclared-field.ts';
import type { BuildContext, BuildResult } from './context.ts';
import type { FileRecord } from './read/file-record.ts';
import { codeOfFindingKind, findingKind, isErrorKind } from './read/finding-encoding.ts';
import { diagnosticsIn, findingKindsOf } from './read/record-row.ts';
import { DamagedStateError } from './state/damage.ts';
import type { BuildState } from './state/state-file.ts';

export function countFindings(
  records: Iterable<FileRecord>,
  otherFindings: readonly Diagnostic[],
): FindingCounts {
  const counts: number[] = [];
  const add = (kind: number) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };
  for (const record of records) for (const kind of findingKindsOf(record)) add(kind);
  for (const found of otherFindings) add(findingKind(found));
  const counter = createFindingCounter();
  for (const [kind, count = 0] of counts.entries())
    if (count > 0) counter.add(codeOfFindingKind(kind), isErrorKind(kind) ? 'error' : 'warning', count);
  return counter.counts;
}

/**
 * @param records sorted by path; iterated again for each pass over the findings
 * @param counts the result of {@link countFindings} for the same findings
 */
export function createFindings(
  records: Iterable<FileRecord>,
  otherFindings: readonly Diagnostic[],
  counts: FindingCounts,
): Findings {
  const sorted = otherFindings.toSorted(compareDiagnostics);
  const all = { [Symbol.iterator]: () => merged(records, sorted) };
  const repeated = summarizeUndeclaredFields(counts, all, sorted.some(isBrokenConfiguration));
  if (!repeated) return { ...counts, [Symbol.iterator]: all[Symbol.iterator] };
  const counter = createFindingCounter();
  for (const { errors, warnings } of [counts, repeated.countChange]) {
    for (const [code, count] of Object.entries(errors)) counter.add(code, 'error', count);
    for (const [code, count] of Object.entries(warnings)) counter.add(code, 'warning', count);
  }
  const most = [...sorted, ...repeated.summaries].sort(compareDiagnostics);
  return {
    ...counter.counts,
    *[Symbol.iterator]() {
      for (const found of merged(records, most)) if (!repeated.isReplaced(found)) yield found;
    },
  };
}

function* merged(records: Iterable<FileRecord>, otherFindings: readonly Diagnostic[]): Generator<Diagnostic> {
  let next = 0;
  for (const own of diagnosticsIn(records)) {
    const { file } = own[0]!;
    while (next < otherFindings.length && otherFindings[next]!.file < file) yield otherFindings[next++]!;
    const start = next;
    while (next < otherFindings.length && otherFindings[next]!.file === file) next++;
    yield* [...own, ...otherFindings.slice(start, next)].sort(compareDiagnostics);
  }
  yield* otherFindings.slice(next);
}

/**
 * Returns undefined if the state's file `findings` is damaged. Iterating the result also reads the pieces with the
 * records, and throws a {@link DamagedStateError} if a piece is damaged or missing.
 */
export function storedFindings({
  summary,
  findings,
  pieces,
  piece,
}: BuildState<unknown>): Findings | undefined {
  const stored = findings();
  if (!stored) return undefined;
  const records = {
    *[Symbol.iterator]() {
      for (const name of pieces) {
        const found = piece(name);
        if (!found) throw new DamagedStateError();
        yield* found;
      }
    },
  };
  return { ...createFindings(records, stored.otherFindings, summary.findings), first: stored.first };
}

/** Members that `own` lacks get the values of a refused build. */
export function createBuildResult(
  { asOf, stopwatch }: Pick<BuildContext, 'asOf' | 'stopwatch'>,
  own: Pick<BuildResult, 'outcome' | 'findings'> & Partial<BuildResult>,
): BuildResult {
  return withDiagnostics<BuildResult>({
    leftOut: [],
    asOf,
    hidden: { draft: 0, early: 0, over: 0 },
    release: undefined,
    refusedTargets: [],
    damaged: [],
    kept: [],
    counts: undefined,
    advice: undefined,
    work: { written: 0, removed: 0, made: 0, reused: 0 },
    ...own,
    seconds: stopwatch.stop(),
  });
}

/** Adds `diagnostics`, computed on first access. Not enumerable: a spread could create millions of objects. */
export function withDiagnostics<Result extends { readonly findings: Findings }>(
  result: Omit<Result, 'diagnostics'> & { readonly findings: Findings },
): Result {
  let all: readonly Diagnostic[] | undefined;
  return Object.defineProperty(result, 'diagnostics', {
    get() {
      all ??= [...result.findings];
      return all;
    },
  }) as unknown as Result;
}
