import { randomUUID } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  fstatSync,
  openSync,
  read,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { EnvironmentError, UsageError } from '../../errors/errors.ts';
import { bytesText } from '../../text/amounts.ts';
import { readDirectory, type ZipEntry } from './zip.ts';

export type SourceBytes = {
  readonly name: string;
  readonly kind: FileKind;
  readonly head: Buffer;
  readonly fd: number;
  readonly read: () => AsyncIterable<Buffer>;
  readonly close: () => void;
};

const readAt = promisify(read);

const CHUNK = 65_536;
const HEAD = 4_096;
/** Maximum bytes copied to a temporary file, and maximum bytes after decompression. */
const MAX_COPIED = 1_000_000_000;
const MAX_UNPACKED = 2_000_000_000;
/** Milliseconds for a whole download. */
const TIMEOUT = 900_000;

/**
 * Decompresses the source. Copies pipes and downloads to a temporary file that disappears when the process ends, even
 * if it is killed.
 * @throws UsageError; EnvironmentError `source-not-received`
 */
export async function openBytes(source: string): Promise<SourceBytes> {
  const [name, fd] = isUrl(source)
    ? [new URL(source).pathname.split('/').pop() || source, await copied(received(source))]
    : source === '-'
      ? ['The input', await copied(process.stdin)]
      : [source, await openFile(source)];
  try {
    return await unpacked({ name, fd });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

async function openFile(path: string): Promise<number> {
  const absent = `${path} does not exist. Name a file, or the address of a table or a service.`;
  if (!existsSync(path)) throw new UsageError('invalid-source', absent);
  const fd = openSync(path, 'r');
  const stats = fstatSync(fd);
  if (stats.isFile()) return fd;
  if (stats.isDirectory()) {
    closeSync(fd);
    throw new UsageError('invalid-source', `${path} is a folder. Name a file in it.`);
  }
  return copied(createReadStream(path, { fd }));
}

async function* received(address: string): AsyncGenerator<Uint8Array> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    yield* response.body ?? [];
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = (cause as Error | undefined)?.message ?? message;
    const said = `${address} was not received: ${reason}.`;
    throw new EnvironmentError('source-not-received', said, { cause: error });
  }
}

export const isUrl = (source: string) => /^https?:\/\//i.test(source);

export function isTableUrl(address: string): boolean {
  const { pathname, search } = new URL(address);
  const kinds = 'csv|tsv|tab|txt|json|geojson|geojsonl|geojsons|ndjson|jsonl|xlsx|ods';
  return (
    new RegExp(`\\.(?:${kinds})(?:\\.gz|\\.zip)?$|\\.(?:gz|zip)$`, 'i').test(pathname) ||
    new RegExp(`[?&](?:format|output|type|f)=(?:${kinds})(?:&|$)`, 'i').test(search)
  );
}

/** Unlinks the file at once, so that the system frees it as soon as the process closes it, ends or is killed. */
export function openTemporary(): number {
  const path = join(tmpdir(), `catalogue-import-${randomUUID()}`);
  const fd = openSync(path, 'wx+', 0o600);
  rmSync(path);
  return fd;
}

async function copied(stream: AsyncIterable<Uint8Array>): Promise<number> {
  const fd = openTemporary();
  try {
    for await (const chunk of bounded(stream, MAX_COPIED)) writeFileSync(fd, chunk);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

async function* bounded<Chunk extends Uint8Array>(chunks: AsyncIterable<Chunk>, most: number) {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > most)
      throw new UsageError('source-too-large', `The source has more than ${bytesText(most)}.`);
    yield chunk;
  }
}

/** Reads `length` bytes from byte `start` on. A read stream would close the file at the end; this leaves it open. */
async function* readStored(fd: number, start = 0, length = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
  for (let done = 0; done < length; ) {
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, length - done));
    const { bytesRead } = await readAt(fd, buffer, 0, buffer.length, start + done);
    if (bytesRead === 0) return;
    done += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Leaves out text after the last line feed. */
export function* readTerminatedLines(fd: number): Generator<string> {
  const decoder = new TextDecoder();
  const buffer = Buffer.allocUnsafe(CHUNK);
  let line = '';
  for (let at = 0, length = 0; ; at += length) {
    length = readSync(fd, buffer, 0, CHUNK, at);
    if (length === 0) return;
    const [end = '', ...others] = decoder.decode(buffer.subarray(0, length), { stream: true }).split('\n');
    line += end;
    for (const other of others) {
      yield line;
      line = other;
    }
  }
}

/** Reads values that were written as JSON, one on each line. */
export function* readStoredValues<Value>(fd: number): Generator<Value> {
  for (const line of readTerminatedLines(fd)) yield JSON.parse(line);
}

/** Keeps the values in a temporary file, since they could take too much memory. */
export function createStoredList<Value>(): Iterable<Value> & { readonly add: (value: Value) => void } {
  const fd = openTemporary();
  return {
    add: (value) => writeFileSync(fd, `${JSON.stringify(value)}\n`),
    [Symbol.iterator]: () => readStoredValues<Value>(fd),
  };
}

