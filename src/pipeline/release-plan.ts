import { type Comparison, compareSequences } from '../catalogue/comparison.ts';
import { type Entry, type Scope, scopesOf, toSequence } from '../catalogue/sequence.ts';
import { type Configuration, hasPages, isPacked, routeSettings } from '../contract/configuration.ts';
import { MAX_PAGE_SIZE } from '../contract/parameters.ts';
import { documentsOf } from '../emit/documents.ts';
import { countPacked, type PackedPlan, planPacked } from '../emit/packed-objects.ts';
import { type JoinedSummaries, joinSummaries } from '../emit/page-files.ts';
import { adviseLayout, checkPlan, type LayoutAdvice, type Plan, planFiles } from '../emit/plan.ts';
import type { Counts } from './build.ts';
import { countCatalogueFiles } from './catalogue-files.ts';
import type { GeneratedEdge } from './edge-stage.ts';
import type { LastRelease } from './last-release.ts';
import { imagesOf } from './media-stage.ts';
import type { FileRecord } from './read-stage.ts';

/** The page sizes that a configuration publishes, in order. */
export function sizesOf({ page_sizes }: Configuration): readonly number[] {
  return page_sizes === 'all' ? Array.from({ length: MAX_PAGE_SIZE }, (_, index) => index + 1) : page_sizes;
}

/** A release, before it is written. */
export type PlannedRelease = {
  readonly configuration: Configuration;
  readonly sequence: readonly Entry[];
  readonly recordOf: ReadonlyMap<Entry, FileRecord>;
  readonly summaries: JoinedSummaries;
  /** Every scope; without pages each is still answered, and counted. */
  readonly scopes: readonly Scope[];
  /** The scopes that get pages: all, or none. */
  readonly pageScopes: readonly Scope[];
  /** How the sequence is packed; undefined when it is not. */
  readonly packed: PackedPlan | undefined;
  readonly sizes: readonly number[];
  readonly comparison: Comparison;
  readonly media: readonly string[];
  readonly documents: ReadonlyMap<string, string>;
  readonly plan: Plan;
  readonly counts: Counts;
  readonly advice: LayoutAdvice | undefined;
};

/** A release with its edge configurations. */
export type Release = PlannedRelease & { readonly edge: GeneratedEdge };

/** Plans a release. @throws UsageError when it has more files than the configuration allows. */
export function planRelease(
  configuration: Configuration,
  published: readonly FileRecord[],
  last: LastRelease | undefined,
): PlannedRelease {
  const recordOf = new Map(published.map((record) => [record.entry!, record]));
  const sequence = toSequence([...recordOf.keys()]);
  const before = last?.published.map((record) => record.entry!) ?? [];
  const scopes = scopesOf(sequence);
  const summaries = joinSummaries(sequence);

  const sizes = sizesOf(configuration);

  const media = [...new Set(published.flatMap((record) => imagesOf(record, configuration)))].sort();
  const documents = documentsOf(routeSettings(configuration));
  const pageScopes = hasPages(configuration) ? scopes : [];
  const packed = isPacked(configuration) ? planPacked(sequence, scopes) : undefined;
  const plan = planFiles(pageScopes, sizes, summaries, {
    details: sequence.length,
    packed: packed ? countPacked(packed) : 0,
    media: media.length,
    documents: documents.size + 1 + countCatalogueFiles(configuration),
  });
  checkPlan(plan, configuration.max_files, sizes, pageScopes);
  const counts: Counts = {
    properties: sequence.length,
    countries: scopes.filter(({ country, city }) => country && !city).length,
    cities: scopes.filter(({ country, city }) => country && city).length,
    pages: plan.pages,
    packed: plan.packed,
    files: plan.files,
    pageBytes: plan.pageBytes,
    images: media.length,
  };
  const comparison = compareSequences(before, sequence, scopes);
  return {
    configuration,
    sequence,
    recordOf,
    summaries,
    scopes,
    pageScopes,
    packed,
    sizes,
    comparison,
    media,
    documents,
    plan,
    counts,
    advice: packed ? undefined : adviseLayout(plan, summaries, () => planPacked(sequence, scopes)),
  };
}
