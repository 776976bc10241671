/**
 * Everything that a build saves for the next one: files read, their records, files written. `state` is a JSON summary
 * that names other files by digest: stamps, their numbers, findings, the rest, and records in pieces
 * (`record-pieces.ts`). A build writes only the pieces that changed: writing all records took a quarter of the
 * processor time for one changed title of 100,000. A damaged state, or one of another version, is ignored.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Configuration } from '../../contract/configuration.ts';
import { makeFolder } from '../../files/files-and-folders.ts';
import { renameFile } from '../../files/rename-and-link.ts';
import { digestOf } from '../../release/digest.ts';
import type { BuildIdentity } from '../../release/root-contents.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { FindingCounts } from '../../source/findings.ts';
import type { FileRecord } from '../read/file-record.ts';
import { decodeRows, headsLength, rowsOfHeads } from '../read/record-row.ts';
import type { Counts } from '../release-size.ts';
import type { HiddenCounts, UnchangedRange } from '../visible-at.ts';
import { bytesOfNumbers, type StoredStamps } from './content-stamps.ts';
import { DamagedStateError } from './damage.ts';
import type { OutputStamps } from './output-stamps.ts';
import { isSamePiece, type RecordPiece } from './record-pieces.ts';
import type { StoredEdge } from './written-files.ts';

/** The part of the state that every build reads. */
export type StateSummary = {
  /** Includes options that override settings. Still valid if `inputs` is unchanged. */
  readonly configuration: Configuration;
  /** Digest of all inputs except the content: configuration, options, versions. */
  readonly inputs: string;
  /** Commit that `current.json` names. */
  readonly identity: BuildIdentity;
  /** Whether the build was for `catalogue dev`, and so must not be published. */
  readonly preview: boolean;
  readonly release: string;
  /** Versions of the image encoders; undefined without images. */
  readonly engine: string | undefined;
  /** By path in the output folder. */
  readonly outputs: OutputStamps;
  /** Whether all diagnostics depend only on stamped files and none is an error. */
  readonly settled: boolean;
  /** Range of instants at which a build would give the same diagnostics and properties. */
  readonly validity: UnchangedRange;
  readonly hidden: HiddenCounts;
  /** Numbers of findings by code, before repeated findings about one field are merged. */
  readonly findings: FindingCounts;
  /** Reported again by a build that finds nothing to do. */
  readonly counts: Counts;
  readonly leftOut: readonly string[];
  readonly refusedTargets: StoredEdge['refused'];
};

/** The summary is verified; other files are read and verified on demand. */
export type BuildState<Rest> = {
  readonly summary: StateSummary;
  /** Undefined if damaged. `numbers` is read at its first use, which may throw {@link DamagedStateError}. */
  readonly stamps: () => StoredStamps | undefined;
  /** Undefined if damaged: the build then reads and writes everything. */
  readonly findings: () => StoredFindings | undefined;
  readonly rest: () => Rest | undefined;
  /**
   * In the order of the stamps; undefined if damaged. Reading a text of a record may throw {@link DamagedStateError}.
   */
  readonly records: () => StoredPiece[] | undefined;
  /** Names of the pieces, in the order of the records. An unchanged piece keeps its name. */
  readonly pieces: readonly string[];
  /** Undefined if damaged, or if a newer build removed it. */
  readonly piece: (name: string) => readonly FileRecord[] | undefined;
};

/** `otherFindings`: findings that do not belong to a record. `first`: the few findings that a report shows. */
type StoredFindings = {
  readonly otherFindings: readonly Diagnostic[];
  readonly first: readonly Diagnostic[];
};

type StoredFile = readonly [name: string, digest: string, length: number];

export type StoredPiece = { readonly file: StoredFile; readonly records: readonly FileRecord[] };

// Contains the machine's byte order, since stamps are stored in it.
const FORMAT = `property-catalogue state 32 ${endianness()}`;

/** Stored in the file `state`, with its digest. `stamps`, `numbers`, `findings` and `rest` are names of files. */
type Contents = {
  readonly format: string;
  readonly summary: StateSummary;
  readonly stamps: string;
  readonly numbers: string;
  readonly findings: string;
  readonly rest: string;
  readonly records: readonly StoredFile[];
};

function filesFolder(path: string): string {
  return `${path}-files`;
}

