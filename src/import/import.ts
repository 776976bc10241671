/** `import`: properties of another source, as files of the content folder. */
import { lstatSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Vocabulary } from '../contract/vocabulary.ts';
import { freePath } from '../editing/file-name.ts';
import { type PropertyFile, propertyYaml } from '../editing/property-text.ts';
import { vocabularyOf } from '../editing/repair-content.ts';
import { diagnose } from '../source/diagnostic.ts';
import { readExactly } from '../source/yaml-document.ts';
import { type Candidate, findingOf, type ImportFinding, judge, toPropertyFile } from './candidate.ts';
import { type FileState, type Ledger, openLedger } from './ledger.ts';
import { type PhotoOptions, type PlannedPhotos, planPhotos, withoutLinkForms } from './photos.ts';
import type { Present } from './present.ts';

/** What to do with what a source has. */
export type ImportOptions = {
  /** The content folder. */
  readonly content: string;
  /** Replaces the files of its properties, even those that were edited or that no import wrote. */
  readonly force: boolean;
  /** Downloads photos that are links. */
  readonly photos: boolean;
  /** Origin of the service, for its photos. */
  readonly trusted?: string | undefined;
  /** Folder of the source file, for photos that it names by path. */
  readonly from?: string | undefined;
  /** Hears of each candidate that was looked at. */
  readonly onDone?: (outcome: Outcome) => void;
};

/**
 * What came of one candidate: a new file, a file replaced, a file that already says so or that was edited while the
 * source did not change, a file that both changed, or a candidate that is no sound property.
 */
type OutcomeKind = 'written' | 'replaced' | 'present' | 'conflict' | 'refused';

/** What came of one candidate. */
type Outcome = {
  /** Where it stands in the source. */
  readonly at: string;
  /** Its file, relative to the content folder; undefined for a candidate that was refused. */
  readonly path: string | undefined;
  readonly kind: OutcomeKind;
  readonly findings: readonly ImportFinding[];
};

/** What came of an import: numbers of candidates by their outcome, and the outcomes with something to say. */
export type ImportResult = Readonly<Record<OutcomeKind, number>> & { readonly outcomes: readonly Outcome[] };

/** What one import works with. */
type Importer = {
  readonly content: string;
  readonly vocabulary: Vocabulary;
  readonly ledger: Ledger;
  readonly present: Present;
  readonly options: ImportOptions;
  readonly photos: PhotoOptions;
  /** Paths of YAML files that are there, or were written. */
  readonly taken: Set<string>;
  /** Where each id stood first. */
  readonly firsts: Map<string, string>;
};

/** Outcomes after which the ledger is saved: what was written since the last time counts as foreign if all breaks off. */
const SAVE_EVERY = 200;

/**
 * Writes what fits, and reports the rest. A file is written whole or not at all. No file is replaced that no import
 * wrote, or that was edited since, but with `force`; and a photo that another property names is never replaced.
 *
 * @throws what the source throws; UsageError `damaged-ledger`; the error of the file system.
 */
export async function importProperties(
  source: AsyncIterable<Candidate>,
  present: Present,
  options: ImportOptions,
): Promise<ImportResult> {
  const importer = createImporter(present, options);
  const counts = { written: 0, replaced: 0, present: 0, conflict: 0, refused: 0 };
  const outcomes: Outcome[] = [];
  let done = 0;
  try {
    for await (const candidate of source) {
      const outcome = await take(candidate, importer);
      counts[outcome.kind]++;
      if (outcome.findings.length > 0) outcomes.push(outcome);
      if (++done % SAVE_EVERY === 0) importer.ledger.save();
      options.onDone?.(outcome);
    }
  } finally {
    importer.ledger.save();
  }
  return { ...counts, outcomes };
}

function createImporter(present: Present, options: ImportOptions): Importer {
  const content = resolve(options.content);
  const ledger = openLedger(content);
  const isUsedElsewhere = (photo: string, yaml: string) =>
    present.photoUsers.get(photo)?.some((user) => user !== yaml) ?? false;
  const { photos: download, force, trusted, from } = options;
  return {
    content,
    vocabulary: vocabularyOf(content),
    ledger,
    present,
    options,
    photos: { ledger, isUsedElsewhere, download, force, trusted, from },
    taken: new Set(present.files),
    firsts: new Map(),
  };
}

