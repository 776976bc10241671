import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import type { AuthoredPhoto, AuthoredProperty } from '../../contract/authored.ts';
import { freeFileName } from '../../editing/file-name.ts';
import { readConfiguration, readTerms } from '../../source/configuration-file.ts';
import { createDiagnostic } from '../../source/diagnostic.ts';
import { guessId } from '../../source/property-file.ts';
import { readConfigurationBytes } from '../../source/scan-content.ts';
import { memoize } from '../../values/memoize.ts';
import { type Candidate, findingOf, type ValidationOptions } from '../candidate/candidate.ts';
import { type PreparedCandidate, validateAndRenderCandidate } from '../candidate/prepare.ts';
import { type ImportFinding, warningFinding } from '../finding.ts';
import { addSourcePlace, createSourcePlaces } from '../table/source-places.ts';
import { distantMoveFindings } from './distant-move.ts';
import { type FieldChange, withKeptValues } from './field-merge.ts';
import { type GoneFiles, type GoneOptions, handleGoneFiles, refuseShrunkSource } from './gone-files.ts';
import {
  digestOfId,
  filesByDigestOfId,
  findPresentFiles,
  type Ledger,
  openLedger,
  propertyTextAt,
} from './ledger.ts';
import { createPhotoAccess, type PhotoOptions, planPhotos } from './photos.ts';
import { createPriceSpreadCheck } from './price-spread.ts';
import { createTally, type TallyCounts } from './tally.ts';
import { outsideContentFinding, writeProperty } from './write-property.ts';

export type ImportOptions = ValidationOptions &
  GoneOptions &
  PhotoOptions & {
    readonly content: string;
    /** Returns the number of candidates, or undefined while it is unknown. */
    readonly total?: () => number | undefined;
    /** Called after the last candidate. Returns false if the source did not deliver all. @default true */
    readonly isWhole?: () => boolean;
    /**
     * Receives each outcome that has findings. With false, such outcomes are dropped. In any case, the result counts
     * findings by cause. @default the result lists these outcomes
     */
    readonly keepOutcomes?: false | ((outcome: Outcome) => void) | undefined;
    /**
     * Whether ids are made from titles. Then a refused row that matches no file may be a property whose title changed.
     * The file with the old title would count as gone, so no file is removed. @default false
     */
    readonly isIdOfTitle?: boolean;
    /** Receives the statuses that make drafts, of a table with few. */
    readonly hidingStatuses?: Set<string>;
    readonly onDone?: (outcome: Outcome) => void;
  };

/**
 * `written`: new file. `replaced`: existing file or its photos changed. `present`: the file already has the source's
 * values, or only its owner changed it. `conflict`: source and owner changed the same field, or a file that no import
 * wrote differs from the source. `refused`: invalid property, duplicate id, or path outside the content folder.
 */
type OutcomeKind = 'written' | 'replaced' | 'present' | 'conflict' | 'refused';

export type Outcome = Pick<PreparedCandidate, 'at' | 'name' | 'findings'> & {
  readonly path: string | undefined;
  readonly kind: OutcomeKind;
  readonly changes: readonly FieldChange[];
};

/** `fields`: changes to an existing file; undefined for a new file. */
type ChangedProperty = Pick<Outcome, 'name'> & {
  readonly path: string;
  readonly fields?: readonly FieldChange[];
};

export type ImportResult = Readonly<Record<OutcomeKind, number>> &
  TallyCounts & {
    readonly outcomes: readonly Outcome[];
    /** Changed properties, then new ones. At most {@link MAX_LISTED_CHANGES} of each if `keepOutcomes` is false. */
    readonly changed: readonly ChangedProperty[];
    readonly drafts: number;
    /** Number of properties with photos that guests see as links. */
    readonly links: number;
    /** Origins of these photos, at most {@link MAX_ORIGINS}. @default none */
    readonly linkOrigins?: readonly string[];
    /** Whether catalogue.yaml has settings of the explorer. @default false */
    readonly hasExplorerSettings?: boolean;
    readonly gone: GoneFiles;
  };

