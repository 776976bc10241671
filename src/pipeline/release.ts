/** A release: from the records of the content to the files of `dist`. */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Comparison, compareSequences } from '../catalogue/comparison.ts';
import { digestOf } from '../catalogue/digest.ts';
import { type Entry, type Scope, scopesOf, toSequence } from '../catalogue/sequence.ts';
import { type Configuration, routeSettings } from '../contract/configuration.ts';
import {
  MANIFEST_KEY,
  MEDIA_FOLDER,
  mediaKey,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
  pageKey,
  propertyKey,
  totalKey,
} from '../contract/layout.ts';
import { pageCount } from '../contract/pagination.ts';
import { MAX_PAGE_SIZE } from '../contract/parameters.ts';
import { findDamage } from '../emit/check-output.ts';
import { documentsOf } from '../emit/documents.ts';
import { manifestText } from '../emit/manifest.ts';
import {
  divide,
  type EmitTask,
  type JoinedSummaries,
  joinSummaries,
  type StagedDetail,
} from '../emit/page-files.ts';
import { checkPlan, type Plan, planRelease, totalsOf } from '../emit/plan.ts';
import { prune, removeFolder } from '../emit/prune.ts';
import { removeState, writeState } from '../emit/state.ts';
import { UsageError } from '../report/failure.ts';
import { checkConfiguration } from '../source/configuration-file.ts';
import { compareDiagnostics, type Diagnostic } from '../source/diagnostic.ts';

import { type BuildContext, type BuildResult, type Counts, writeDocument } from './build.ts';
import {
  type CatalogueFilesResult,
  countCatalogueFiles,
  type RememberedFiles,
  startCatalogueFiles,
} from './catalogue-files.ts';
import { type GeneratedEdge, generateEdge, type RememberedEdge, writeEdge } from './edge-stage.ts';
import { findKnown, NOTHING_KNOWN } from './known.ts';
import { imagesOf, makeRecordMedia } from './media-stage.ts';
import { crossDiagnostics, readRecords, threadsFor, withoutErrors } from './read-catalogue.ts';
import { type FileRecord, spoolPath } from './read-stage.ts';
import { stampText } from './stamps.ts';
import { createCounter, emitOnThreads } from './threads.ts';

/** What a state remembers besides its stamps, diagnostics and records. */
export type Remembered = RememberedFiles & {
  /** Indices of the records that are published, in the order of the sequence. */
  readonly sequence: readonly number[];
  readonly media: readonly string[];
  readonly edge: RememberedEdge;
};

/** Files that one thread writes in the time that another one takes to start. */
const FILES_PER_THREAD = 10_000;

