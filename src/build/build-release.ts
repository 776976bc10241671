import { type Configuration, hasPages } from '../contract/configuration.ts';
import { UsageError } from '../errors.ts';
import { hasSameTotals } from '../release/comparison.ts';
import { checkConfiguration } from '../source/configuration-file.ts';
import { compareDiagnostics, type Diagnostic } from '../source/diagnostic.ts';
import type { BuildContext, BuildResult } from './build.ts';
import { inspectRecordMedia, makeRecordMedia } from './images/images.ts';
import { findCache, type LazyCache } from './images/shared-cache.ts';
import { withLogo } from './inputs/logo.ts';
import { orderCatalogue } from './order.ts';
import { planRelease, sizesOf } from './plan.ts';
import { crossDiagnostics, isPlacedAsBefore, readRecords, withoutErrors } from './read/catalogue.ts';
import type { FileRecord } from './read/files.ts';
import { readLastRelease } from './state/last-release.ts';
import { isStored } from './state/records.ts';
import { findKnown, NOTHING_KNOWN } from './state/reusable.ts';
import { findDamage } from './write/check-output.ts';
import { startDownloads } from './write/downloads.ts';
import { writeRelease } from './write/release.ts';
import { generateEdge } from './write/targets.ts';

/** Reads what changed and writes what differs. */
export async function buildRelease(context: BuildContext): Promise<BuildResult> {
  const { stopwatch, options } = context;
  const { settings, faults } = readSettings(context);
  const cache = findCache(options, settings);

  stopwatch.start('read');
  return buildWith(context, settings, cache, faults);
}

/** The configuration with the options that override it; that of the last build, if there is a state, still holds. */
function readSettings({ state, content, configurationBytes, options }: BuildContext): {
  settings: Configuration;
  faults: readonly Diagnostic[];
} {
  if (state) return { settings: state.summary.configuration, faults: [] };
  const { usable, diagnostics: faults } = checkConfiguration(configurationBytes);
  const { configuration, diagnostics } = withLogo(content, withBaseUrl(usable, options.baseUrl));
  return { settings: configuration, faults: [...faults, ...diagnostics] };
}

async function buildWith(
  context: BuildContext,
  settings: Configuration,
  cache: LazyCache | undefined,
  faults: readonly Diagnostic[],
): Promise<BuildResult> {
  const { content, folder, found, stamps, stopwatch, listener, options, threads } = context;
  const remembered = readLastRelease(context.state);
  const damaged =
    context.checkOutput && remembered
      ? await findDamage(folder, {
          ...remembered,
          manifest: context.state!.summary.manifest.digest,
          sequence: remembered.published.map((record) => record.entry!),
          sizes: sizesOf(settings),
          hasPages: hasPages(settings),
        })
      : [];
  // A damaged output is written again, as a whole.
  const last = damaged.length > 0 ? undefined : remembered;

  const known = last ? findKnown(last, found.files, stamps, content) : NOTHING_KNOWN;
  const records = await readRecords({
    content,
    configuration: settings,
    files: found.files,
    known,
    staging: folder.staging,
    threads,
    listener,
  });
  const placed = last && isPlacedAsBefore(records, last);
  const cross = [...found.diagnostics, ...faults, ...(placed ? [] : crossDiagnostics(content, records))];
  const early = [...cross, ...diagnosticsOf(records)];
  stopwatch.start('media');
  const stage = {
    content,
    configuration: settings,
    cacheFolder: folder.mediaCache,
    shared: cache?.open,
    published: new Set(last?.media),
    listener,
  };
  const sound = withoutErrors(records, early).filter((record) => !isStored(record));
  const media = await makeRecordMedia(stage, sound).finally(() => cache?.close());
  const judged = replace(records, media.records);
  // The photos of properties with errors are judged too: everything that is wrong is reported at once.
  const others = early.some(isError) ? without(records, sound).filter((record) => !isStored(record)) : [];
  const diagnostics = [...cross, ...diagnosticsOf(judged), ...(await inspectRecordMedia(stage, others))].sort(
    compareDiagnostics,
  );
  if (faults.length > 0 || (!options.keepGoing && diagnostics.some(isError)))
    return refused(context, diagnostics);

  stopwatch.start('plan');
  const published = withoutErrors(judged, diagnostics);
  const catalogue = orderCatalogue(published, last);
  const downloads = startDownloads({ configuration: settings, ...catalogue, folder, last, threads });
  const plan = planRelease(settings, catalogue, last);
  const sameEdge = hasSameTotals(plan.comparison) ? last?.edge : undefined;
  const edge = await generateEdge(settings, plan.scopes, sameEdge);
  const release = { ...plan, edge };
  listener({
    kind: 'plan',
    files: release.plan.files,
    bytes: release.plan.pageBytes,
    writes: last ? 'changed' : 'all',
  });

  stopwatch.start('emit');
  const leftOut = without(judged, published).map(({ path }) => path);
  const { name, ...work } = await writeRelease(
    context,
    release,
    { records: judged, diagnostics, leftOut },
    last,
    downloads,
  );

  return {
    outcome: 'published',
    diagnostics,
    leftOut,
    release: name,
    refusedTargets: edge.remembered.refused,
    damaged,
    counts: release.counts,
    advice: release.advice,
    work: { ...work, made: media.made, reused: media.reused },
    seconds: stopwatch.stop(),
  };
}

/** The records that others are not among. */
function without(records: readonly FileRecord[], others: readonly FileRecord[]): readonly FileRecord[] {
  if (records.length === others.length) return [];
  const present = new Set(others);
  return records.filter((record) => !present.has(record));
}

function diagnosticsOf(records: readonly FileRecord[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { diagnostics } of records) for (const diagnostic of diagnostics) found.push(diagnostic);
  return found;
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function refused({ stopwatch }: BuildContext, diagnostics: readonly Diagnostic[]): BuildResult {
  return {
    outcome: 'refused',
    diagnostics: [...diagnostics].sort(compareDiagnostics),
    leftOut: [],
    release: undefined,
    refusedTargets: [],
    damaged: [],
    counts: undefined,
    advice: undefined,
    work: { written: 0, removed: 0, made: 0, reused: 0 },
    seconds: stopwatch.stop(),
  };
}

/** A configuration with another base URL, if one is given. @throws UsageError when the URL is not one. */
export function withBaseUrl(configuration: Configuration, baseUrl: string | undefined): Configuration {
  if (baseUrl === undefined) return configuration;
  const checked = checkConfiguration(Buffer.from(`base_url: ${JSON.stringify(baseUrl)}\n`)).configuration;
  if (!checked) {
    throw new UsageError(
      'invalid-base-url',
      `"${baseUrl}" is not a base URL. Give one such as https://stays.example, without query or fragment.`,
    );
  }
  return { ...configuration, base_url: checked.base_url };
}

function replace(records: readonly FileRecord[], others: readonly FileRecord[]): readonly FileRecord[] {
  if (others.length === 0) return records;
  const byPath = new Map(others.map((record) => [record.path, record]));
  return records.map((record) => byPath.get(record.path) ?? record);
}
