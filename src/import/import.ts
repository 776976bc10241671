import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Terms } from '../contract/terms.ts';
import { freeFileName } from '../editing/file-name.ts';
import { type PropertyFile, propertyYaml } from '../editing/property-text.ts';
import { readTerms } from '../editing/repair-content.ts';
import { diagnose } from '../source/diagnostic.ts';
import { guessId } from '../source/property-file.ts';
import { MAX_FILE_BYTES } from '../source/source-text.ts';
import { readYamlExactly } from '../source/yaml-document.ts';
import { memoize } from '../values/memoize.ts';
import {
  type Candidate,
  errorFinding,
  findingOf,
  type ImportFinding,
  toPropertyFile,
  type ValidationOptions,
} from './candidate.ts';
import { conflictFinding, fieldDigests, mergedFinding, mergedText } from './field-merge.ts';
import { type GoneFiles, type GoneOptions, handleGoneFiles, refuseShrunkSource } from './gone-files.ts';
import { findPresentFiles, type Ledger, openLedger } from './ledger.ts';
import { createPhotoAccess, type PhotoOptions, type PlannedPhotos, planPhotos } from './photos.ts';
import { type PreparedCandidate, prepareCandidate } from './prepare.ts';
import { createTally, type TallyCounts } from './tally.ts';

export type ImportOptions = ValidationOptions &
  GoneOptions &
  PhotoOptions & {
    readonly content: string;
    /** @default read from the content folder */
    readonly ledger?: Ledger;
    /** Number of candidates; undefined as long as it is unknown. */
    readonly total?: () => number | undefined;
    /** Called after the last candidate. False if some did not arrive. @default true */
    readonly isWhole?: () => boolean;
    /** Keeps outcomes that have findings. Their causes are counted anyway. @default true */
    readonly keepOutcomes?: boolean | undefined;
    /** Whether an id follows from the title, so that a refused row may be any property. @default false */
    readonly isIdOfTitle?: boolean;
    readonly onDone?: (outcome: Outcome) => void;
  };

/**
 * `written`: new file. `replaced`: file overwritten. `present`: file has these values, or only its owner changed it.
 * `conflict`: both changed the same field. `refused`: not a valid property.
 */
type OutcomeKind = 'written' | 'replaced' | 'present' | 'conflict' | 'refused';

type Outcome = Pick<Candidate, 'at' | 'findings'> & {
  readonly path: string | undefined;
  readonly kind: OutcomeKind;
};

export type ImportResult = Readonly<Record<OutcomeKind, number>> &
  TallyCounts & {
    readonly outcomes: readonly Outcome[];
    readonly drafts: number;
    readonly links: number;
    readonly gone: GoneFiles;
  };

type Importer = ReturnType<typeof createImporter>;

/** Outcomes until the ledger is first saved; doubles each time. After a crash, unsaved files count as foreign. */
const FIRST_SAVE = 200;

/** @throws errors of the source and the file system; UsageError `damaged-ledger` */
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

/** For candidates that another thread may have prepared. */
export async function importPrepared(
  source: AsyncIterable<PreparedCandidate>,
  options: ImportOptions & { readonly ledger: Ledger },
): Promise<ImportResult> {
  const importer = createImporter(options);
  const counts = { written: 0, replaced: 0, present: 0, conflict: 0, refused: 0 };
  const outcomes: Outcome[] = [];
  let done = 0;
  let nextSave = FIRST_SAVE;
  try {
    for await (const candidate of source) {
      if (done === 0) refuseShrunkSource(options.total?.(), importer.ledger, options);
      const outcome = await take(candidate, importer);
      counts[outcome.kind]++;
      if (outcome.findings.length > 0 && options.keepOutcomes !== false) outcomes.push(outcome);
      if (++done === nextSave) {
        importer.ledger.save();
        nextSave *= 2;
      }
      options.onDone?.(outcome);
    }
    if (done === 0) refuseShrunkSource(0, importer.ledger, options);
    const isWhole = options.isWhole?.() ?? true;
    const gone = handleGoneFiles({ ...importer.attendance, isWhole }, importer, options);
    const { drafts, links, tally } = importer;
    return { ...counts, ...tally.result(), drafts, links, outcomes, gone };
  } finally {
    const { content, ledger, present } = importer;
    ledger.save();
    const isEmpty = present.made !== undefined && readdirSync(content).length === 0;
    if (isEmpty) rmSync(present.made, { recursive: true });
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
    // Asking for each file takes a twentieth of an import. Some file systems ignore the case of names.
    namesIn: memoize((folder) => {
      const path = join(content, folder);
      return new Set(existsSync(path) ? readdirSync(path).map((name) => name.toLowerCase()) : []);
    }),
    firsts: new Map<string, string>(),
    attendance: { arrived: new Set<string>(), unknown: [] as string[] },
    ...{ drafts: 0, links: 0 },
  };
}