/** Reads what changed and writes what differs. */
export async function buildRelease(context: BuildContext): Promise<BuildResult> {
  const { content, folder, found, stopwatch, listener, options } = context;
  const { configuration, diagnostics: faults } = checkConfiguration(context.configurationBytes);
  if (!configuration) return refused(context, faults);
  const settings = withBaseUrl(configuration, options.baseUrl);

  stopwatch.start('read');

  const remembered = lastRelease(context);
  const damaged =
    options.checkOutput && remembered
      ? findDamage(folder.public, {
          ...remembered,
          sequence: remembered.published.map((record) => record.entry!),
          sizes: sizesOf(settings),
        })
      : [];
  // A damaged output is written anew.
  const last = damaged.length > 0 ? undefined : remembered;

  const known = last ? findKnown(last.published, last.stamps, found.files, content) : NOTHING_KNOWN;
  const records = await readRecords({
    content,
    configuration: settings,
    files: found.files,
    known,
    staging: folder.staging,
    jobs: options.jobs,
    listener,
  });
  const cross = [...found.diagnostics, ...crossDiagnostics(content, records)];
  const early = [...cross, ...records.flatMap((record) => record.diagnostics)];
  if (!options.keepGoing && early.some(isError)) return refused(context, early);

  stopwatch.start('media');
  const stage = { content, configuration: settings, cacheFolder: folder.mediaCache, listener };
  const fresh = withoutErrors(records, early).filter(({ path }) => !known.unchanged.has(path));
  const media = await makeRecordMedia(stage, fresh);
  const judged = replace(records, media.records);
  const diagnostics = [...cross, ...judged.flatMap((record) => record.diagnostics)].sort(compareDiagnostics);
  if (!options.keepGoing && diagnostics.some(isError)) return refused(context, diagnostics);

  stopwatch.start('plan');
  const published = withoutErrors(judged, diagnostics);
  const plan = planned(settings, published, last);
  const edge = await generateEdge(folder.edge, settings, totalsOf(plan.scopes), last?.edge);
  const release = { ...plan, edge };
  listener({
    kind: 'plan',
    files: release.plan.files,
    bytes: release.plan.pageBytes,
    writes: last ? 'changed' : 'all',
  });

  stopwatch.start('emit');
  const kept = new Set(published);
  const leftOut = judged.filter((record) => !kept.has(record)).map(({ path }) => path);
  const work = await apply(context, release, { records: judged, diagnostics, leftOut }, last);

  return {
    outcome: 'published',
    diagnostics,

    leftOut,
    refusedTargets: edge.remembered.refused,
    damaged,
    counts: release.counts,
    work: { ...work, made: media.made, reused: media.reused },
    seconds: stopwatch.stop(),
  };
}

/** What the last build published. */
type LastRelease = Remembered & {
  readonly stamps: string;
  /** Records in the order of the sequence. */
  readonly published: readonly FileRecord[];
};

