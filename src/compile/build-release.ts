import { type Configuration, DEFAULT_MAX_FILES, hasPages } from '../contract/configuration.ts';
import { pageSizes } from '../contract/parameters.ts';
import { hasSameTotals } from '../release/compare-lists.ts';
import { checkConfiguration } from '../source/configuration-file.ts';
import { type Diagnostic, isError } from '../source/diagnostic.ts';
import { firstFindings, hasErrors } from '../source/findings.ts';
import { countFindings, createBuildResult, createFindings } from './build-findings.ts';
import type { BuildContext, BuildResult } from './context.ts';
import { limitsAndCostsOf } from './host-limits.ts';
import { findSharedCache, type LazySharedCache } from './images/find-shared-cache.ts';
import { inspectRecordPhotos, makeRecordImages } from './images/record-images.ts';
import { withBuildOptions } from './inputs/configuration-overrides.ts';
import { orderCatalogue } from './order.ts';
import { planRelease, type ReleaseToWrite } from './plan.ts';
import {
  crossFileDiagnostics,
  dateDiagnostics,
  readRecords,
  recordsExcept,
  recordsWithoutErrors,
} from './read/catalogue.ts';
import type { FileRecord } from './read/file-record.ts';
import { recordHasErrors as hasErrorsIn } from './read/record-row.ts';
import { type LastRelease, readLastRelease } from './state/last-release.ts';
import { isFromLastBuild } from './state/record-pieces.ts';
import { findReusableResults, NOTHING_REUSABLE } from './state/reusable-results.ts';
import { countHidden, filterVisible } from './visible-at.ts';
import { findDamagedOutput } from './write/damaged-output.ts';
import { writeRelease } from './write/release.ts';
import { generateEdge } from './write/targets.ts';

/** Reads changed files and writes what differs from the last build. `build` does not call this if nothing changed. */
export async function buildRelease(context: BuildContext): Promise<BuildResult> {
  const { stopwatch, options, asOf } = context;
  const { configuration, faults } = usedConfiguration(context);
  const cache = findSharedCache(options, configuration);

  stopwatch.start('read');
  const { last, damaged } = openLast(context, configuration);
  const read = await readContent(context, configuration, last, faults);

  stopwatch.start('media');
  const made = await makeImages(context, configuration, cache, last, read);
  const counts = countFindings(made.records, made.otherFindings);
  const all = createFindings(made.records, made.otherFindings, counts);
  const findings = { ...all, first: firstFindings(all) };
  const isRefused = !options.keepGoing && !options.preview && hasErrors(counts);
  if (faults.some(isError) || isRefused) return createBuildResult(context, { outcome: 'refused', findings });

  stopwatch.start('plan');
  const sound = recordsWithoutErrors(made.records, made.otherFindings);
  const published = shownOf(sound, context);
  const release = await plan(context, configuration, published, last);

  stopwatch.start('emit');
  const leftOut = recordsExcept(made.records, sound).map(({ path }) => path);
  const hidden = countHidden(sound, asOf.instant);
  const judged = { ...made, findings, counts, leftOut, hidden };
  const { name, kept, ...work } = await writeRelease(context, release, judged, last);

  return createBuildResult(context, {
    outcome: 'published',
    findings,
    leftOut,
    hidden,
    release: name,
    refusedTargets: release.edge.stored.refused,
    damaged,
    kept,
    counts: release.counts,
    host: limitsAndCostsOf(configuration, release.counts.files, work.written + work.removed),
    advice: release.advice,
    work: { ...work, made: made.made, reused: made.reused },
  });
}

/** Takes the configuration from the state, if there is one: a state is used only if its configuration is unchanged. */
function usedConfiguration({ state, content, configurationBytes, options }: BuildContext): {
  configuration: Configuration;
  faults: readonly Diagnostic[];
} {
  const { usable, diagnostics: faults } = checkConfiguration(configurationBytes);
  if (state) return { configuration: state.summary.configuration, faults };
  const { configuration, diagnostics } = withBuildOptions(content, usable, options);
  return {
    configuration: options.preview ? devConfigurationOf(configuration) : configuration,
    faults: [...faults, ...diagnostics],
  };
}

