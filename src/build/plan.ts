import { type Configuration, hasBulk, hasPages, isPacked } from '../contract/configuration.ts';
import { DOWNLOAD_KEYS } from '../contract/document-keys.ts';
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
import { type DownloadPart, divideDownloads } from './write/downloads.ts';
import type { GroupFile } from './write/group.ts';
import type { GeneratedEdge } from './write/targets.ts';

/** Returns the page sizes that a configuration publishes, in order. */
export function sizesOf({ page_sizes }: Configuration): readonly number[] {
  return page_sizes === 'all' ? Array.from({ length: MAX_PAGE_SIZE }, (_, index) => index + 1) : page_sizes;
}

export type PlannedRelease = OrderedCatalogue & {
  readonly configuration: Configuration;
  /** All scopes, which the API answers and counts even without pages. */
  readonly scopes: readonly Scope[];
  /** Scopes that get pages: all or none. */
  readonly pageScopes: readonly Scope[];
  /** Plan of the packed layout; undefined without one. */
  readonly packed: PackedPlan | undefined;
  readonly sizes: readonly number[];
  readonly comparison: Comparison;
  readonly media: readonly string[];
  /** Documents that do not depend on the downloads. */
  readonly documents: readonly GroupFile[];
  /** Division of the downloads; undefined without downloads. */
  readonly downloads: readonly DownloadPart[] | undefined;
  readonly plan: ReleaseSize;
  readonly counts: Counts;
  readonly advice: LayoutAdvice | undefined;
};

export type ReleaseToWrite = PlannedRelease & { readonly edge: GeneratedEdge };

/**
 * Plans a release.
 * @throws UsageError when the release has more files than the configuration allows.
 */
export function planRelease(
  configuration: Configuration,
  catalogue: OrderedCatalogue,
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
    last?.groups.documents,
  );
  const downloads = hasBulk(configuration) ? divideDownloads(sequence) : undefined;
  const packed = isPacked(configuration) ? planPacked(sequence, scopes, inPieces) : undefined;
  const plan = planFiles(pageScopes, sizes, summaries, {
    details: sequence.length,
    packed: packed ? countPacked(packed) : 0,
    media: media.length,
    // Plus the index, the data package and the manifest.
    documents: documents.length + (downloads ? 3 + downloads.length * DOWNLOAD_KEYS.length : 2),
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
    downloads,
    plan,
    counts,
    advice: packed
      ? undefined
      : adviseLayout(plan, summaries, () =>
          inPlace && last?.advised !== undefined ? last.advised : countPacked(planPacked(sequence, scopes)),
        ),
  };
}