async function unpacked({ name, fd }: Pick<SourceBytes, 'name' | 'fd'>): Promise<SourceBytes> {
  const start = Buffer.alloc(HEAD);
  const head = start.subarray(0, readSync(fd, start, 0, HEAD, 0));
  const found = { name, head, fd, close: () => closeSync(fd) };
  const kind = kindOf(found.head);
  if (kind === 'gzip') return inner(found, 'gzip', () => through(readStored(fd), createGunzip()));
  if (kind !== 'zip') return { ...found, kind, read: () => readStored(fd) };
  const entries = readDirectory(fd, name).filter((entry) => !/\/$|^__MACOSX\/|(?:^|\/)\./.test(entry.name));
  const workbook = workbookKind(entries);
  if (workbook) return { ...found, kind: workbook, read: () => readStored(fd) };
  const [entry, ...others] = entries;
  if (!entry || others.length > 0) {
    const held = entries.slice(0, 5).map((one) => `"${one.name}"`);
    const list = held.length > 0 ? `: ${held.join(', ')}` : '';
    const message = `${name} holds ${entries.length} files${list}. Unpack it, and import one table.`;
    throw new UsageError('many-files', message);
  }
  return inner(found, 'zip', () => {
    const part = readStored(fd, entry.start, entry.packed);
    return entry.isDeflated ? through(part, createInflateRaw()) : part;
  });
}

function workbookKind(entries: readonly ZipEntry[]): FileKind | undefined {
  const names = new Set(entries.map((entry) => entry.name.toLowerCase()));
  if (names.has('xl/workbook.xml')) return 'xlsx';
  if (names.has('xl/workbook.bin')) return 'xlsb';
  if (names.has('index/document.iwa') || names.has('index.zip')) return 'numbers';
  if (names.has('content.xml') && names.has('meta-inf/manifest.xml')) return 'ods';
  return names.has('[content_types].xml') ? 'office' : undefined;
}

async function* through(packed: AsyncIterable<Buffer>, unpack: Transform): AsyncGenerator<Buffer> {
  try {
    yield* bounded(pipeline(Readable.from(packed), unpack, () => {}) as AsyncIterable<Buffer>, MAX_UNPACKED);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError('damaged-file', `The source cannot be unpacked: ${(error as Error).message}.`);
  }
}

async function inner(
  found: Omit<SourceBytes, 'kind' | 'read'>,
  packing: string,
  read: () => AsyncIterable<Buffer>,
): Promise<SourceBytes> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of read()) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= HEAD) break;
  }
  const head = Buffer.concat(parts).subarray(0, HEAD);
  const kind = kindOf(head);
  if (kind === 'text') return { ...found, head, kind, read };
  const message = `${found.name} is a ${packing} file of another kind of file, not of a table. Unpack it first.`;
  throw new UsageError('invalid-source', message);
}

type FileKind = 'text' | 'gzip' | 'zip' | 'xlsx' | 'ods' | Refused;
type Refused = keyof typeof REFUSED_KINDS;

export const REFUSED_KINDS = {
  xls: 'is an Excel file of before 2007, or one with a password. Save it as .xlsx without a password.',
  xlsb: 'is a binary Excel file. Save it as .xlsx.',
  numbers: 'is a Numbers file. Export it as Excel or CSV.',
  office: 'is a document, not a table. Save its table as .xlsx or .csv.',
  packed: 'is packed in another way than gzip or zip. Unpack it, and import one table.',
  database: 'is a database. Export a table of it as CSV.',
  pdf: 'is a PDF document. Ask for the table as a spreadsheet or CSV.',
  image: 'is a picture.',
  html: 'is a web page, not a table: perhaps one that asks to sign in. Download the table itself.',
  xml: 'is XML. Save or export it as CSV or JSON.',
  lfs: 'is a pointer of Git LFS in place of the file. Run "git lfs pull".',
} as const;

const MAGIC: readonly (readonly [FileKind, RegExp])[] = [
  ['zip', /^PK(?:\x03\x04|\x05\x06)/],
  ['gzip', /^\x1f\x8b\x08/],
  ['xls', /^\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|^\x09\x08[\x04\x08\x10]\x00/],
  [
    'packed',
    /^(?:BZh[1-9]1AY&SY|\xfd7zXZ\x00|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18|7z\xbc\xaf\x27\x1c|Rar!\x1a\x07)/,
  ],
  ['packed', /^[\s\S]{257}ustar/],
  ['database', /^(?:PAR1|SQLite format 3\x00)/],
  ['pdf', /^%PDF-/],
  ['image', /^(?:\xff\xd8\xff|\x89PNG|GIF8|RIFF....WEBP)/],
  ['html', /^(?:\xef\xbb\xbf)?\s*(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body)\b/i],
  ['xml', /^(?:\xef\xbb\xbf)?\s*<(?:\?xml|[A-Za-z][\w:.-]*[\s>])/],
  ['lfs', /^version https:\/\/git-lfs\.github\.com\//],
];

function kindOf(head: Buffer): FileKind {
  const text = head.toString('latin1');
  return MAGIC.find(([, magic]) => magic.test(text))?.[0] ?? 'text';
}