function devConfigurationOf({ host, max_files, ...configuration }: Configuration): Configuration {
  const limit = host ? DEFAULT_MAX_FILES : max_files;
  return { ...configuration, max_files: limit, layout: 'packed', targets: [] };
}

function openLast(
  { state, comparesOutput, folder }: BuildContext,
  configuration: Configuration,
): { last: LastRelease | undefined; damaged: readonly string[] } {
  const last = readLastRelease(state);
  if (!comparesOutput || !state || !last) return { last, damaged: [] };
  const damaged = findDamagedOutput(folder, {
    ...last,
    sequence: last.entries,
    sizes: pageSizes(configuration),
    pageScopes: hasPages(configuration) ? last.scopes : [],
  });
  return { last: damaged.length > 0 ? undefined : last, damaged };
}

type ReadContent = { readonly records: readonly FileRecord[]; readonly otherFindings: readonly Diagnostic[] };

async function readContent(
  { content, folder, scanned, takeFiles, stamps, asOf, listener, threads }: BuildContext,
  configuration: Configuration,
  last: LastRelease | undefined,
  faults: readonly Diagnostic[],
): Promise<ReadContent> {
  const files = takeFiles();
  const reusable = last ? findReusableResults(last, files, stamps, content) : NOTHING_REUSABLE;
  const { staging } = folder;
  const records = await readRecords({ content, configuration, files, reusable, staging, threads, listener });
  const across = crossFileDiagnostics(content, records, last);
  const dated = dateDiagnostics(content, records, asOf.instant);
  return { records, otherFindings: [...scanned, ...faults, ...across, ...dated] };
}

/**
 * Makes the images of properties to show. Checks the photos of hidden properties, but makes no images of them. If there
 * are errors, also checks the photos of files with errors, so that one build reports every error.
 */
async function makeImages(
  context: BuildContext,
  configuration: Configuration,
  cache: LazySharedCache | undefined,
  last: LastRelease | undefined,
  { records, otherFindings }: ReadContent,
) {
  const { content, folder, listener } = context;
  const stage = {
    content,
    configuration,
    cacheFolder: folder.mediaCache,
    shared: cache?.open,
    existing: new Set(Object.keys(last?.groups.media ?? {})),
    listener,
  };
  const fresh = records.filter((record) => !isFromLastBuild(record));
  const sound = recordsWithoutErrors(fresh, otherFindings);
  const shown = shownOf(sound, context);
  const media = await makeRecordImages(stage, shown).finally(() => cache?.close());
  const checked = replace(records, media.records);
  const isFaulty = otherFindings.some(isError) || records.some(hasErrorsIn);
  const inspected = await inspectRecordPhotos(stage, recordsExcept(isFaulty ? fresh : sound, shown));
  return {
    records: checked,
    otherFindings: [...otherFindings, ...inspected],
    made: media.made,
    reused: media.reused,
  };
}

/** A build for `catalogue dev` includes drafts, except incomplete ones, which have no entry. */
function shownOf(sound: readonly FileRecord[], { asOf, options }: BuildContext): readonly FileRecord[] {
  const shown = filterVisible(sound, asOf.instant, options.preview);
  return options.preview ? shown.filter(({ entry }) => entry) : shown;
}

async function plan(
  { content, folder, listener, comparesOutput, renewsEdge }: BuildContext,
  configuration: Configuration,
  published: readonly FileRecord[],
  last: LastRelease | undefined,
): Promise<ReleaseToWrite> {
  const catalogue = orderCatalogue(published, last);
  const planned = planRelease(configuration, catalogue, { content, folder }, last);
  const isSame = hasSameTotals(planned.comparison) && !comparesOutput && !renewsEdge;
  const sameEdge = isSame ? last?.edge : undefined;
  const edge = await generateEdge(configuration, planned.scopes, sameEdge);
  const { files, pageBytes: bytes } = planned.size;
  listener({ kind: 'plan', files, bytes, writes: last ? 'changed' : 'all' });
  return { ...planned, edge };
}

function replace(records: readonly FileRecord[], judged: readonly FileRecord[]): readonly FileRecord[] {
  if (judged.length === 0) return records;
  const byPath = new Map(judged.map((record) => [record.path, record]));
  return records.map((record) => byPath.get(record.path) ?? record);
}