/** Whether some of the properties already had files. */
export function isRepeatImport({ present, replaced, conflict }: ImportResult): boolean {
  return present + replaced + conflict > 0;
}

type Importer = ReturnType<typeof createImporter>;

export const MAX_LISTED_CHANGES = 20;

const MAX_ORIGINS = 20;
const MAX_STATUSES = 1_000;

/**
 * The ledger is first saved after this many outcomes, then after twice as many, and so on. After a crash, files that
 * are missing in the saved ledger count as foreign.
 */
const FIRST_SAVE = 200;

/** @throws errors of the source and the file system; UsageError `damaged-ledger`, `empty-source`, `source-shrunk` */
export async function importProperties(
  source: AsyncIterable<Candidate>,
  options: ImportOptions,
): Promise<ImportResult> {
  const content = resolve(options.content);
  const ledger = openLedger(content);
  const isDownloaded = (link: string) => options.photos || ledger.downloaded.has(link);
  const prepared = async function* () {
    const terms = readTerms(content);
    for await (const candidate of source)
      yield validateAndRenderCandidate(candidate, terms, { ...options, isDownloaded });
  };
  return importPrepared(prepared(), { ...options, ledger });
}

export async function importPrepared(
  source: AsyncIterable<PreparedCandidate>,
  options: ImportOptions & { readonly ledger: Ledger },
): Promise<ImportResult> {
  const importer = createImporter(options);
  const counts = { written: 0, replaced: 0, present: 0, conflict: 0, refused: 0 };
  const outcomes: Outcome[] = [];
  const { keepOutcomes = (outcome: Outcome) => outcomes.push(outcome) } = options;
  const [news, changed]: [ChangedProperty[], ChangedProperty[]] = [[], []];
  let done = 0;
  /** The topmost folder that this import had to create for the content; undefined if all existed. */
  let made: string | undefined;
  let nextSave = FIRST_SAVE;
  try {
    for await (const candidate of source) {
      if (done === 0) {
        refuseShrunkSource(options.total?.(), importer.ledger, options);
        made = mkdirSync(importer.content, { recursive: true });
      }
      const repeated = repeatedRow(candidate, importer);
      if (repeated) {
        const { at, name } = candidate;
        importer.tally.add({ at, name, findings: [repeated], ...NEW });
        continue;
      }
      const outcome = await importCandidate(candidate, importer);
      counts[outcome.kind]++;
      const { findings, kind, name, path, changes } = outcome;
      if (findings.length > 0 && keepOutcomes) keepOutcomes(outcome);
      if (path !== undefined && kind === 'written') news.push({ name, path });
      else if (path !== undefined && changes.length > 0) changed.push({ name, path, fields: changes });
      if (!keepOutcomes) for (const list of [news, changed]) list.splice(MAX_LISTED_CHANGES);
      if (++done === nextSave) {
        importer.ledger.save();
        nextSave *= 2;
      }
      options.onDone?.(outcome);
    }
    if (done === 0) refuseShrunkSource(0, importer.ledger, options);
    const known = (options.isWhole?.() ?? true) ? options.source : undefined;
    const gone = handleGoneFiles(importer.attendance, importer, { ...options, source: known });
    const { drafts, links, tally, prices, hasNewPrice } = importer;
    for (const one of prices.findings()) tally.add({ ...one, ...NEW, isFresh: () => hasNewPrice });
    return {
      ...{ ...counts, ...tally.result(), drafts, links, outcomes, gone },
      ...{ linkOrigins: [...importer.linkOrigins], hasExplorerSettings: importer.hasExplorerSettings },
      changed: [...changed, ...news],
    };
  } finally {
    importer.ledger.save();
    if (made !== undefined && readdirSync(importer.content).length === 0) rmSync(made, { recursive: true });
  }
}

const NEW = { isFresh: () => true, isChanged: () => false, repairs: [], words: [] };

/** Rows that differ only in columns that the mapping does not use have the same digest. */
const digestOfRow = ({ yaml = '', findings, validated }: PreparedCandidate) =>
  crc32(yaml + JSON.stringify([findings, validated.findings]));

