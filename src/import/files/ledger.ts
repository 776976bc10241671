/**
 * Records the digest of each imported file. An import uses it to recognise files that it wrote, files that were edited
 * since, and files that no import wrote.
 */
import { hash } from 'node:crypto';
import { closeSync, existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { photoPathsIn } from '../../editing/photo-path.ts';
import { UsageError } from '../../errors/errors.ts';
import { writeAtomically } from '../../files/atomic-write.ts';
import { openRegularFile, readBoundedText } from '../../files/files-and-folders.ts';
import { isHidden, isInside } from '../../source/content-path.ts';
import { guessId } from '../../source/property-file.ts';
import { scanContent } from '../../source/scan-content.ts';
import { readYamlQuickly } from '../../source/simple-yaml.ts';
import { MAX_FILE_BYTES } from '../../source/source-text.ts';
import { readYamlExactly } from '../../source/yaml-document.ts';
import { isMapping } from '../../values/mapping.ts';
import { detachedCopy } from '../../values/memoize.ts';
import type { ImportFinding } from '../finding.ts';
import { readTerminatedLines } from '../table/source-bytes.ts';
import { digestOf, digestsIn, fieldDigests } from './field-merge.ts';

export const LEDGER_FILE = '.imported.json';

/**
 * `same`: already has the bytes that the import would write. `own`: from an import, unchanged. `kept`: only the owner
 * changed it. `edited`: the owner and the source changed it. `foreign`: not from an import, or not a regular file.
 */
export type FileState = 'absent' | 'same' | 'own' | 'kept' | 'edited' | 'foreign';

export type Ledger = ReturnType<typeof openLedger>;

/** `from`: address that a photo came from. `source`: name of a property's source. `fields`: returns field digests. */
type Origin = Partial<Pick<LedgerEntry, 'from' | 'source'>> & { readonly fields?: () => string };

/** Whether an import could have written to the path. A ledger from someone else may contain unsafe paths. */
const isWritten = (path: string) => !isHidden(path) && !path.split('/').includes('') && !/[\\\0]/.test(path);

const entrySchema = z.strictObject({
  sha256: z.string(),
  from: z.string().optional(),
  source: z.string().optional(),
  fields: z.string().optional(),
  /** Digests of what the last import reported about the property's row. */
  findings: z.string().optional(),
});
const pathSchema = z.string().refine(isWritten);
const ledgerSchema = z.strictObject({ files: z.custom<Record<string, unknown>>(isMapping) });

type LedgerEntry = z.output<typeof entrySchema>;

export function openLedger(content: string) {
  const { entries, lost, wasDeleted } = readEntries(content);
  let root: string | undefined;
  const addresses = new Map<string, string[]>();
  for (const [path, { from }] of entries)
    if (from !== undefined) addresses.set(from, [...(addresses.get(from) ?? []), path]);
  const folders = new Set<string>();
  const made = new Set<string>();
  const stateAt = (path: string, bytes?: Buffer) => stateOf(join(content, path), bytes, entries.get(path));
  let isChanged = false;

  /** Whether a path is in the content folder, even after symbolic links are resolved. */
  const isWithin = (path: string) => {
    const folder = dirname(path);
    root ??= realpathSync(content);
    if (!folders.has(folder) && isInside(root, nearestFolder(join(content, folder)))) folders.add(folder);
    return folders.has(folder);
  };

  const remember = (path: string, bytes: Buffer, { fields, ...origin }: Origin = {}) => {
    const sha256 = hash('sha256', bytes);
    const before = entries.get(path);
    // If nothing changed, the field digests are not computed, since that is the slowest step.
    const isKnown =
      before?.sha256 === sha256 && before.source === origin.source && before.from === origin.from;
    if (isKnown && (before.fields === undefined) === (fields === undefined)) return;
    entries.set(path, { ...origin, sha256, ...(fields && { fields: fields() }), findings: before?.findings });
    isChanged = true;
  };

  return {
    stateOf: stateAt,
    isInside: isWithin,
    downloaded: new Set(addresses.keys()) as ReadonlySet<string>,
    fileOf: (address: string, start: string) =>
      addresses.get(address)?.find((path) => path.startsWith(start)),
    filesBySource: () => filesBySource(entries),
    filesOf: (source: string) => filesBySource(entries).get(source) ?? [],
    /** Returns the digests of a file's fields as they were imported; empty if unknown. */
    fieldsOf: (path: string) => entries.get(path)?.fields ?? '',
    /** If a file was moved to `path` since its import, finds its entry by the id in `yaml` and moves the entry too. */
    follow(path: string, yaml: string) {
      const entry = lost.size === 0 || entries.has(path) ? undefined : mostAlike(lost, yaml);
      if (!entry) return;
      entries.set(path, entry);
      isChanged = true;
    },
    /** Records what is reported about a property's row. Returns whether a finding is new since the last import. */
    noteFindings(path: string, found: readonly ImportFinding[]): (finding: ImportFinding) => boolean {
      const before = entries.get(path);
      // The finding that a file was deleted is about this import, not about the row.
      const ofRow = found.filter(({ code }) => code !== 'deleted-file').map(digestOfFinding);
      const findings = ofRow.join('') || undefined;
      isChanged ||= before !== undefined && before.findings !== findings;
      if (before) entries.set(path, { ...before, findings });
      const known = new Set(digestsIn(before?.findings ?? ''));
      return (finding) => !known.has(digestOfFinding(finding));
    },
    isUntouched: (path: string) => isWithin(path) && stateAt(path) === 'own',
    ...{ remember, wasDeleted },
    /** Writes atomically. If `state` is `absent` but another program has created the file by now, throws EEXIST. */
    write(path: string, bytes: Buffer, state: FileState, origin?: Origin) {
      const whole = join(content, path);
      const folder = dirname(whole);
      if (!made.has(folder)) mkdirSync(folder, { recursive: true });
      made.add(folder);
      writeAtomically(whole, bytes, { isNew: state === 'absent' });
      remember(path, bytes, origin);
    },
    remove(path: string) {
      rmSync(join(content, path));
      isChanged = entries.delete(path) || isChanged;
    },
    save() {
      if (!isChanged) return;
      writeAtomically(join(content, LEDGER_FILE), ledgerText(entries));
      isChanged = false;
    },
  };
}

function filesBySource(entries: ReadonlyMap<string, LedgerEntry>): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, string[]>();
  for (const [path, { source }] of entries) {
    const paths = sources.get(source ?? '');
    if (paths) paths.push(path);
    else if (source !== undefined) sources.set(source, [path]);
  }
  return sources;
}

