/**
 * What a build leaves for the next one: which files it read, what they said, and what it wrote. `state` is a summary in JSON
 * that names files beside it by their digests: the stamps, the rest, and the records in pieces (`records.ts`). A build writes
 * those that differ. A damaged file, or one of another version, counts as none.
 * Of one changed title of 100,000, writing all records was a quarter of the processor time.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Configuration } from '../../contract/configuration.ts';
import { renameFile } from '../../file-names.ts';
import { makeFolder } from '../../folder.ts';
import { digestOf } from '../../release/digest.ts';
import type { BuildIdentity } from '../../release/manifest.ts';
import type { FileRecord } from '../read/files.ts';
import type { HiddenCounts, Validity } from '../visible.ts';
import { isSamePiece, type RecordPiece, recordsOf } from './records.ts';
import type { LeftStamps } from './stamps.ts';

/** What most builds need to know. */
export type StateSummary = {
  /** The configuration with the options that override it. It is current while `inputs` is the same. */
  readonly configuration: Configuration;
  /** Digest of all that decides the output besides the content: configuration, options, versions. */
  readonly inputs: string;
  /** Which the manifest carries. */
  readonly identity: BuildIdentity;
  /** The name of the release. */
  readonly release: string;
  /** SHA-256 of the manifest, and its size and time: the same file need not be read. */
  readonly manifest: { readonly digest: string; readonly size: number; readonly modified: number };
  /** The encoders of the images; undefined when there are none. */
  readonly engine: string | undefined;
  /** Files and folders below the output folder without which it is not what was written. */
  readonly outputs: readonly string[];
  /** Whether every diagnostic follows from the stamped files, and none of them is an error. */
  readonly settled: boolean;
  /** The instants for which a build would find the same, and show the same properties. */
  readonly validity: Validity;
  /** Numbers of properties that are not shown. */
  readonly hidden: HiddenCounts;
  /** Number of diagnostics. */
  readonly diagnostics: number;
  /** Numbers for the summary of a build that had nothing to do. */
  readonly counts: Readonly<Record<string, number>>;
  /** Paths of the files that were left out because of errors. */
  readonly leftOut: readonly string[];
  /** Serving targets that cannot serve the catalogue, and why. */
  readonly refusedTargets: readonly {
    readonly name: string;
    readonly code: string;
    readonly message: string;
  }[];
};

/** A state whose summary was checked. The other files are read, and checked, when they are asked for. */
export type State<Rest> = {
  readonly summary: StateSummary;
  /** The stamps; undefined when they are damaged. */
  readonly stamps: () => LeftStamps | undefined;
  /** The rest; undefined when it is damaged. */
  readonly rest: () => Rest | undefined;
  /** A record for every file, in the order of the stamps and in pieces; undefined when they are damaged. */
  readonly records: () => StoredPiece[] | undefined;
};

/** Records of the last build, and the name of the file that has them. */
export type StoredPiece = { readonly name: string; readonly records: readonly FileRecord[] };

// Numbers of stamps are written as the machine has them.
const FORMAT = `property-catalogue state 16 ${endianness()}`;

/** Content of the file; the other names are those of files beside it. */
type Contents = {
  readonly format: string;
  readonly summary: StateSummary;
  readonly stamps: string;
  readonly rest: string;
  readonly records: readonly string[];
};

/** Path of the folder of the files that are named by their digests. */
function filesFolder(path: string): string {
  return `${path}-files`;
}

/** Reads a state; undefined when the file is absent or cannot be trusted. */
export function readState<Rest>(path: string): State<Rest> | undefined {
  const read = (name: string) => {
    const bytes = readFileSync(join(filesFolder(path), name));
    if (digestOf(bytes) !== name) throw new Error('A file of the state is damaged.');
    return bytes;
  };
  return orUndefined(() => {
    const { contents, digest } = JSON.parse(readFileSync(path, 'utf8')) as {
      contents: Contents;
      digest: string;
    };
    if (contents.format !== FORMAT || digestOf(JSON.stringify(contents)) !== digest) return undefined;
    let held: LeftStamps | undefined;
    return {
      summary: contents.summary,
      stamps() {
        held ??= orUndefined(() => deserialize(read(contents.stamps)) as LeftStamps);
        return held;
      },
      rest: () => orUndefined(() => JSON.parse(read(contents.rest).toString('utf8')) as Rest),
      records: () =>
        orUndefined(() => contents.records.map((name) => ({ name, records: recordsOf(read(name)) }))),
    };
  });
}

function orUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Writes records in pieces. Those that the last build left, and that were read and found sound, stay.
 *
 * @returns the names of the files.
 */
export function writeRecords(
  path: string,
  pieces: Iterable<RecordPiece>,
  published: ReadonlySet<FileRecord>,
  last: readonly StoredPiece[] | undefined,
): string[] {
  const known = new Map(last?.map((piece) => [piece.records[0], piece]));
  return Array.from(pieces, (piece) => {
    const before = known.get(piece.records[0]);
    return before && isSamePiece(before.records, piece, published)
      ? before.name
      : writeNamed(path, piece.bytes());
  });
}

/** Writes a state, which is there whole or not at all. `records`: names of {@link writeRecords}. */
export function writeState<Rest>(
  path: string,
  summary: StateSummary,
  { stamps, rest, records }: { stamps: LeftStamps; rest: Rest; records: readonly string[] },
): void {
  const contents: Contents = {
    format: FORMAT,
    summary,
    stamps: writeNamed(path, serialize(stamps)),
    rest: writeNamed(path, Buffer.from(JSON.stringify(rest))),
    records,
  };
  writeFileSync(`${path}.new`, JSON.stringify({ contents, digest: digestOf(JSON.stringify(contents)) }));
  renameFile(`${path}.new`, path);
  const names = new Set([contents.stamps, contents.rest, ...records]);
  for (const name of readdirSync(filesFolder(path)))
    if (!names.has(name)) rmSync(join(filesFolder(path), name), { force: true });
}

/** Writes a file that is named by its digest. One that is there counts for nothing: a killed build may have left half of it. */
function writeNamed(path: string, bytes: Uint8Array): string {
  const name = digestOf(bytes);
  makeFolder(filesFolder(path));
  writeFileSync(join(filesFolder(path), name), bytes);
  return name;
}

/** Removes the state: from now until the next one is written, the output is in between. */
export function removeState(path: string): void {
  rmSync(path, { force: true });
}