function repeatedRow(candidate: PreparedCandidate, { firsts }: Importer): ImportFinding | undefined {
  const first = firsts.get(candidate.validated.property?.id ?? '');
  if (first?.digest !== digestOfRow(candidate)) return undefined;
  const message = `The row says the same as ${first.at}, and is skipped.`;
  return warningFinding('repeated-row', message, 'Remove it from the table.', 'id');
}

function createImporter(options: ImportOptions & { readonly ledger: Ledger }) {
  const content = resolve(options.content);
  const present = findPresentFiles(content);
  const { ledger } = options;
  const isUsedElsewhere = (photo: string, yaml: string) =>
    present.photoUsers.get(photo)?.some((user) => user !== yaml) ?? false;
  const broken = filesByDigestOfId(ledger, present.withoutId);
  return {
    // Finds the file of a property even if somebody broke the line of its id.
    pathOf: (id = '') => present.paths.get(id) ?? broken.get(digestOfId(id)),
    ...{ content, ledger, present, options, terms: readTerms(content), tally: createTally() },
    photos: { ...options, ledger, isUsedElsewhere, ...createPhotoAccess(options.photoRules) },
    taken: new Set<string>(),
    // Each folder is listed once, since a check for each file would take 5 % of an import. The names are in lower case,
    // since some file systems ignore case.
    namesIn: memoize((folder) => {
      const path = join(content, folder);
      return new Set(existsSync(path) ? readdirSync(path).map((name) => name.toLowerCase()) : []);
    }),
    firsts: new Map<string, { readonly at: string; readonly digest: number }>(),
    attendance: { arrived: new Set<string>(), unknown: createSourcePlaces() },
    prices: createPriceSpreadCheck(),
    ...explorerSettings(content),
    linkOrigins: new Set<string>(),
    ...{ drafts: 0, links: 0, hasNewPrice: false },
  };
}

async function importCandidate(candidate: PreparedCandidate, importer: Importer): Promise<Outcome> {
  const { at, name, validated } = candidate;
  const { tally, terms } = importer;
  const { property } = validated;
  const outcome = await writeCandidate(candidate, importer);
  if (outcome.path !== undefined && String(property?.draft) === 'true') {
    importer.drafts++;
    const { hidingStatuses: statuses } = importer.options;
    for (const one of candidate.hiding ?? []) if (statuses && statuses.size < MAX_STATUSES) statuses.add(one);
  }
  const { labels } = terms.vocabulary.facilities;
  const words = (property?.facilities ?? []).filter((word) => !Object.hasOwn(labels, word));
  const { path, findings } = outcome;
  const isNew = path === undefined ? () => true : importer.ledger.noteFindings(path, findings);
  const isChanged = (name: string) =>
    outcome.kind === 'written' || outcome.changes.some(({ field }) => field === name);
  const isUpdate = outcome.kind === 'replaced';
  // Findings about photos and kept values count as new even if the file is unchanged: each run tries photos again, and
  // kept values get outdated.
  const isFresh = (one: ImportFinding) =>
    (outcome.kind !== 'present' && !isUpdate) ||
    one.isKept === true ||
    isAboutPhotos(one.code) ||
    (one.code === 'merged-file' ? isUpdate : isNew(one) || one.field.split(', ').some(isChanged));
  if (property) importer.prices.add(candidate, property);
  importer.hasNewPrice ||= isChanged('price_from');
  const repairs = outcome.path === undefined ? [] : validated.repairs;
  tally.add({ at, name, findings, isFresh, isChanged, repairs, words });
  return outcome;
}

function noteArrival({ at, findings, validated: { id } }: PreparedCandidate, importer: Importer): void {
  const { attendance, options, pathOf } = importer;
  const path = pathOf(id);
  if (path !== undefined) attendance.arrived.add(path);
  // The id of a malformed row may be from another column.
  const isDoubtful = findings.some(({ code }) => code === 'malformed-row');
  const isUnknown = path === undefined && (id === undefined || options.isIdOfTitle);
  if (isDoubtful || isUnknown) addSourcePlace(attendance.unknown, at);
}

