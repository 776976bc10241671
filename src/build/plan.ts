import { type Configuration, hasBulk, hasPages, isPacked } from '../contract/configuration.ts';
import { MAX_PAGE_SIZE } from '../contract/parameters.ts';
import { countPacked, type PackedPlan, planPacked } from '../packed/pack.ts';
import { type Comparison, compareSequences } from '../release/comparison.ts';
import { MAX_INLINE } from '../release/pieces.ts';
import { type Scope, scopesOf } from '../release/sequence.ts';
import type { Counts } from './context.ts';
import { imagesOf } from './images/images.ts';
import type { OrderedCatalogue } from './order.ts';
import { adviseLayout, checkPlan, type LayoutAdvice, planFiles, type ReleaseSize } from './size.ts';
import type { LastRelease } from './state/last-release.ts';
import { documentsOfRelease, type Places } from './write/documents.ts';
import type { Document } from './write/public-files.ts';
import type { GeneratedEdge } from './write/targets.ts';

/** The page sizes that a configuration publishes, in order. */
export function sizesOf({ page_sizes }: Configuration): readonly number[] {
  return page_sizes === 'all' ? Array.from({ length: MAX_PAGE_SIZE }, (_, index) => index + 1) : page_sizes;
}

/** A release, before it is written. */
export type PlannedRelease = OrderedCatalogue & {
  readonly configuration: Configuration;
  /** Every scope; without pages each is still answered, and counted. */
  readonly scopes: readonly Scope[];
  /** The scopes that get pages: all, or none. */
  readonly pageScopes: readonly Scope[];
  /** How the sequence is packed; undefined when it is not. */
  readonly packed: PackedPlan | undefined;
  readonly sizes: readonly number[];
  readonly comparison: Comparison;
  readonly media: readonly string[];
  /** Those that are made before the downloads. */
  readonly documents: readonly Document[];
  readonly plan: ReleaseSize;
  readonly counts: Counts;
  readonly advice: LayoutAdvice | undefined;
};

/** A release with its edge configurations. */
export type ReleaseToWrite = PlannedRelease & { readonly edge: GeneratedEdge };

/**
 * Plans a release.
 *
 * @param downloads number of the files of its downloads.
 * @throws UsageError when it has more files than the configuration allows.
 */
export function planRelease(
  configuration: Configuration,
  catalogue: OrderedCatalogue,
  downloads: number,
  places: Places,
  last: LastRelease | undefined,
): PlannedRelease {
  const { published, sequence, summaries, before, inPlace } = catalogue;
  const scopes = last && inPlace ? last.scopes : scopesOf(sequence);
  const sizes = sizesOf(configuration);

  const images = new Set<string>();
  for (const record of published) for (const name of imagesOf(record, configuration)) images.add(name);
  const media = [...images].sort();
  const pageScopes = hasPages(configuration) ? scopes : [];
  const countries = scopes.filter(({ country, city }) => country && !city).length;
  const inPieces = !hasPages(configuration) && sequence.length > MAX_INLINE;
  const comparison = compareSequences(before, sequence, scopes, last?.scopes ?? []);
  const documents = documentsOfRelease(
    { ...catalogue, configuration, scopes, comparison },
    places,
    last?.documents,
  );
  const packed = isPacked(configuration) ? planPacked(sequence, scopes, inPieces) : undefined;
  const plan = planFiles(pageScopes, sizes, summaries, {
    details: sequence.length,
    packed: packed ? countPacked(packed) : 0,
    media: media.length,
    // The index, the data package and the manifest follow.
    documents: documents.length + (hasBulk(configuration) ? 3 : 2) + downloads,
  });
  checkPlan(plan, configuration.max_files, sizes, pageScopes);
  const counts: Counts = {
    properties: sequence.length,
    countries,
    cities: scopes.filter(({ country, city }) => country && city).length,
    pages: plan.pages,
    packed: plan.packed,
    files: plan.files,
    pageBytes: plan.pageBytes,
    images: media.length,
  };
  return {
    ...catalogue,
    configuration,
    scopes,
    pageScopes,
    packed,
    sizes,
    comparison,
    media,
    documents,
    plan,
    counts,
    advice: packed
      ? undefined
      : adviseLayout(plan, summaries, () =>
          inPlace && last?.advised !== undefined ? last.advised : countPacked(planPacked(sequence, scopes)),
        ),
  };
}