async function take({ at, raw, findings }: Candidate, importer: Importer): Promise<Outcome> {
  const { content, firsts, ledger, options, present, taken } = importer;
  const refused = (found: readonly ImportFinding[]): Outcome => ({
    at,
    path: undefined,
    kind: 'refused',
    findings: found,
  });
  if (!raw) return refused(findings);
  const { raw: meant, links } = options.photos ? withoutLinkForms(raw) : { raw, links: [] };
  const judged = judge(meant, importer.vocabulary);
  const found = [...findings, ...judged.findings];
  const { property } = judged;
  if (!property) return refused(found);
  const first = firsts.get(property.id);
  if (first !== undefined) {
    const twice = diagnose('duplicate-id', '', null, { id: property.id, other: first });
    return refused([...found, { ...findingOf(twice), field: 'id' }]);
  }
  firsts.set(property.id, at);
  const isTaken = (path: string) =>
    taken.has(path) || lstatSync(join(content, path), { throwIfNoEntry: false }) !== undefined;
  const path = present.paths.get(property.id) ?? freePath(property, isTaken).path;
  if (!ledger.isInside(path)) return refused([...found, leadsOut(path)]);
  taken.add(path);
  const placed = await planPhotos(property, links, path, importer.photos);
  const outcome = write(path, placed, importer);
  return {
    at,
    path,
    ...outcome,
    findings: [...(outcome.kind === 'present' ? [] : found), ...outcome.findings],
  };
}

/** Writes the file of a property and its photos, if that is for an import to do. */
function write(
  path: string,
  { property, writes, findings }: PlannedPhotos,
  { content, ledger, options }: Importer,
): Pick<Outcome, 'kind' | 'findings'> {
  const said = toPropertyFile(property);
  const bytes = Buffer.from(propertyYaml(withVisibilityOf(join(content, path), said)));
  // What was imported before the file got a draft or dates of its own, had none.
  const [state, before] = [bytes, Buffer.from(propertyYaml(said))].map((one) =>
    ledger.stateOf(path, one),
  ) as [FileState, FileState];
  const isReplaced = options.force && state !== 'same' && state !== 'absent';
  if (!isReplaced && (state === 'kept' || before === 'kept')) return { kind: 'present', findings: [] };
  if (!isReplaced && (state === 'edited' || state === 'foreign')) {
    return { kind: 'conflict', findings: [conflict(path, state)] };
  }
  const outside = writes.filter((photo) => !ledger.isInside(photo.path));
  if (outside.length > 0) return { kind: 'refused', findings: outside.map((photo) => leadsOut(photo.path)) };
  // The photos first: what a file names is there.
  for (const photo of writes) ledger.write(photo.path, photo.bytes, photo.state, photo.address);
  if (state === 'same') {
    ledger.remember(path, bytes);
    return { kind: writes.length > 0 ? 'replaced' : 'present', findings };
  }
  ledger.write(path, bytes, state);
  return { kind: state === 'absent' ? 'written' : 'replaced', findings };
}

/** A property with the draft and the dates that its file has, where the source says nothing of them. */
function withVisibilityOf(file: string, property: PropertyFile): PropertyFile {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return property;
  const text = readFileSync(file, 'utf8');
  if (!VISIBILITY_FIELDS.some((name) => text.includes(name))) return property;
  const held = Object(readExactly(text, '').value) as Record<string, unknown>;
  const kept = VISIBILITY_FIELDS.filter((name) => typeof held[name] === 'string' && !property[name]);
  return { ...property, ...Object.fromEntries(kept.map((name) => [name, held[name]])) };
}

const VISIBILITY_FIELDS = ['draft', 'live_from', 'live_until'] as const;

const CONFLICTS = {
  edited: {
    code: 'edited-file',
    message: (path: string) => `${path} was changed since it was imported, and the source changed too.`,
  },
  foreign: {
    code: 'foreign-file',
    message: (path: string) => `${path} holds this property and says something else; no import wrote it.`,
  },
} as const;

function conflict(path: string, state: Extract<FileState, 'edited' | 'foreign'>): ImportFinding {
  const { code, message } = CONFLICTS[state];
  const help = 'It stays as it is. Change it by hand, or import with --force to replace it.';
  return { code, severity: 'error', field: '', message: message(path), help };
}

function leadsOut(path: string): ImportFinding {
  const message = `${path} would be written outside the content folder: a folder on the way is a symbolic link.`;
  const help = 'Put a folder in the place of the link.';
  return { code: 'outside-content', severity: 'error', field: '', message, help };
}