export const isAboutPhotos = (code: string) => code === 'photo-not-received' || code === 'edited-photo';

async function writeCandidate(candidate: PreparedCandidate, importer: Importer): Promise<Outcome> {
  const { at, name, key, validated } = candidate;
  const { attendance, content, firsts, ledger, namesIn, options, pathOf, present, taken } = importer;
  const { property } = validated;
  const findings = [...candidate.findings, ...validated.findings];
  const refused = (more: readonly ImportFinding[]): Outcome => {
    const all = [...withKeptValues(findings, new Map()), ...more];
    return { at, name, path: undefined, kind: 'refused', changes: [], findings: all };
  };
  if (!property) {
    noteArrival(candidate, importer);
    return refused([]);
  }
  const first = firsts.get(property.id);
  if (first !== undefined) {
    const twice = createDiagnostic('duplicate-id', '', null, { id: key ?? property.id, other: first.at });
    return refused([{ ...findingOf(twice), field: 'id' }]);
  }
  firsts.set(property.id, { at, digest: digestOfRow(candidate) });
  const isTaken = (path: string) =>
    taken.has(path) || present.files.has(path) || namesIn(dirname(path)).has(basename(path));
  const { title = '', city = '', country = '' } = property;
  const freePath = () => freeFileName({ id: property.id, title, city, country }, isTaken).path;
  const known = pathOf(property.id);
  let path = known ?? freePath();
  for (let isNew = !options.photos && known === undefined; ; isNew = false) {
    attendance.arrived.add(path);
    if (!ledger.isInside(path)) return refused([outsideContentFinding(path)]);
    taken.add(path);
    // The file's state is read after the photos are downloaded, since another program may write the file meanwhile.
    const planned = await planPhotos(property, candidate.links, path, importer.photos);
    const prepared = planned.property === property ? candidate.yaml : undefined;
    try {
      const written = writeProperty({ path, planned, prepared, findings, isNew }, importer);
      return { at, name, path, ...outcomeOf(written, findings, planned.property, importer) };
    } catch (error) {
      // EEXIST: another program has just created the file or one of its photos.
      const { code, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
      if (code !== 'EEXIST' || dest === undefined) throw error;
      const file = join(content, path);
      if (dest === file && guessId(propertyTextAt(file)) !== property.id) {
        attendance.arrived.delete(path);
        path = freePath();
      }
    }
  }
}

function outcomeOf(
  { kind, changes, kept, isKnownPublic, findings: more }: ReturnType<typeof writeProperty>,
  findings: readonly ImportFinding[],
  property: AuthoredProperty,
  importer: Importer,
): Pick<Outcome, 'kind' | 'changes' | 'findings'> {
  const { draft, photo } = property;
  const isFinished = isKnownPublic && String(draft) === 'true';
  if (isFinished || kept.has('latitude')) importer.drafts--;
  if (!importer.options.photos) noteLinks(photo, importer);
  const open = findings.filter(({ code }) => !isFinished || code !== 'unfinished-draft');
  const moves = distantMoveFindings(changes, property);
  return { kind, changes, findings: [...withKeptValues(open, kept), ...more, ...moves] };
}

function noteLinks(photo: AuthoredPhoto[], importer: Importer): void {
  const { linkOrigins, shownOrigins } = importer;
  const origins = photo.flatMap(({ url = '' }) => (URL.canParse(url) ? [new URL(url).origin] : []));
  const links = origins.filter((origin) => !shownOrigins.has(origin));
  if (links.length > 0) importer.links++;
  for (const origin of links) if (linkOrigins.size < MAX_ORIGINS) linkOrigins.add(origin);
}

/** `shownOrigins`: the origins whose photos the explorer shows. */
function explorerSettings(content: string) {
  const { usable } = readConfiguration(content);
  const shownOrigins: ReadonlySet<string> = new Set(usable.explorer.image_hosts);
  const hasExplorerSettings = /^["']?explorer["']?:/m.test(readConfigurationBytes(content)?.toString() ?? '');
  return { shownOrigins, hasExplorerSettings };
}
