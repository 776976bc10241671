import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { freeFileName } from '../../editing/file-name.ts';
import { type PropertyFile, propertyYaml } from '../../editing/property-text.ts';
import { readTerms } from '../../editing/repair-content.ts';
import { diagnose } from '../../source/diagnostic.ts';
import { guessId } from '../../source/property-file.ts';
import { memoize } from '../../values/memoize.ts';
import { type Candidate, findingOf, toPropertyFile, type ValidationOptions } from '../candidate/candidate.ts';
import { type PreparedCandidate, prepareCandidate } from '../candidate/prepare.ts';
import { errorFinding, type ImportFinding } from '../finding.ts';
import { addPlace, createPlaces } from '../table/places.ts';
import {
  changesBetween,
  conflictFinding,
  type FieldChange,
  fieldDigests,
  mergedFinding,
  mergedText,
  withHeld,
  withOwnValues,
} from './field-merge.ts';
import { type GoneFiles, type GoneOptions, handleGoneFiles, refuseShrunkSource } from './gone-files.ts';
import { findPresentFiles, type Ledger, openLedger, propertyTextAt } from './ledger.ts';
import { createPhotoAccess, type PhotoOptions, type PlannedPhotos, planPhotos } from './photos.ts';
import { createPriceSpread } from './price-spread.ts';
import { createTally, type TallyCounts } from './tally.ts';

export type ImportOptions = ValidationOptions &
  GoneOptions &
  PhotoOptions & {
    readonly content: string;
    /** @default read from the content folder */
    readonly ledger?: Ledger;
    /** Returns the number of candidates, or undefined while it is unknown. */
    readonly total?: () => number | undefined;
    /** Called after the last candidate. Returns false if the source did not deliver all. @default true */
    readonly isWhole?: () => boolean;
    /**
     * Receives each outcome that has findings. With false, such outcomes are dropped. In any case, the result counts
     * findings by cause. @default the result lists these outcomes
     */
    readonly keepOutcomes?: false | ((outcome: Outcome) => void) | undefined;
    /** Whether ids are made from titles. If so, one refused row keeps all files from being removed. @default false */
    readonly isIdOfTitle?: boolean;
    readonly onDone?: (outcome: Outcome) => void;
  };

/**
 * `written`: new file. `replaced`: existing file or its photos changed. `present`: the file already has the source's
 * values, or only its owner changed it. `conflict`: source and owner changed the same field, or no import wrote the
 * file. `refused`: invalid property, duplicate id, or path outside the content folder.
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
    /** Changed properties, then new ones. At most {@link MOST_CHANGES} of each if `keepOutcomes` is false. */
    readonly changed: readonly ChangedProperty[];
    readonly drafts: number;
    readonly links: number;
    readonly gone: GoneFiles;
  };

/** Whether some of the properties already had files. */
export function isNextImport({ present, replaced, conflict }: ImportResult): boolean {
  return present + replaced + conflict > 0;
}

type Importer = ReturnType<typeof createImporter>;

export const MOST_CHANGES = 20;

/**
 * The ledger is first saved after this many outcomes, then after twice as many, and so on. After a crash, files that
 * it lacks count as foreign.
 */
const FIRST_SAVE = 200;

/** @throws errors of the source and the file system; UsageError `damaged-ledger`, `empty-source`, `source-shrunk` */
export async function importProperties(
  source: AsyncIterable<Candidate>,
  options: ImportOptions,
): Promise<ImportResult> {
  const content = resolve(options.content);
  const ledger = options.ledger ?? openLedger(content);
  const isDownloaded = (link: string) => options.photos || ledger.isDownloaded(link);
  const prepared = async function* () {
    const terms = readTerms(content);
    for await (const candidate of source)
      yield prepareCandidate(candidate, terms, { ...options, isDownloaded });
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
      const outcome = await importCandidate(candidate, importer);
      counts[outcome.kind]++;
      const { findings, kind, name, path, changes } = outcome;
      if (findings.length > 0 && keepOutcomes) keepOutcomes(outcome);
      if (path !== undefined && kind === 'written') news.push({ name, path });
      else if (path !== undefined && changes.length > 0) changed.push({ name, path, fields: changes });
      if (!keepOutcomes) for (const list of [news, changed]) list.splice(MOST_CHANGES);
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
    for (const one of prices.findings())
      tally.add({ ...one, isFresh: () => hasNewPrice, isChanged: () => false, repairs: [], words: [] });
    return { ...counts, ...tally.result(), drafts, links, outcomes, changed: [...changed, ...news], gone };
  } finally {
    importer.ledger.save();
    if (made !== undefined && readdirSync(importer.content).length === 0) rmSync(made, { recursive: true });
  }
}

