import { isDeepStrictEqual } from 'node:util';
import { type Configuration, hasPages, offersBulkDownloads } from '../contract/configuration.ts';
import { DOWNLOAD_KEYS } from '../contract/document-keys.ts';
import { hostOf } from '../contract/hosts.ts';
import { isSharedKey } from '../contract/object-kinds.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, pageSizes } from '../contract/parameters.ts';
import { imageListCount } from '../release/root-contents.ts';
import { type JoinedSummaries, joinSummaries, type Scope, scopesOfCities } from '../release/sequence.ts';
import { indexesById, type SequenceColumns } from '../release/sequence-columns.ts';
import { planTree, type TreePlan, treeObjectCount } from '../tree/objects.ts';
import { type CatalogueComparison, compareCatalogue } from './compare-catalogue.ts';
import { assertFitsHost } from './host-limits.ts';
import { imageNamesOf, summarizeImageSizes } from './images/record-images.ts';
import type { OrderedCatalogue } from './order.ts';
import {
  adviseLayout,
  type Counts,
  countListFiles,
  type LayoutAdvice,
  type ReleaseSize,
  releaseSizeOf,
} from './release-size.ts';
import type { LastRelease } from './state/last-release.ts';
import { downloadInputsDigest, PART_LIMITS, type PlannedBulkFiles, planParts } from './write/bulk-files.ts';
import type { GroupFile } from './write/changed-files-writer.ts';
import { type BuildFolders, documentsOfRelease } from './write/documents.ts';
import { keysOfLaterDocuments } from './write/release-root.ts';
import type { GeneratedEdge } from './write/targets.ts';

export type PlannedRelease = OrderedCatalogue &
  PlannedBulkFiles & {
    readonly configuration: Configuration;
    /** The lists of the API: of all properties, each country and each city. Set in both layouts. */
    readonly scopes: readonly Scope[];
    /** Equal to `scopes` in the pages layout, otherwise empty. */
    readonly pageScopes: readonly Scope[];
    readonly tree: TreePlan;
    readonly sizes: readonly number[];
    readonly comparison: CatalogueComparison;
    readonly media: readonly string[];
    readonly documents: readonly GroupFile[];
    /** Indexes in the sequence, sorted by id. */
    readonly order: Uint32Array;
    /** Undefined if the release has neither pages nor downloads. */
    readonly summaries: JoinedSummaries | undefined;
    readonly size: ReleaseSize;
    readonly counts: Counts;
    readonly advice: LayoutAdvice | undefined;
  };

export type ReleaseToWrite = PlannedRelease & { readonly edge: GeneratedEdge };

/** @throws UsageError if the host or the configuration does not accept the release */
export function planRelease(
  configuration: Configuration,
  catalogue: OrderedCatalogue,
  folders: BuildFolders,
  last: LastRelease | undefined,
): PlannedRelease {
  const { published, sequence, columns, cities, inPlace } = catalogue;
  const scopes = last && isDeepStrictEqual(cities, last.cities) ? last.scopes : scopesOfCities(cities);
  const sizes = pageSizes(configuration);

  const images = new Set<string>();
  for (const record of published) for (const name of imageNamesOf(record, configuration)) images.add(name);
  const media = [...images].sort();
  const pageScopes = hasPages(configuration) ? scopes : [];
  // Without a last release, the packed layout has nothing to compare. With one, both layouts compare lists, since
  // target configurations depend on the totals of lists.
  const compared = last || hasPages(configuration) ? scopes : [];
  const comparison = compareCatalogue(catalogue, last?.scopes ?? [], compared);
  const documents = documentsOfRelease(
    { ...catalogue, configuration, scopes, comparison, lastParts: last?.parts ?? [] },
    folders,
    last?.groups.files,
  );
  const order = (inPlace && last?.order) || indexesById(columns);
  const { parts, downloads } = planBulkFiles(configuration, columns, order);
  const summaries =
    hasPages(configuration) || downloads ? joinSummaries(sequence.map(({ summary }) => summary)) : undefined;
  const tree = planTree(columns, scopes);
  const downloadCount = downloads ? DOWNLOAD_KEYS.length : 0;
  const later = keysOfLaterDocuments(configuration, downloadCount > 0).length;
  const copies = documents.filter(({ key }) => !isSharedKey(key)).length + later;
  const size = sizeThatFits(configuration, { ...catalogue, scopes, summaries, media }, folders, {
    tree: treeObjectCount(tree) + parts.length + imageListCount(media) + copies,
    documents: documents.length + later,
    downloads: downloadCount,
  });
  const counts = countsOf(size, scopes, { properties: sequence.length, images: media.length });
  return {
    ...catalogue,
    configuration,
    scopes,
    pageScopes,
    tree,
    sizes,
    comparison,
    media,
    documents,
    parts,
    downloads,
    order,
    summaries,
    size,
    counts,
    advice: hasPages(configuration)
      ? adviseLayout(size, summaries!, () =>
          sizes.length > FEW_SIZES.length ? countListFiles(scopes, FEW_SIZES) : undefined,
        )
      : undefined,
  };
}