/** The first digest of a file's fields is that of its id. */
export const digestOfId = (id: string) => digestOf(`id: ${id}`);

/**
 * Returns the path of each file by {@link digestOfId} of the id that the file had at its import. The key is '' for a
 * file that no import wrote.
 */
export function filesByDigestOfId(
  { fieldsOf }: Pick<Ledger, 'fieldsOf'>,
  paths: readonly string[],
): ReadonlyMap<string, string> {
  return new Map(paths.map((path) => [digestsIn(fieldsOf(path))[0] ?? '', path]));
}

const digestOfFinding = ({ code, field, message }: ImportFinding) =>
  digestOf(JSON.stringify([code, field, message]));

/** Maximum bytes of a ledger that an editor has reformatted: such a ledger must fit into one string. */
const MAX_REFORMATTED = 500_000_000;

/**
 * `lost`: entries whose files are no longer at their paths, by digest of the property's id (the first field digest).
 * @throws UsageError `damaged-ledger`
 */
function readEntries(content: string) {
  const path = join(content, LEDGER_FILE);
  const entries = new Map<string, LedgerEntry>();
  const lost = new Map<string, LedgerEntry[]>();
  const gone = new Set<string>();
  /** Whether the file of the property in `yaml` was there after the last import, and is no longer anywhere. */
  const wasDeleted = (file: string, yaml: string) =>
    gone.has(file) && lost.has(digestsIn(fieldDigests(yaml))[0] ?? '');
  const read = { entries, lost, wasDeleted };
  if (!existsSync(path)) return read;
  try {
    const add = (name: string, entry: unknown) => {
      const value = entrySchema.parse(entry);
      if (existsSync(join(content, pathSchema.parse(name)))) entries.set(name, value);
      else if (value.fields) {
        gone.add(name);
        const [id = ''] = digestsIn(value.fields);
        lost.set(id, [...(lost.get(id) ?? []), value]);
      }
    };
    const rest: string[] = [];
    for (const line of linesIn(path)) {
      const [, name, entry] = LINE.exec(line) ?? [];
      if (name !== undefined && entry !== undefined) add(JSON.parse(name), JSON.parse(entry));
      else if (rest.push(line) > FRAME.length) break;
    }
    if (rest.join() === FRAME.join()) return read;
    entries.clear();
    lost.clear();
    const { files } = ledgerSchema.parse(JSON.parse(readBoundedText(path, MAX_REFORMATTED)));
    for (const name in files) add(name, files[name]);
    return read;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    const message = `${path} is not what an import wrote. Restore it, or delete it: then imports take all files that are there for files of other origin, and replace none.`;
    throw new UsageError('damaged-ledger', message);
  }
}