async function take(candidate: PreparedCandidate, importer: Importer): Promise<Outcome> {
  const { at, validated } = candidate;
  const { tally, terms } = importer;
  const { property, repairs } = validated;
  const outcome = await place(candidate, importer);
  if (outcome.path !== undefined && String(property?.draft) === 'true') importer.drafts++;
  const { labels } = terms.vocabulary.facilities;
  const words = (property?.facilities ?? []).filter((word) => !Object.hasOwn(labels, word));
  // The next run tries photos again.
  const isFresh = ({ code }: ImportFinding) => outcome.kind !== 'present' || isAboutPhotos(code);
  tally.add({ at, findings: outcome.findings, isFresh, repairs, words });
  return outcome;
}

function noteArrival(at: string, id: string | undefined, importer: Importer): void {
  const { attendance, options, present } = importer;
  const path = present.paths.get(id ?? '');
  if (path !== undefined) attendance.arrived.add(path);
  else if (id === undefined || options.isIdOfTitle) attendance.unknown.push(at);
}

export const isAboutPhotos = (code: string) => code === 'photo-not-received' || code === 'edited-photo';

async function place(
  { at, findings, links, validated, yaml }: PreparedCandidate,
  importer: Importer,
): Promise<Outcome> {
  const { attendance, content, firsts, ledger, namesIn, options, taken } = importer;
  const { property, id } = validated;
  const found = [...findings, ...validated.findings];
  const refused = (more: readonly ImportFinding[]): Outcome => {
    return { at, path: undefined, kind: 'refused', findings: [...found, ...more] };
  };
  if (!property) {
    noteArrival(at, id, importer);
    return refused([]);
  }
  const first = firsts.get(property.id);
  if (first !== undefined) {
    const twice = diagnose('duplicate-id', '', null, { id: property.id, other: first });
    return refused([{ ...findingOf(twice), field: 'id' }]);
  }
  firsts.set(property.id, at);
  const isTaken = (path: string) =>
    taken.has(path) || importer.present.files.has(path) || namesIn(dirname(path)).has(basename(path));
  const { title = '', city = '', country = '' } = property;
  const freePath = () => freeFileName({ id: property.id, title, city, country }, isTaken).path;
  const present = importer.present.paths.get(property.id);
  let path = present ?? freePath();
  // The state of files is read only after the download, since other programs may have written some meanwhile.
  for (let isFresh = !options.photos && present === undefined; ; isFresh = false) {
    attendance.arrived.add(path);
    if (!ledger.isInside(path)) return refused([leadsOut(path)]);
    taken.add(path);
    const placed = await planPhotos(property, links, path, importer.photos);
    const isSame = placed.property === property;
    try {
      const outcome = write(path, placed, isSame ? yaml : undefined, importer, isFresh);
      if (!options.photos && placed.property.photo.some(({ url }) => url !== undefined)) importer.links++;
      return { at, path, ...outcome, findings: [...found, ...outcome.findings] };
    } catch (error) {
      // Another program has just made a file of this name.
      const { code, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
      if (code !== 'EEXIST' || dest === undefined) throw error;
      const file = join(content, path);
      if (dest === file && guessId(textAt(file)) !== property.id) {
        attendance.arrived.delete(path);
        path = freePath();
      }
    }
  }
}

function write(
  path: string,
  { property, writes, findings }: PlannedPhotos,
  prepared: string | undefined,
  { content, ledger, options, terms }: Importer,
  isFresh: boolean,
): Pick<Outcome, 'kind' | 'findings'> {
  const said = toPropertyFile(property);
  const yamlOf = (file: PropertyFile) => Buffer.from(propertyYaml(file, {}, terms.fields));
  const saidBytes = prepared === undefined ? yamlOf(said) : Buffer.from(prepared);
  // Keeps a draft mark and dates that the owner may have added to the imported version.
  const before = isFresh ? 'absent' : ledger.stateOf(path, saidBytes);
  const isSame = before === 'absent' || before === 'same';
  const visible = isSame ? said : withVisibilityOf(join(content, path), said, terms);
  const bytes = visible === said ? saidBytes : yamlOf(visible);
  const state = visible === said ? before : ledger.stateOf(path, bytes);
  const isReplaced = options.force && state !== 'same' && state !== 'absent';
  if (!isReplaced && (state === 'kept' || before === 'kept')) return { kind: 'present', findings: [] };
  const yaml = bytes.toString();
  const origin = { source: options.source, fields: () => fieldDigests(yaml) };
  const isConflict = !isReplaced && (state === 'edited' || state === 'foreign');
  const own = isConflict ? textAt(join(content, path)) : '';
  const merged = isConflict ? mergedText(own, yaml, ledger.fieldsOf(path), terms.fields) : undefined;
  if (isConflict && (state === 'foreign' || merged?.text === undefined))
    return { kind: 'conflict', findings: [conflictFinding(path, state, merged?.fields ?? [])] };
  const outside = writes.filter((photo) => !ledger.isInside(photo.path));
  if (outside.length > 0) return { kind: 'refused', findings: outside.map((photo) => leadsOut(photo.path)) };
  // A property file must never name a photo that does not exist yet.
  for (const photo of writes) ledger.write(photo.path, photo.bytes, photo.state, { from: photo.address });
  if (state === 'same') {
    ledger.remember(path, bytes, origin);
    return { kind: writes.length > 0 ? 'replaced' : 'present', findings };
  }
  if (merged?.text !== undefined) {
    if (merged.text !== own) ledger.write(path, Buffer.from(merged.text), state, origin);
    // Records the source's version, not the merged one: the next import compares with the source.
    ledger.remember(path, bytes, origin);
    const kind = merged.text === own && writes.length === 0 ? 'present' : 'replaced';
    return { kind, findings: [...findings, mergedFinding(path, merged.fields)] };
  }
  ledger.write(path, bytes, state, origin);
  return { kind: state === 'absent' ? 'written' : 'replaced', findings };
}

function withVisibilityOf(file: string, property: PropertyFile, { fields }: Terms): PropertyFile {
  const text = textAt(file);
  if (!VISIBILITY_FIELDS.some((name) => text.includes(name))) return property;
  const held = Object(readYamlExactly(text, '').value) as Record<string, unknown>;
  const isNew = (name: string) => !held[name] && property[name as 'city'];
  const isCompleted = [...fields.all].some(([name, { required }]) => required && isNew(name));
  const isKept = (name: 'draft' | 'live_from' | 'live_until') =>
    typeof held[name] === 'string' && !property[name] && !(isCompleted && name === 'draft');
  const kept = VISIBILITY_FIELDS.filter(isKept).map((name) => [name, held[name]]);
  return { ...property, ...Object.fromEntries(kept) };
}

const VISIBILITY_FIELDS = ['draft', 'live_from', 'live_until'] as const;

/** Empty for a path without a file, and for a file that is too large to be a property. */
function textAt(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const isRead = stats?.isFile() && stats.size <= MAX_FILE_BYTES;
  return isRead ? readFileSync(file, 'utf8').replace(/^\ufeff/, '') : '';
}

function leadsOut(path: string): ImportFinding {
  const message = `${path} would be written outside the content folder: a folder on the way is a symbolic link.`;
  return errorFinding('outside-content', message, 'Put a folder in the place of the link.');
}