function lastRelease({ state }: BuildContext): LastRelease | undefined {
  const sections = state?.read();
  if (!state || !sections) return undefined;
  const { rest, records } = sections;
  return { ...rest, stamps: state.stamps, published: rest.sequence.map((index) => records[index]!) };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function refused({ stopwatch }: BuildContext, diagnostics: readonly Diagnostic[]): BuildResult {
  return {
    outcome: 'refused',
    diagnostics: [...diagnostics].sort(compareDiagnostics),

    leftOut: [],
    refusedTargets: [],
    damaged: [],
    counts: undefined,
    work: { written: 0, removed: 0, made: 0, reused: 0 },
    seconds: stopwatch.stop(),
  };
}

/** @throws UsageError when the URL is not one. */
function withBaseUrl(configuration: Configuration, baseUrl: string | undefined): Configuration {
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

function replace(records: readonly FileRecord[], others: readonly FileRecord[]): FileRecord[] {
  const byPath = new Map(others.map((record) => [record.path, record]));
  return records.map((record) => byPath.get(record.path) ?? record);
}

/** The page sizes that a configuration publishes, in order. */
function sizesOf({ page_sizes }: Configuration): readonly number[] {
  return page_sizes === 'all' ? Array.from({ length: MAX_PAGE_SIZE }, (_, index) => index + 1) : page_sizes;
}

/** A release, before it is written. */
type Planned = {
  readonly configuration: Configuration;
  readonly sequence: readonly Entry[];
  readonly recordOf: ReadonlyMap<Entry, FileRecord>;
  readonly summaries: JoinedSummaries;
  readonly scopes: readonly Scope[];
  readonly sizes: readonly number[];
  readonly comparison: Comparison;
  readonly media: readonly string[];
  readonly documents: ReadonlyMap<string, string>;
  readonly plan: Plan;
  readonly counts: Counts;
};

/** A release with its edge configurations. */
type Release = Planned & { readonly edge: GeneratedEdge };

function planned(
  configuration: Configuration,
  published: readonly FileRecord[],
  last: LastRelease | undefined,
): Planned {
  const recordOf = new Map(published.map((record) => [record.entry!, record]));
  const sequence = toSequence([...recordOf.keys()]);
  const before = last?.published.map((record) => record.entry!) ?? [];
  const scopes = scopesOf(sequence);
  const summaries = joinSummaries(sequence);

  const sizes = sizesOf(configuration);

  const media = [...new Set(published.flatMap((record) => imagesOf(record, configuration)))].sort();
  const documents = documentsOf(routeSettings(configuration));
  const plan = planRelease(scopes, sizes, summaries, {
    details: sequence.length,
    media: media.length,
    documents: documents.size + 1 + countCatalogueFiles(configuration),
  });
  checkPlan(plan, configuration.max_files, sizes, scopes);
  const counts: Counts = {
    properties: sequence.length,
    countries: scopes.filter(({ country, city }) => country && !city).length,
    cities: scopes.filter(({ country, city }) => country && city).length,
    pages: plan.pages,
    files: plan.files,
    pageBytes: plan.pageBytes,
    images: media.length,
  };
  const comparison = compareSequences(before, sequence);
  return {
    configuration,
    sequence,
    recordOf,
    summaries,
    scopes,
    sizes,
    comparison,
    media,
    documents,
    plan,
    counts,
  };
}

/** What the files say, with what is wrong with them. */
type ReadCatalogue = {
  readonly records: readonly FileRecord[];
  readonly diagnostics: readonly Diagnostic[];
  readonly leftOut: readonly string[];
};

/** Writes what differs. From here on the output is in between, until the state is there again. */
async function apply(
  context: BuildContext,
  release: Release,
  read: ReadCatalogue,
  last: LastRelease | undefined,
): Promise<{ written: number; removed: number }> {
  const { folder } = context;
  removeState(folder.state);
  for (const key of [PROPERTIES_FOLDER, PAGES_FOLDER, MEDIA_FOLDER]) {
    mkdirSync(join(folder.public, key), { recursive: true });
  }
  const catalogueFiles = startCatalogueFiles({
    ...release,
    stagedOf: (entry) => release.recordOf.get(entry)?.staged,
    root: folder.public,
    staging: folder.staging,
    last,
    jobs: context.options.jobs ?? availableParallelism(),
  });
  try {
    let written = await publishImages(context, release, last);
    written += await emit(context, release);
    const files = await catalogueFiles.finish();
    context.stopwatch.start('edge');
    writeEdge(folder.edge, release.edge, last?.edge);
    const work = publishDocuments(context, release, read, last, files);
    return {
      written: written + files.written + work.written,
      removed: files.removed + work.removed,
    };
  } finally {
    await catalogueFiles.stop();
  }
}

/** Writes the small documents and at last the manifest and the state. */
function publishDocuments(
  context: BuildContext,
  release: Release,
  read: ReadCatalogue,
  last: LastRelease | undefined,
  files: CatalogueFilesResult,
): { written: number; removed: number } {
  const { folder } = context;
  let written = 0;
  const documents = new Map([...release.documents].map(([key, text]) => [key, digestOf(text)]));
  for (const [key, text] of release.documents) {
    if (last?.documents[key] === documents.get(key)) continue;
    writeDocument(folder.public, key, text);
    written++;
  }
  for (const [key, digest] of files.documents) documents.set(key, digest);
  const removed = last ? removeGone(folder.public, release, last) : pruneAll(folder.public, release);
  const manifest = manifestText({ ...release, build: context.identity, documents });
  writeDocument(folder.public, MANIFEST_KEY, manifest);
  remember(context, release, read, { documents, bulk: files.bulk }, manifest);
  return { written: written + 1, removed };
}

async function publishImages({ folder }: BuildContext, release: Planned, last: LastRelease | undefined) {
  const present = new Set(last?.media);
  const names = release.media.filter((name) => !present.has(name));
  if (names.length === 0 && last && last.media.length === release.media.length) return 0;
  const { openMediaCache, pruneCache, publishMedia } = await import('../media/cache.ts');
  const cache = openMediaCache(folder.mediaCache);
  for (const name of names) publishMedia(cache, name, join(folder.public, mediaKey(name)));
  pruneCache(folder.mediaCache, new Set(release.media));
  return names.length;
}

async function emit({ folder, options, listener }: BuildContext, release: Planned): Promise<number> {
  const { comparison, sequence, recordOf, sizes, summaries } = release;
  const entries = new Map(sequence.map((entry) => [entry.id, entry]));
  const details = comparison.writtenDetails.map((id): StagedDetail => {
    const staged = recordOf.get(entries.get(id)!)!.staged!;
    return {
      id,
      spool: spoolPath(folder.staging, staged.spool),
      offset: staged.offset,
      length: staged.length,
    };
  });
  const pieces = divide(comparison.changed, sizes, details.length);
  const counter = createCounter();
  const task: EmitTask = {
    root: folder.public,
    summaries,
    scopes: comparison.changed,
    sizes,
    details,
    pieces,
    counter,
  };
  const total = pieces.length;
  const jobs = threadsFor(options.jobs, (total * 1000) / FILES_PER_THREAD);
  await emitOnThreads(task, jobs, () =>
    listener({ kind: 'progress', stage: 'emit', done: Atomics.load(counter, 1), total: release.plan.files }),
  );
  return Atomics.load(counter, 1);
}

/** Removes what the last release had and this one has not. */
function removeGone(root: string, { comparison, media, sizes }: Planned, last: LastRelease): number {
  let removed = 0;
  const remove = (key: string) => {
    rmSync(join(root, key), { force: true });
    removed++;
  };
  for (const id of comparison.goneDetails) remove(propertyKey(id));
  for (const { folder, before } of comparison.gone) {
    for (const size of sizes) {
      for (let number = 1; number <= pageCount(before, size); number++) remove(pageKey(folder, size, number));
    }
    remove(totalKey(folder));
    removeFolder(join(root, folder));
    removeFolder(join(root, folder, '..'));
  }
  const present = new Set(media);
  for (const name of last.media) if (!present.has(name)) remove(mediaKey(name));
  return removed;
}

function pruneAll(root: string, { scopes, sizes, sequence, media }: Planned): number {
  return prune(root, {
    totals: totalsOf(scopes),
    sizes,
    ids: new Set(sequence.map(({ id }) => id)),
    media: new Set(media),
  });
}

function remember(
  { folder, inputs, identity, found, since }: BuildContext,
  { sequence, recordOf, media, counts, edge }: Release,
  { records, diagnostics, leftOut }: ReadCatalogue,
  { documents, bulk }: Pick<CatalogueFilesResult, 'documents' | 'bulk'>,
  manifest: string,
): void {
  const index = new Map(records.map((record, place) => [record, place]));
  const photos = new Map(records.flatMap((record) => record.media.map((use) => [use.path, use] as const)));
  const stamps = stampText(found.files, [...photos.values()], since);

  const rest: Remembered = {
    sequence: sequence.map((entry) => index.get(recordOf.get(entry)!)!),
    media,
    documents: Object.fromEntries(documents),
    bulk,
    edge: edge.remembered,
  };
  const { size, mtimeMs } = statSync(join(folder.public, MANIFEST_KEY));
  const summary = {
    inputs,
    commit: identity.commit,
    manifest: {
      digest: createHash('sha256').update(manifest).digest('hex'),
      size,
      modified: mtimeMs,
    },
    diagnostics: diagnostics.length,

    counts,
    leftOut,
    refusedTargets: edge.remembered.refused,
  };
  writeState(folder.state, { summary, stamps, diagnostics, rest, records: withoutStaged(records) });
}

/** Records as the next build needs them: their details are published by then. */
function* withoutStaged(records: readonly FileRecord[]): Generator<FileRecord> {
  for (const { staged: _staged, ...record } of records) yield record;
}
