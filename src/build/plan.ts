import { isDeepStrictEqual } from 'node:util';
import { type Configuration, hasBulk, hasPages, isPacked } from '../contract/configuration.ts';
import { DOWNLOAD_KEYS } from '../contract/document-keys.ts';
import { hostOf } from '../contract/hosts.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../contract/parameters.ts';
import type { DetailPart } from '../packed/format/root.ts';
import { countPacked, type PackedPlan, planPacked } from '../packed/pack.ts';
import { type Comparison, compareSequences } from '../release/comparison.ts';
import { dividePieces } from '../release/pieces.ts';
import { type Scope, scopesOfCities } from '../release/sequence.ts';
import { orderOfIds } from '../release/sorted-ids.ts';
import type { Counts } from './context.ts';
import { checkFit } from './fit.ts';
import { imagesOf, sizesOfImages } from './images/images.ts';
import type { OrderedCatalogue } from './order.ts';
import { adviseLayout, countPages, type LayoutAdvice, planFiles, type ReleaseSize } from './size.ts';
import type { LastRelease } from './state/last-release.ts';
import { documentsOfRelease, type Places } from './write/documents.ts';
import { type DownloadPart, detailParts, divideDownloads, LIMITS } from './write/downloads.ts';
import type { GroupFile } from './write/group.ts';
import type { GeneratedEdge } from './write/targets.ts';

export function sizesOf({ page_sizes }: Configuration): readonly number[] {
  return page_sizes === 'all' ? Array.from({ length: MAX_PAGE_SIZE }, (_, index) => index + 1) : page_sizes;
}

export type PlannedRelease = OrderedCatalogue & {
  readonly configuration: Configuration;
  /** All scopes, which the API answers and counts even without pages. */
  readonly scopes: readonly Scope[];
  /** Scopes that get pages: all or none. */
  readonly pageScopes: readonly Scope[];
  /** End of each piece of the sequence; empty where the manifest includes the sequence. */
  readonly pieces: readonly number[];
  readonly packed: PackedPlan | undefined;
  readonly sizes: readonly number[];
  readonly comparison: Comparison;
  readonly media: readonly string[];
  readonly documents: readonly GroupFile[];
  /** Division of the downloads, or of the details of the packed layout; undefined without either. */
  readonly downloads: readonly DownloadPart[] | undefined;
  /** Order of the properties in the parts of the packed layout, as indexes in the sequence; undefined for the sequence's. */
  readonly order: Uint32Array | undefined;
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
  const { published, sequence, columns, cities, before, inPlace } = catalogue;
  const scopes = last && isDeepStrictEqual(cities, last.cities) ? last.scopes : scopesOfCities(cities);
  const sizes = sizesOf(configuration);

  const images = new Set<string>();
  for (const record of published) for (const name of imagesOf(record, configuration)) images.add(name);
  const media = [...images].sort();
  const pageScopes = hasPages(configuration) ? scopes : [];
  const countries = scopes.filter(({ country, city }) => country && !city).length;
  const pieces = dividePieces(columns);
  // Without a last release, only pages need the differences.
  const compared = last || hasPages(configuration) ? scopes : [];
  const comparison = compareSequences(before, sequence, compared, last?.scopes ?? []);
  const documents = documentsOfRelease(
    { ...catalogue, configuration, scopes, comparison, lastParts: lastDetails(configuration, last) },
    places,
    last?.groups.documents,
  );
  const order = hasPages(configuration) ? undefined : (inPlace && last?.order) || orderOfIds(columns);
  const downloads = order || hasBulk(configuration) ? divideDownloads(columns, LIMITS, order) : undefined;
  const packed = isPacked(configuration) ? planPacked(columns, scopes) : undefined;
  const plan = sizeThatFits(configuration, { ...catalogue, scopes, packed, media }, places, {
    // Plus the index, the data package and the manifest.
    documents:
      documents.length +
      pieces.length +
      (hasBulk(configuration) ? 3 : 2) +
      (order ? 0 : (downloads?.length ?? 0) * DOWNLOAD_KEYS.length),
    parts: order ? downloads!.length : 0,
  });
  const counts: Counts = {
    properties: sequence.length,
    countries,
    cities: scopes.filter(({ country, city }) => country && city).length,
    pages: plan.pages,
    packed: plan.packed,
    files: plan.files,
    pageBytes: plan.pageBytes,
    bytes: plan.bytes,
    images: media.length,
  };
  return {
    ...catalogue,
    configuration,
    scopes,
    pageScopes,
    pieces,
    packed,
    sizes,
    comparison,
    media,
    documents,
    downloads,
    order,
    plan,
    counts,
    advice: packed
      ? undefined
      : adviseLayout(
          plan,
          catalogue.summaries!,
          () =>
            inPlace && last?.advised !== undefined ? last.advised : countPacked(planPacked(columns, scopes)),
          () => (sizes.length > FEW_SIZES.length ? countPages(scopes, FEW_SIZES) : undefined),
        ),
  };
}

/** Returns the last build's parts with the details; undefined where each detail is a file. */
export function lastDetails(
  configuration: Configuration,
  last: LastRelease | undefined,
): readonly DetailPart[] | undefined {
  return hasPages(configuration) ? undefined : detailParts(last?.parts ?? []);
}

/** The page sizes that are advised where there are too many files. */
const FEW_SIZES: readonly number[] = [DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE];

/** Average bytes of a part of the details, about. */
const PART_BYTES = 480_000;

/** Computes the size of a release. @throws UsageError when its host or the configuration does not take it. */
function sizeThatFits(
  configuration: Configuration,
  release: Pick<PlannedRelease, 'published' | 'columns' | 'summaries' | 'scopes' | 'packed' | 'media'>,
  { folder }: Places,
  { documents, parts }: { readonly documents: number; readonly parts: number },
): ReleaseSize {
  const { published, columns, summaries, scopes, packed, media } = release;
  const sizes = sizesOf(configuration);
  const others = {
    details: hasPages(configuration) ? published.length : 0,
    properties: published.length,
    packed: packed ? countPacked(packed) + parts : 0,
    media: media.length,
    documents,
    summaryBytes: published.reduce((sum, { entry }) => sum + entry!.summaryBytes + 1, 0),
    detailBytes: columns.detailBytes.reduce((sum, bytes) => sum + bytes, 0),
    // The files of the explorer, and of the page that shows the API.
    documentBytes: (configuration.explorer.enabled ? 500_000 : 0) + (configuration.docs ? 2_000_000 : 0),
    hasBulk: hasPages(configuration) && hasBulk(configuration),
    ...sizesOfImages(media, configuration, folder),
  };
  const planned = planFiles(hasPages(configuration) ? scopes : [], sizes, summaries, others);
  checkFit(planned, configuration, () => {
    if (!hasPages(configuration)) return [];
    const fewer = [FEW_SIZES, [DEFAULT_PAGE_SIZE]]
      .filter((few) => few.length < sizes.length)
      .map((few) => ({
        setting: `page_sizes: [${few.join(', ')}]`,
        size: planFiles(scopes, few, summaries, others),
      }));
    const chunks = others.packed || countPacked(planPacked(columns, scopes));
    const inParts = chunks + Math.ceil(others.detailBytes / PART_BYTES);
    const inChunks = planFiles([], sizes, summaries, {
      ...others,
      details: 0,
      hasBulk: false,
      packed: inParts,
    });
    const isPossible = !hostOf(configuration.host)?.isStatic;
    return isPossible ? [...fewer, { setting: 'layout: packed', size: inChunks }] : fewer;
  });
  return planned;
}
