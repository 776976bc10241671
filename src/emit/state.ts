/**
 * What a build leaves for the next one, in one file: which files it read, what they said, and what it wrote. The
 * file is checked when it is read; a damaged one, or one of another version, counts as none.
 *
 * Format: the sections, then a footer of JSON that tells their lengths and the digest of all, then the length of the
 * footer in eight hexadecimal digits. Sections: the stamps (text, so that "nothing changed" is one comparison), the
 * diagnostics (JSON), the rest (JSON), and the records (JSON, one a line, written and read one by one).
 */
import { createHash } from 'node:crypto';
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
import type { Diagnostic } from '../source/diagnostic.ts';

/** What is known without reading the sections. */
export type StateSummary = {
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
  /** The line of each record, for a record that is written again as it is. */
  readonly lines: ReadonlyMap<Entry, Uint8Array>;
};

/** A state file. What is told here was checked. */
export type State<Rest, Entry> = {
  readonly summary: StateSummary;
  readonly stamps: string;
  /** The other sections, checked; undefined when they are damaged. */
  readonly read: () => StateSections<Rest, Entry> | undefined;
};

/** What a state is made of. */
export type StateParts<Rest, Entry> = {
  readonly summary: StateSummary;
  readonly stamps: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly rest: Rest;
  /** Records, or their lines in the last state. */
  readonly records: Iterable<Entry | Uint8Array>;
};

const FORMAT = 'property-catalogue state 4';
const CHUNK = 1 << 20;

type Lengths = [stamps: number, diagnostics: number, rest: number, records: number];
type Footer = {
  format: string;
  summary: StateSummary;
  lengths: Lengths;
  /** Digest of the summary, the lengths and the stamps: all that "nothing changed" depends on. */
  head: string;
  /** Digest of the other sections. */
  body: string;
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
    if (format !== FORMAT || headDigest(summary, lengths, stamps) !== head) return undefined;
    return { summary, stamps: stamps.toString('utf8'), read: () => readSections(path, footer) };
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
  try {
    const [stamps, diagnostics, rest, records] = lengths;
    const bytes = readFileSync(path).subarray(stamps, stamps + diagnostics + rest + records);
    if (createHash('sha256').update(bytes).digest('hex') !== body) return undefined;
    const lines = new Map(parseLines<Entry>(bytes.subarray(diagnostics + rest)));
    return {
      diagnostics: JSON.parse(bytes.toString('utf8', 0, diagnostics)),
      rest: JSON.parse(bytes.toString('utf8', diagnostics, diagnostics + rest)),
      records: [...lines.keys()],
      lines,
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

function* parseLines<Entry>(bytes: Buffer): Generator<[Entry, Uint8Array]> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(0x0a, start);
    yield [JSON.parse(bytes.toString('utf8', start, end)), bytes.subarray(start, end + 1)];
    start = end + 1;
  }
}

/** Writes a state, whole or not at all. */
export function writeState<Rest, Entry>(path: string, parts: StateParts<Rest, Entry>): void {
  const { summary, stamps, diagnostics, rest, records } = parts;
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w');
  const hash = createHash('sha256');
  const write = (bytes: Buffer) => {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
    return bytes.length;
  };
  const put = (bytes: Buffer) => {
    hash.update(bytes);
    return write(bytes);
  };
  try {
    const head = Buffer.from(stamps);
    const lengths: Lengths = [
      write(head),
      put(Buffer.from(JSON.stringify(diagnostics))),
      put(Buffer.from(JSON.stringify(rest))),
      0,
    ];
    for (const chunk of chunks(records)) lengths[3] += put(chunk);
    const footer: Footer = {
      format: FORMAT,
      summary,
      lengths,
      head: headDigest(summary, lengths, head),
      body: hash.digest('hex'),
    };
    const length = write(Buffer.from(JSON.stringify(footer)));
    write(Buffer.from(length.toString(16).padStart(8, '0')));
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/** Lines of records, put together to some size. */
function* chunks(records: Iterable<unknown>): Generator<Buffer> {
  let lines: Uint8Array[] = [];
  let size = 0;
  for (const record of records) {
    const line = record instanceof Uint8Array ? record : Buffer.from(`${JSON.stringify(record)}\n`);
    lines.push(line);
    size += line.length;
    if (size < CHUNK) continue;
    yield Buffer.concat(lines);
    lines = [];
    size = 0;
  }
  yield Buffer.concat(lines);
}

/** Removes the state: from now until the next one is written, the output is in between. */
export function removeState(path: string): void {
  rmSync(path, { force: true });
}

function headDigest(summary: StateSummary, lengths: Lengths, stamps: Buffer): string {
  return createHash('sha256')
    .update(JSON.stringify([summary, lengths]))
    .update(stamps)
    .digest('hex');
}