function createImporter(options: ImportOptions & { readonly ledger: Ledger }) {
  const content = resolve(options.content);
  const present = findPresentFiles(content);
  const { ledger } = options;
  const isUsedElsewhere = (photo: string, yaml: string) =>
    present.photoUsers.get(photo)?.some((user) => user !== yaml) ?? false;
  return {
    ...{ content, ledger, present, options, terms: readTerms(content), tally: createTally() },
    photos: { ...options, ledger, isUsedElsewhere, ...createPhotoAccess(options.photoRules) },
    taken: new Set<string>(),
    // Each folder is listed once, since a check for each file would take 5 % of an import. The names are in lower case,
    // since some file systems ignore case.
    namesIn: memoize((folder) => {
      const path = join(content, folder);
      return new Set(existsSync(path) ? readdirSync(path).map((name) => name.toLowerCase()) : []);
    }),
    firsts: new Map<string, string>(),
    attendance: { arrived: new Set<string>(), unknown: createPlaces() },
    prices: createPriceSpread(),
    ...{ drafts: 0, links: 0, hasNewPrice: false },
  };
}

async function importCandidate(candidate: PreparedCandidate, importer: Importer): Promise<Outcome> {
  const { at, name, validated } = candidate;
  const { tally, terms } = importer;
  const { property } = validated;
  const outcome = await writeCandidate(candidate, importer);
  if (outcome.path !== undefined && String(property?.draft) === 'true') importer.drafts++;
  const { labels } = terms.vocabulary.facilities;
  const words = (property?.facilities ?? []).filter((word) => !Object.hasOwn(labels, word));
  // Findings about photos and kept values count as new even if the file is unchanged: each run tries photos again, and
  // kept values get outdated.
  const isFresh = ({ code, isKept }: ImportFinding) =>
    outcome.kind !== 'present' || isKept === true || isAboutPhotos(code);
  const isChanged = (name: string) =>
    outcome.kind === 'written' || outcome.changes.some(({ field }) => field === name);
  if (property) importer.prices.add(candidate, property);
  importer.hasNewPrice ||= isChanged('price_from');
  const repairs = outcome.path === undefined ? [] : validated.repairs;
  tally.add({ at, name, findings: outcome.findings, isFresh, isChanged, repairs, words });
  return outcome;
}

function noteArrival(at: string, id: string | undefined, importer: Importer): void {
  const { attendance, options, present } = importer;
  const path = present.paths.get(id ?? '');
  if (path !== undefined) attendance.arrived.add(path);
  else if (id === undefined || options.isIdOfTitle) addPlace(attendance.unknown, at);
}

export const isAboutPhotos = (code: string) => code === 'photo-not-received' || code === 'edited-photo';