/** Several ids may have the same short digest. Then the entry with the most equal fields is returned. */
function mostAlike(lost: ReadonlyMap<string, readonly LedgerEntry[]>, yaml: string) {
  const [id = '', ...digests] = digestsIn(fieldDigests(yaml));
  const equal = ({ fields = '' }: LedgerEntry) => {
    const known = new Set(digestsIn(fields));
    return digests.filter((one) => known.has(one)).length;
  };
  return lost.get(id)?.toSorted((one, other) => equal(other) - equal(one))[0];
}

function* linesIn(path: string): Generator<string> {
  const fd = openRegularFile(path);
  try {
    yield* readTerminatedLines(fd);
  } finally {
    closeSync(fd);
  }
}

/**
 * Matches the line of an entry. A ledger is parsed line by line: parsed at once, 100,000 entries would take 100 MB, and
 * a string cannot exceed 512 MB. Only a ledger that an editor has reformatted is parsed at once.
 */
const LINE = /^ {4}("(?:[^"\\]|\\.)*"): (\{.*\}),?$/;
const FRAME = ['{', '  "files": {', '  }', '}'];

/** Sorts the files and writes one per line, so that git can merge the imports of two branches. */
function* ledgerText(entries: ReadonlyMap<string, LedgerEntry>): Generator<string> {
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
  yield '{\n  "files": {';
  for (let at = 0; at < sorted.length; at += LINES) {
    const lines = sorted
      .slice(at, at + LINES)
      .map(([path, entry]) => `\n    ${JSON.stringify(path)}: ${JSON.stringify(entry)}`);
    yield (at === 0 ? '' : ',') + lines.join(',');
  }
  yield '\n  }\n}\n';
}

const LINES = 1_000;

function stateOf(path: string, bytes: Buffer | undefined, entry: LedgerEntry | undefined): FileState {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return 'absent';
  if (!stats.isFile()) return 'foreign';
  const present = readFileSync(path);
  if (bytes?.equals(present)) return 'same';
  if (entry === undefined) return 'foreign';
  if (entry.sha256 === hash('sha256', present)) return 'own';
  return bytes && entry.sha256 === hash('sha256', bytes) ? 'kept' : 'edited';
}

/** Returns an empty text if there is no regular file, or if it is too large to be a property. */
export function propertyTextAt(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const isRead = stats?.isFile() && stats.size <= MAX_FILE_BYTES;
  return isRead ? readFileSync(file, 'utf8').replace(/^\ufeff/, '') : '';
}

export function valuesIn(path: string): object {
  const text = propertyTextAt(path);
  return Object(readYamlQuickly(text) ?? readYamlExactly(text, '').value);
}

/** Empty for a file that `check` reports as unreadable or too large. An import must not fail because of it. */
function readableText(file: string): string {
  try {
    return readBoundedText(file, MAX_FILE_BYTES);
  } catch {
    return '';
  }
}

function nearestFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    const above = dirname(folder);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === folder) throw error;
    // A broken symbolic link counts as outside of every folder.
    if (lstatSync(folder, { throwIfNoEntry: false })) return '';
    return nearestFolder(above);
  }
}

/**
 * All paths are relative to the content folder. `paths`: by property id, the path of its file. `withoutId`: files in
 * which no id is found, perhaps because they are broken.
 */
export type PresentFiles = {
  readonly paths: ReadonlyMap<string, string>;
  readonly withoutId: readonly string[];
  readonly files: ReadonlySet<string>;
  /** By photo: the YAML files that name it. */
  readonly photoUsers: ReadonlyMap<string, readonly string[]>;
};

export function findPresentFiles(content: string): PresentFiles {
  const files = existsSync(content) ? scanContent(resolve(content)).files : [];
  const paths = new Map<string, string>();
  const withoutId: string[] = [];
  const photoUsers = new Map<string, string[]>();
  for (const path of files) {
    const text = readableText(join(content, path));
    const id = guessId(text);
    if (id === undefined) withoutId.push(path);
    else paths.set(detachedCopy(id), path);
    for (const photo of (text.includes('file') && photoPathsIn(path, text)) || [])
      photoUsers.set(photo, [...(photoUsers.get(photo) ?? []), path]);
  }
  return { paths, withoutId, files: new Set(files), photoUsers };
}
