/**
 * What a build leaves for the next one, in one file: which files it read, what they said, and what it wrote. The
 * file is checked when it is read; a damaged one, or one of another version, counts as none.
 *
 * Format: the sections, then a footer of JSON that tells their lengths and checksums, then the length of the footer in
 * eight hexadecimal digits. Sections: the stamps (text, so that "nothing changed" is one comparison), the diagnostics
 * (JSON), the records (lines), the published sequence (lines of the manifest; joined summaries; where each starts), and
 * the rest (JSON). Lines and summaries are read when they are asked for, and copied as they stand.
 */
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import type { Configuration } from '../../contract/configuration.ts';
import type { BuildIdentity } from '../../release/manifest.ts';
import type { JoinedSummaries } from '../../release/sequence.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import { openSequence, type StoredSequence } from './sequence.ts';

/** What is known without reading the sections. */
export type StateSummary = {
  /** What the configuration says, with the options that override it: `inputs` tells whether it still does. */
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

/** The sections that only a build with something to do needs. */
type StateSections<Rest> = {
  readonly diagnostics: Diagnostic[];
  /** A line for every file, in the order of the stamps. */
  readonly records: Uint8Array;
  /** What is published. */
  readonly sequence: StoredSequence;
  readonly rest: Rest;
};

/** A state file. What is told here was checked. */
export type State<Rest> = {
  readonly summary: StateSummary;
  readonly stamps: string;
  /** The other sections, checked; undefined when they are damaged. */
  readonly read: () => StateSections<Rest> | undefined;
};

/** What a state is made of, but for what is known last. */
export type StateParts = {
  readonly stamps: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Lines, in pieces. */
  readonly records: Iterable<Uint8Array>;
  /** What `sequenceLines` made of the sequence. */
  readonly lines: Iterable<Uint8Array>;
  readonly summaries: JoinedSummaries;
};

/** A state that is being written: it counts when it is finished, and not before. */
export type StateWriter<Rest> = {
  readonly finish: (summary: StateSummary, rest: Rest) => void;
  /** Gives up; of no consequence when the state is finished. */
  readonly abandon: () => void;
};

// Offsets are written as the machine has them.
const FORMAT = `property-catalogue state 11 ${endianness()}`;

type Lengths = [
  stamps: number,
  diagnostics: number,
  records: number,
  sequence: number,
  summaries: number,
  offsets: number,
  rest: number,
];
type Footer = {
  format: string;
  summary: StateSummary;
  lengths: Lengths;
  /** CRC-32 of the summary, the lengths and the stamps: all that "nothing changed" depends on. */
  head: number;
  /** CRC-32 of the other sections: it must find what a disk or a killed process damaged, and takes no time. */
  body: number;
};

/** Reads a state; undefined when there is none that can be trusted. Only the stamps are read at once. */
export function readState<Rest>(path: string): State<Rest> | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const size = fstatSync(file).size;
    const footerLength = Number.parseInt(readAt(file, size - 8, 8).toString('latin1'), 16);
    const footer = JSON.parse(readAt(file, size - 8 - footerLength, footerLength).toString('utf8')) as Footer;
    const { format, summary, lengths, head } = footer;
    const stamps = readAt(file, 0, lengths[0]);
    if (format !== FORMAT || headChecksum(summary, lengths, stamps) !== head) return undefined;
    return { summary, stamps: stamps.toString('utf8'), read: () => readSections<Rest>(path, footer) };
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

function readSections<Rest>(path: string, { lengths, body }: Footer): StateSections<Rest> | undefined {
  try {
    const file = readFileSync(path);
    let end = lengths[0];
    const [diagnostics, records, lines, summaries, offsets, rest] = lengths.slice(1).map((length) => {
      end += length;
      return file.subarray(end - length, end);
    }) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
    if (crc32(file.subarray(lengths[0], end)) !== body) return undefined;
    // A copy, since numbers of four bytes have to start at a multiple of four.
    const starts = new Uint32Array(Uint8Array.from(offsets).buffer);
    return {
      diagnostics: JSON.parse(diagnostics.toString('utf8')),
      records,
      sequence: openSequence(lines, { bytes: summaries, offsets: starts }),
      rest: JSON.parse(rest.toString('utf8')),
    };
  } catch {
    return undefined;
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const count = readSync(file, bytes, done, length - done, position + done);
    if (count === 0) throw new Error('The state is shorter than it says.');
    done += count;
  }
  return bytes;
}

/** Starts to write a state, which will be there whole or not at all. */
export function startState<Rest>(path: string, parts: StateParts): StateWriter<Rest> {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w');
  let open = true;
  const close = () => {
    if (open) closeSync(file);
    open = false;
  };
  let body = 0;
  const write = (bytes: Uint8Array) => {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    return bytes.length;
  };
  const put = (bytes: Uint8Array) => {
    body = crc32(bytes, body);
    return write(bytes);
  };
  const stamps = Buffer.from(parts.stamps);
  const { bytes, offsets } = parts.summaries;
  const lengths: Lengths = [0, 0, 0, 0, 0, 0, 0];
  try {
    lengths[0] = write(stamps);
    lengths[1] = put(Buffer.from(JSON.stringify(parts.diagnostics)));
    for (const piece of parts.records) lengths[2] += put(piece);
    for (const piece of parts.lines) lengths[3] += put(piece);
    lengths[4] = put(bytes);
    lengths[5] = put(Buffer.from(offsets.buffer, offsets.byteOffset, offsets.byteLength));
  } catch (error) {
    close();
    throw error;
  }
  return {
    finish(summary, rest) {
      lengths[6] = put(Buffer.from(JSON.stringify(rest)));
      const footer: Footer = {
        format: FORMAT,
        summary,
        lengths,
        head: headChecksum(summary, lengths, stamps),
        body,
      };
      const length = write(Buffer.from(JSON.stringify(footer)));
      write(Buffer.from(length.toString(16).padStart(8, '0')));
      close();
      renameSync(temporary, path);
    },
    abandon: close,
  };
}

/** Removes the state: from now until the next one is written, the output is in between. */
export function removeState(path: string): void {
  rmSync(path, { force: true });
}

function headChecksum(summary: StateSummary, lengths: Lengths, stamps: Buffer): number {
  return crc32(stamps, crc32(JSON.stringify([summary, lengths])));
}