export function readState<Rest>(path: string): BuildState<Rest> | undefined {
  const read = (name: string) => {
    const bytes = readFileSync(join(filesFolder(path), name));
    if (digestOf(bytes) !== name) throw new Error('A file of the state is damaged.');
    return bytes;
  };
  const readValue = (name: string): unknown => deserialize(read(name));
  const readNeeded = (name: string) => {
    const bytes = orUndefined(() => read(name));
    if (!bytes) throw new DamagedStateError();
    return bytes;
  };
  const textsIn = (name: string) => {
    const block = readNeeded(name);
    return block.subarray(headsLength(block));
  };
  const stampsOf = ({ stamps, numbers: numbersDigest }: Contents): StoredStamps => {
    let numbers: Float64Array | undefined;
    return {
      ...(readValue(stamps) as Pick<StoredStamps, 'pathsDigest' | 'photos'>),
      numbersDigest,
      get numbers() {
        if (numbers) return numbers;
        const { buffer, byteOffset, length } = readNeeded(numbersDigest);
        numbers = new Float64Array(buffer, byteOffset, length / Float64Array.BYTES_PER_ELEMENT);
        return numbers;
      },
    };
  };
  const piece = (file: StoredFile): StoredPiece => {
    const [name, digest, length] = file;
    const heads = readStart(join(filesFolder(path), name), length);
    if (digestOf(heads) !== digest) throw new Error('A file of the state is damaged.');
    return { file, records: rowsOfHeads(heads, () => textsIn(name)) };
  };
  return orUndefined((): BuildState<Rest> | undefined => {
    const { contents, digest } = JSON.parse(readFileSync(path, 'utf8')) as {
      contents: Contents;
      digest: string;
    };
    if (contents.format !== FORMAT || digestOf(JSON.stringify(contents)) !== digest) return undefined;
    let cached: StoredStamps | undefined;
    return {
      summary: contents.summary,
      stamps() {
        cached ??= orUndefined(() => stampsOf(contents));
        return cached;
      },
      findings: () => orUndefined(() => readValue(contents.findings) as StoredFindings),
      rest: () => orUndefined(() => readValue(contents.rest) as Rest),
      records: () => orUndefined(() => contents.records.map(piece)),
      pieces: contents.records.map(([name]) => name),
      piece: (name) => orUndefined(() => decodeRows(read(name))),
    };
  });
}

function readStart(path: string, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

function orUndefined<Result>(read: () => Result | undefined): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Writes only pieces that differ from those of the last build. @returns the files of all pieces */
export function writeRecords(
  path: string,
  pieces: Iterable<RecordPiece>,
  unpublished: ReadonlySet<FileRecord>,
  last: readonly StoredPiece[] | undefined,
): StoredFile[] {
  const known = new Map(last?.map((piece) => [piece.records[0], piece]));
  return Array.from(pieces, (piece) => {
    const before = known.get(piece.records[0]);
    if (before && isSamePiece(before.records, piece, unpublished)) return before.file;
    const bytes = piece.bytes();
    const heads = bytes.subarray(0, headsLength(bytes));
    return [writeNamed(path, bytes), digestOf(heads), heads.length];
  });
}

type StateFiles<Rest> = {
  readonly stamps: StoredStamps;
  /** In a separate file: a build without changes need not read the rest (half a second for a million properties). */
  readonly findings: StoredFindings;
  readonly rest: Rest;
  readonly records: readonly StoredFile[];
};

/** Replaces the state atomically. @param records the result of {@link writeRecords} */
export function writeState<Rest>(
  path: string,
  summary: StateSummary,
  { stamps, findings, rest, records }: StateFiles<Rest>,
): void {
  const { pathsDigest, photos, numbers, numbersDigest } = stamps;
  const contents: Contents = {
    format: FORMAT,
    summary,
    stamps: writeNamed(path, serialize({ pathsDigest, photos })),
    numbers: writeNamed(path, bytesOfNumbers(numbers), numbersDigest),
    findings: writeNamed(path, serialize(findings)),
    rest: writeNamed(path, serialize(rest)),
    records,
  };
  writeFileSync(`${path}.new`, JSON.stringify({ contents, digest: digestOf(JSON.stringify(contents)) }));
  renameFile(`${path}.new`, path);
  const names = new Set([
    contents.stamps,
    contents.numbers,
    contents.findings,
    contents.rest,
    ...records.map(([name]) => name),
  ]);
  for (const name of readdirSync(filesFolder(path)))
    if (!names.has(name)) rmSync(join(filesFolder(path), name), { force: true });
}

/** Overwrites an existing file, since a killed build may have left it incomplete. */
function writeNamed(path: string, bytes: Uint8Array, name = digestOf(bytes)): string {
  makeFolder(filesFolder(path));
  writeFileSync(join(filesFolder(path), name), bytes);
  return name;
}

/** Makes the output count as incomplete until the next state is written. */
export function removeState(path: string): void {
  rmSync(path, { force: true });
}