async function writeCandidate(
  { at, name, key, findings, links, validated, yaml }: PreparedCandidate,
  importer: Importer,
): Promise<Outcome> {
  const { attendance, content, firsts, ledger, namesIn, options, taken } = importer;
  const { property, id } = validated;
  const found = [...findings, ...validated.findings];
  const refused = (more: readonly ImportFinding[]): Outcome => {
    return { at, name, path: undefined, kind: 'refused', changes: [], findings: [...found, ...more] };
  };
  if (!property) {
    noteArrival(at, id, importer);
    return refused([]);
  }
  const first = firsts.get(property.id);
  if (first !== undefined) {
    const twice = diagnose('duplicate-id', '', null, { id: key ?? property.id, other: first });
    return refused([{ ...findingOf(twice), field: 'id' }]);
  }
  firsts.set(property.id, at);
  const isTaken = (path: string) =>
    taken.has(path) || importer.present.files.has(path) || namesIn(dirname(path)).has(basename(path));
  const { title = '', city = '', country = '' } = property;
  const freePath = () => freeFileName({ id: property.id, title, city, country }, isTaken).path;
  const present = importer.present.paths.get(property.id);
  let path = present ?? freePath();
  // The file's state is read after the photos are downloaded, since another program may write the file meanwhile.
  for (let isFresh = !options.photos && present === undefined; ; isFresh = false) {
    attendance.arrived.add(path);
    if (!ledger.isInside(path)) return refused([leadsOut(path)]);
    taken.add(path);
    const placed = await planPhotos(property, links, path, importer.photos);
    const isSame = placed.property === property;
    try {
      const { held, isShown, ...outcome } = write(path, placed, isSame ? yaml : undefined, importer, {
        isFresh,
        found,
      });
      const isFinished = isShown && String(property.draft) === 'true';
      const told = found
        .filter(({ code }) => !isFinished || code !== 'unfinished-draft')
        .flatMap((finding) => withHeld(finding, held) ?? []);
      if (isFinished || held.has('latitude')) importer.drafts--;
      if (!options.photos && placed.property.photo.some(({ url }) => url !== undefined)) importer.links++;
      return { at, name, path, ...outcome, findings: [...told, ...outcome.findings] };
    } catch (error) {
      // Another program has just created a file with this name.
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

type Found = { readonly isFresh: boolean; readonly found: readonly ImportFinding[] };

/**
 * In the result, `held` has the values that the file keeps because the source's were left out. `isShown`: whether the
 * file is no draft.
 */
function write(
  path: string,
  { property, writes, findings }: PlannedPhotos,
  prepared: string | undefined,
  { content, ledger, options, terms }: Importer,
  { isFresh, found }: Found,
) {
  const said = toPropertyFile(property);
  const yamlOf = (file: PropertyFile) => Buffer.from(propertyYaml(file, {}, terms.fields));
  const saidBytes = prepared === undefined ? yamlOf(said) : Buffer.from(prepared);
  if (!isFresh) ledger.follow(path, saidBytes.toString());
  const before = isFresh ? 'absent' : ledger.stateOf(path, saidBytes);
  const own = before === 'absent' || before === 'same' ? '' : propertyTextAt(join(content, path));
  const { file, held } = withOwnValues(own, said, found, terms);
  const bytes = file === said ? saidBytes : yamlOf(file);
  const state = file === said ? before : ledger.stateOf(path, bytes);
  const isReplaced = options.force && state !== 'same' && state !== 'absent';
  const done = (kind: OutcomeKind, more: readonly ImportFinding[], after = own) => {
    const isShown = after !== '' && !/^draft:\s*["']?(?:true|yes|y|on|1)\b/im.test(after);
    return { kind, findings: more, changes: own === '' ? [] : changesBetween(own, after), held, isShown };
  };
  if (!isReplaced && (state === 'kept' || before === 'kept')) return done('present', []);
  const yaml = bytes.toString();
  const origin = { source: options.source, fields: () => fieldDigests(yaml) };
  const isEdited = !isReplaced && (state === 'edited' || state === 'foreign');
  const merged = isEdited ? mergedText(own, yaml, ledger.fieldsOf(path), terms.fields) : undefined;
  if (isEdited && (state === 'foreign' || merged?.text === undefined))
    return done('conflict', [conflictFinding(path, state, merged?.both ?? [])]);
  const outside = writes.flatMap((photo) => (ledger.isInside(photo.path) ? [] : [leadsOut(photo.path)]));
  if (outside.length > 0) return done('refused', outside);
  // Photos come first: a property file must never name a photo that does not exist yet.
  for (const photo of writes) ledger.write(photo.path, photo.bytes, photo.state, { from: photo.address });
  if (state === 'same') {
    ledger.remember(path, bytes, origin);
    return done(writes.length > 0 ? 'replaced' : 'present', findings);
  }
  if (merged?.text !== undefined) {
    const { text, fields, removed, both, digests } = merged;
    if (text !== own) ledger.write(path, Buffer.from(text), state, origin);
    if (both.length > 0) {
      // Records a digest that no version of the file has, so that the next import merges again.
      ledger.remember(path, Buffer.from(digests), { ...origin, fields: () => digests });
      return done('conflict', [...findings, conflictFinding(path, 'edited', both, fields, removed)], text);
    }
    // Records the source's version, not the merged one: the next import compares with the source.
    ledger.remember(path, bytes, origin);
    const kind = text === own && writes.length === 0 ? 'present' : 'replaced';
    return done(kind, [...findings, mergedFinding(path, fields, removed)], text);
  }
  ledger.write(path, bytes, state, origin);
  return done(state === 'absent' ? 'written' : 'replaced', findings, yaml);
}

function leadsOut(path: string): ImportFinding {
  const message = `${path} would be written outside the content folder: a folder on the way is a symbolic link.`;
  return errorFinding('outside-content', message, 'Put a folder in the place of the link.');
}
