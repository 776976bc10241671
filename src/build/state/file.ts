/**
 * What a build leaves for the next one: which files it read, what they said, and what it wrote. Each section is checked when
 * it is read; a damaged file, or one of another version, counts as none.
 *
 * Format: the sections, a footer of JSON with their places and checksums, and the length of the footer in eight
 * hexadecimal digits. Sections: the stamps (as V8 writes them), and the rest (JSON). The records (`records.ts`) are in
 * pieces beside it, files that are named by their digests: a build writes those that differ.
 * Of one changed title of 100,000, writing all of them was a quarter of the processor time.
 */
import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { endianness } from 'node:os';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { crc32 } from 'node:zlib';
import type { Configuration } from '../../contract/configuration.ts';
import { renameFile } from '../../file-names.ts';
import { makeFolder } from '../../folder.ts';
import { digestOf } from '../../release/digest.ts';
import type { BuildIdentity } from '../../release/manifest.ts';
import type { FileRecord } from '../read/files.ts';
import type { HiddenCounts, Validity } from '../visible.ts';
import { isSamePiece, type RecordPiece, recordsOf } from './records.ts';
import type { LeftStamps } from './stamps.ts';

/** What is known without reading the sections. */
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

/** A state file whose summary was checked. The other sections are read, and checked, when they are asked for. */
export type State<Rest> = {
  readonly summary: StateSummary;
  /** The stamps; undefined when they are damaged. */
  readonly stamps: () => LeftStamps | undefined;
  /** The rest; undefined when it is damaged. */
  readonly rest: () => Rest | undefined;
  /** A record for every file, in the order of the stamps and in pieces; undefined when they are damaged. */
  readonly records: () => StoredPiece[] | undefined;
};

/** Records of the last build, and the file that has them. */
export type StoredPiece = { readonly file: PieceFile; readonly records: readonly FileRecord[] };

/** A file with records. */
type PieceFile = { readonly name: string; readonly crc: number };

/** Path of the folder of the files with records. */
function piecesFolder(path: string): string {
  return `${path}-records`;
}

/** A state that is being written: it counts when it is finished, and not before. */
export type StateWriter<Rest> = {
  readonly finish: (summary: StateSummary, rest: Rest) => void;
  /** Gives up; of no consequence when the state is finished. */
  readonly abandon: () => void;
};

// Text of records is written as the machine has it.
const FORMAT = `property-catalogue state 15 ${endianness()}`;

/** A part of the file. The checksum finds what a disk or a killed process damaged, and takes no time. */
type FileSection = { readonly start: number; readonly length: number; readonly crc: number };
type Contents = {
  readonly format: string;
  readonly summary: StateSummary;
  readonly stamps: FileSection;
  readonly records: readonly PieceFile[];
  readonly rest: FileSection;
};
type Footer = { readonly contents: Contents; readonly crc: number };

/** Reads a state; undefined when the file is absent or cannot be trusted. */
export function readState<Rest>(path: string): State<Rest> | undefined {
  return withFile(path, (file) => {
    const size = fstatSync(file).size;
    const length = Number.parseInt(readAt(file, size - 8, 8).toString('latin1'), 16);
    const { contents, crc } = JSON.parse(readAt(file, size - 8 - length, length).toString('utf8')) as Footer;
    if (contents.format !== FORMAT || crc32(JSON.stringify(contents)) !== crc) return undefined;
    const { summary, stamps, records, rest } = contents;
    const open = <Section>(of: FileSection, decode: (bytes: Buffer) => Section) =>
      withFile(path, (again) => decode(readSection(again, of)));
    let held: LeftStamps | undefined;
    return {
      summary,
      stamps() {
        held ??= open(stamps, (bytes) => deserialize(bytes) as LeftStamps);
        return held;
      },
      rest: () => open(rest, (bytes) => JSON.parse(bytes.toString('utf8')) as Rest),
      records: () => readPieces(path, records),
    };
  });
}

/** Reads the records of all pieces; undefined when one of them is missing or damaged. */
function readPieces(path: string, files: readonly PieceFile[]): StoredPiece[] | undefined {
  try {
    return files.map((file) => {
      const bytes = readFileSync(join(piecesFolder(path), file.name));
      if (crc32(bytes) !== file.crc) throw new Error('Records of the state are damaged.');
      return { file, records: recordsOf(bytes) };
    });
  } catch {
    return undefined;
  }
}

/** What a function reads out of a file; undefined when it fails. */
function withFile<Result>(path: string, read: (file: number) => Result): Result | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    return read(file);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readSection(file: number, { start, length, crc }: FileSection): Buffer {
  const bytes = readAt(file, start, length);
  if (crc32(bytes) !== crc) throw new Error('A section of the state is damaged.');
  return bytes;
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const count = readSync(file, bytes, done, length - done, position + done);
    if (count === 0) throw new Error('The state is shorter than it says.');
    done += count;
  }
  return bytes;
}

/** Records that a state is to hold. */
export type RecordsToWrite = {
  readonly pieces: Iterable<RecordPiece>;
  readonly published: ReadonlySet<FileRecord>;
  /** The pieces of the last build, which were read and found sound. */
  readonly last: readonly StoredPiece[] | undefined;
};

/** Starts to write a state, which will be there whole or not at all. */
export function startState<Rest>(
  path: string,
  stamps: LeftStamps,
  records: RecordsToWrite,
): StateWriter<Rest> {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w');
  let isOpen = true;
  const abandon = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  let start = 0;
  const put = (bytes: Uint8Array): FileSection => {
    writeFileSync(file, bytes);
    start += bytes.length;
    return { start: start - bytes.length, length: bytes.length, crc: crc32(bytes) };
  };
  try {
    const parts = { stamps: put(serialize(stamps)), records: writePieces(piecesFolder(path), records) };
    return {
      finish(summary, rest) {
        const contents: Contents = {
          format: FORMAT,
          summary,
          ...parts,
          rest: put(Buffer.from(JSON.stringify(rest))),
        };
        const footer: Footer = { contents, crc: crc32(JSON.stringify(contents)) };
        const text = Buffer.from(JSON.stringify(footer));
        put(text);
        put(Buffer.from(text.length.toString(16).padStart(8, '0')));
        abandon();
        renameFile(temporary, path);
        removeOthers(piecesFolder(path), parts.records);
      },
      abandon,
    };
  } catch (error) {
    abandon();
    throw error;
  }
}

/**
 * Writes the pieces that the last build has not. A file that is there counts only where that build was read: one that was
 * killed may have left half of it.
 */
function writePieces(folder: string, { pieces, published, last }: RecordsToWrite): PieceFile[] {
  const known = new Map(last?.map((piece) => [piece.records[0], piece]));
  makeFolder(folder);
  const files: PieceFile[] = [];
  for (const piece of pieces) {
    const before = known.get(piece.records[0]);
    if (before && isSamePiece(before.records, piece, published)) files.push(before.file);
    else {
      const bytes = piece.bytes();
      const name = digestOf(bytes);
      writeFileSync(join(folder, name), bytes);
      files.push({ name, crc: crc32(bytes) });
    }
  }
  return files;
}

function removeOthers(folder: string, files: readonly PieceFile[]): void {
  const names = new Set(files.map(({ name }) => name));
  for (const name of readdirSync(folder)) if (!names.has(name)) rmSync(join(folder, name), { force: true });
}

/** Removes the state: from now until the next one is written, the output is in between. */
export function removeState(path: string): void {
  rmSync(path, { force: true });
}
