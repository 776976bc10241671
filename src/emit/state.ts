/**
 * What a build leaves for the next one, in one file: which files it read, what they said, and what it wrote. The
 * file is checked when it is read; a damaged one, or one of another version, counts as none.
 *
 * Format: the sections, then a footer of JSON that tells their lengths and checksums, then the length of the footer in
 * eight hexadecimal digits. Sections: the stamps (text, so that "nothing changed" is one comparison), the
 * diagnostics (JSON), the records (JSON in ASCII, which is read in 0.6 of the time, one a line), and the rest (JSON).
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
import { crc32 } from 'node:zlib';
import type { Configuration } from '../contract/configuration.ts';
import type { Diagnostic } from '../source/diagnostic.ts';

/** What is known without reading the sections. */
export type StateSummary = {
  /** What the configuration says, with the options that override it: `inputs` tells whether it still does. */
  readonly configuration: Configuration;
  /** Digest of all that decides the output besides the content: configuration, options, versions. */
  readonly inputs: string;
  /** Commit of the build's identity, which the manifest carries. */
  readonly commit: string | null;
  /** SHA-256 of the manifest, and its size and time: the same file need not be read. */
  readonly manifest: { readonly digest: string; readonly size: number; readonly modified: number };
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
export type StateSections<Rest, Entry> = {
  readonly diagnostics: Diagnostic[];
  readonly rest: Rest;
  readonly records: Entry[];
  /** Their lines, for records that are written again as they are. */
  readonly lines: Lines;
};

/** Lines of records: line `i` is `bytes` from `starts[i]` up to and without `starts[i + 1]`. */
export type Lines = { readonly bytes: Uint8Array; readonly starts: readonly number[] };

/** A state file. What is told here was checked. */
export type State<Rest, Entry> = {
  readonly summary: StateSummary;
  readonly stamps: string;
  /** The other sections, checked; undefined when they are damaged. */
  readonly read: () => StateSections<Rest, Entry> | undefined;
};

/** What a state is made of, but for what is known last. */
export type StateParts<Entry> = {
  readonly stamps: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Records, or lines of them in the last state. */
  readonly records: Iterable<Entry | Uint8Array>;
};

/** A state that is being written: it counts when it is finished, and not before. */
export type StateWriter<Rest> = {
  readonly finish: (summary: StateSummary, rest: Rest) => void;
  /** Gives up; of no consequence when the state is finished. */
  readonly abandon: () => void;
};

const FORMAT = 'property-catalogue state 7';
const CHUNK = 1 << 20;

type Lengths = [stamps: number, diagnostics: number, records: number, rest: number];
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
export function readState<Rest, Entry>(path: string): State<Rest, Entry> | undefined {
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
    return { summary, stamps: stamps.toString('utf8'), read: () => readSections<Rest, Entry>(path, footer) };
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

function readSections<Rest, Entry>(
  path: string,
  { lengths, body }: Footer,
): StateSections<Rest, Entry> | undefined {
  const [stamps, diagnostics, records, rest] = lengths;
  try {
    const bytes = readFileSync(path).subarray(stamps, stamps + diagnostics + records + rest);
    if (crc32(bytes) !== body) return undefined;
    const lines = findLines(bytes.subarray(diagnostics, diagnostics + records));
    return {
      lines,
      records: parseLines<Entry>(lines),
      diagnostics: JSON.parse(bytes.toString('utf8', 0, diagnostics)),
      rest: JSON.parse(bytes.toString('utf8', diagnostics + records)),
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

function findLines(bytes: Uint8Array): Lines {
  const starts = [0];
  for (let start = 0; start < bytes.length; starts.push(start)) start = bytes.indexOf(0x0a, start) + 1;
  return { bytes, starts };
}

/** Many lines at once, which is quicker than one by one, but not all: a text of all would be too large. */
function parseLines<Entry>({ bytes, starts }: Lines): Entry[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: Entry[] = [];
  for (let from = 0; from < starts.length - 1; ) {
    let to = from + 1;
    while (to < starts.length - 1 && starts[to]! - starts[from]! < CHUNK) to++;
    const lines = text.toString('latin1', starts[from], starts[to]! - 1);
    for (const entry of JSON.parse(`[${lines.replaceAll('\n', ',')}]`)) entries.push(entry);
    from = to;
  }
  return entries;
}

/** Starts to write a state, which will be there whole or not at all. */
export function startState<Rest, Entry>(path: string, parts: StateParts<Entry>): StateWriter<Rest> {
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
  const lengths: Lengths = [0, 0, 0, 0];
  try {
    lengths[0] = write(stamps);
    lengths[1] = put(Buffer.from(JSON.stringify(parts.diagnostics)));
    for (const chunk of chunks(parts.records)) lengths[2] += put(chunk);
  } catch (error) {
    close();
    throw error;
  }
  return {
    finish(summary, rest) {
      lengths[3] = put(Buffer.from(JSON.stringify(rest)));
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

/** Lines of records, put together to some size at least. */
function* chunks(records: Iterable<unknown>): Generator<Uint8Array> {
  let lines: Uint8Array[] = [];
  let size = 0;
  for (const record of records) {
    const line =
      record instanceof Uint8Array ? record : Buffer.from(`${ascii(JSON.stringify(record))}\n`, 'latin1');
    lines.push(line);
    size += line.length;
    if (size < CHUNK) continue;
    yield lines.length === 1 ? line : Buffer.concat(lines);
    lines = [];
    size = 0;
  }
  yield Buffer.concat(lines);
}

/** JSON without a letter that is not ASCII. */
function ascii(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Removes the state: from now until the next one is written, the output is in between. */
export function removeState(path: string): void {
  rmSync(path, { force: true });
}

function headChecksum(summary: StateSummary, lengths: Lengths, stamps: Buffer): number {
  return crc32(stamps, crc32(JSON.stringify([summary, lengths])));
}