/** @param order the properties' indexes in the sequence, sorted by id */
export function planBulkFiles(
  configuration: Configuration,
  columns: SequenceColumns,
  order: Uint32Array,
): PlannedBulkFiles {
  const isWhole = configuration.bulk === 'whole';
  const downloads = offersBulkDownloads(configuration)
    ? downloadInputsDigest(columns, isWhole, PART_LIMITS)
    : undefined;
  return { parts: planParts(columns, order, PART_LIMITS), downloads };
}

function countsOf(
  { pages, tree, files, pageBytes, bytes }: ReleaseSize,
  scopes: readonly Scope[],
  counts: Pick<Counts, 'properties' | 'images'>,
): Counts {
  const countries = scopes.filter(({ country, city }) => country && !city).length;
  const cities = scopes.filter(({ country, city }) => country && city).length;
  return { ...counts, countries, cities, pages, tree, files, pageBytes, bytes };
}

/** Page sizes to suggest if there are too many files. */
const FEW_SIZES: readonly number[] = [DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE];

function sizeThatFits(
  configuration: Configuration,
  release: Pick<PlannedRelease, 'published' | 'columns' | 'summaries' | 'scopes' | 'media'>,
  { folder }: BuildFolders,
  files: { readonly tree: number; readonly documents: number; readonly downloads: number },
): ReleaseSize {
  const { published, columns, summaries, scopes, media } = release;
  const sizes = pageSizes(configuration);
  const { limits, isStatic = false } = hostOf(configuration.host) ?? {};
  const isMeasured = limits?.bytes !== undefined || limits?.bytesPerFile !== undefined;
  const others = {
    details: hasPages(configuration) ? published.length : 0,
    properties: published.length,
    ...files,
    media: media.length,
    summaryBytes: published.reduce((sum, { entry }) => sum + entry!.summaryBytes + 1, 0),
    detailBytes: columns.detailBytes.reduce((sum, bytes) => sum + bytes, 0),
    // Rough bytes of the explorer, and of the API reference with its copy in the tree.
    documentBytes: (configuration.explorer.enabled ? 500_000 : 0) + (configuration.docs ? 4_000_000 : 0),
    ...(isMeasured ? summarizeImageSizes(media, folder) : { mediaBytes: 0, largest: 0 }),
  };
  const listed = hasPages(configuration) ? scopes : [];
  const size = releaseSizeOf(listed, sizes, summaries, others);
  assertFitsHost(size, configuration, () => {
    // Suggestions name other hosts, which may limit bytes. So these sizes always include the images.
    const all = isMeasured ? others : { ...others, ...summarizeImageSizes(media, folder) };
    const whole = releaseSizeOf(listed, sizes, summaries, all);
    if (!hasPages(configuration)) return { whole, variants: [] };
    const fewer = [FEW_SIZES, [DEFAULT_PAGE_SIZE]]
      .filter((few) => few.length < sizes.length)
      .map((few) => ({
        setting: `page_sizes: [${few.join(', ')}]`,
        size: releaseSizeOf(scopes, few, summaries, all),
      }));
    const inChunks = releaseSizeOf([], sizes, summaries, { ...all, details: 0 });
    const packed = isStatic ? [] : [{ setting: 'layout: packed', size: inChunks }];
    return { whole, variants: [...fewer, ...packed] };
  });
  return size;
}
