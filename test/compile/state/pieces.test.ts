/** The records of a state are in pieces: a build writes only those that differ, and trusts no damaged one. */
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { FileRecord } from '../../../src/compile/read/file-record.ts';
import { DamagedStateError } from '../../../src/compile/state/damage.ts';
import { recordPieces } from '../../../src/compile/state/record-pieces.ts';
import {
  readState,
  type StateSummary,
  writeRecords,
  writeState,
} from '../../../src/compile/state/state-file.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { madeEntry, plainRecord } from './made-record.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const COUNT = 30_000;
const NUMBERS = Float64Array.of(1, 2.5, 3, Number.NaN);
const STAMPS = {
  pathsDigest: 'digest',
  numbers: NUMBERS,
  numbersDigest: digestOf(Buffer.from(NUMBERS.buffer)),
  photos: ['1 2 3 4 a.jpg'],
};

function record(n: number, title = 'A'): FileRecord {
  const id = String(n).padStart(6, '0');
  const path = `properties/ie/house-${id}.yaml`;
  return { path, digest: digestOf(id), diagnostics: [], media: [], entry: madeEntry(id, 'Cork', title) };
}

function write(records: readonly FileRecord[]): void {
  writePublished(records, new Set());
}

function writePublished(all: readonly FileRecord[], unpublished: ReadonlySet<FileRecord>): void {
  const path = join(folder, 'state');
  const records = writeRecords(path, recordPieces(all, unpublished), unpublished, open()?.records());
  writeState(path, {} as StateSummary, {
    stamps: STAMPS,
    findings: { otherFindings: [], first: [] },
    rest: {},
    records,
  });
}

/** Names of files, as the state has them. */
const contents = (): {
  stamps: string;
  numbers: string;
  records: [name: string, heads: string, length: number][];
} => JSON.parse(readFileSync(join(folder, 'state'), 'utf8')).contents;

const open = () => readState(join(folder, 'state'));
const read = () =>
  open()
    ?.records()
    ?.flatMap((piece) => piece.records);
const names = () => contents().records.map(([name]) => name);

it('writes the pieces that differ, removes the unused ones, and keeps all boundaries when a file comes or goes', () => {
  const first = Array.from({ length: COUNT }, (_, n) => record(n));
  write(first);
  const before = names();
  expect(before.length).toBeGreaterThan(4);
  const written = new Map(before.map((name) => [name, statSync(join(folder, 'state-files', name)).ino]));

  const same = read()!;
  expect(same.map(plainRecord)).toEqual(first.map(plainRecord));
  // One title, one removed file and one added file: each changes at most one piece.
  const changed = same
    .map((each, n) => (n === 20_000 ? record(n, 'B') : each))
    .filter((_, n) => n !== 10_000)
    .concat(record(COUNT));
  write(changed);
  const after = names();
  expect(readdirSync(join(folder, 'state-files'))).toHaveLength(after.length + 4);
  expect(after.filter((name) => !written.has(name)).length).toBeLessThanOrEqual(3);
  expect(before.filter((name) => !after.includes(name)).length).toBeLessThanOrEqual(3);
  for (const name of after.filter((one) => written.has(one)))
    expect(statSync(join(folder, 'state-files', name)).ino).toBe(written.get(name));
  expect(read()?.map(({ digest, entry: one }) => [digest, one?.summary])).toEqual(
    changed.map(({ digest, entry: one }) => [digest, one?.summary]),
  );
});

it('returns no records when the heads of a piece are missing, short or altered', () => {
  write(Array.from({ length: COUNT }, (_, n) => record(n)));
  const path = join(folder, 'state-files', names()[1]!);
  const bytes = readFileSync(path);
  const end = contents().records[1]![2];
  truncateSync(path, end - 1);
  expect(read()).toBeUndefined();
  for (const place of [0, 4, end >> 1, end - 1]) {
    const other = Buffer.from(bytes);
    other[place]! ^= 1;
    writeFileSync(path, other);
    expect(read()).toBeUndefined();
  }
  rmSync(path);
  expect(read()).toBeUndefined();
  writeFileSync(path, bytes);
  expect(read()).toHaveLength(COUNT);
});

it('reads the texts of a piece on demand, and returns none that are short, altered or gone', () => {
  write(Array.from({ length: COUNT }, (_, n) => record(n)));
  const path = join(folder, 'state-files', names()[1]!);
  const bytes = readFileSync(path);
  const start = contents().records[1]![2];
  const last = () => open()!.records()![1]!.records.at(-1)!;
  const { path: name } = last();
  const damaged = [bytes.subarray(0, -1), ...[start, bytes.length - 1].map((at) => bytes.with(at, 0xff))];
  for (const other of damaged) {
    writeFileSync(path, other);
    expect(last().entry?.id).toBeDefined();
    expect(() => last().path).toThrow(DamagedStateError);
  }
  const gone = last();
  rmSync(path);
  expect(() => gone.entry?.summary).toThrow(DamagedStateError);
  writeFileSync(path, bytes);
  expect(gone.path).toBe(name);
});

it('returns no stamps when they were altered, and all else', () => {
  write([record(1)]);
  const path = join(folder, 'state-files', contents().stamps);
  const bytes = readFileSync(path);
  expect(open()?.stamps()).toEqual(STAMPS);
  bytes[0]! ^= 1;
  writeFileSync(path, bytes);
  expect(open()?.stamps()).toBeUndefined();
  expect(read()).toHaveLength(1);
});

it('reads the numbers of stamps on demand, and gives none that were altered', () => {
  write([record(1)]);
  const path = join(folder, 'state-files', contents().numbers);
  const bytes = readFileSync(path);
  rmSync(path);
  const stamps = open()!.stamps()!;
  expect(stamps.numbersDigest).toBe(STAMPS.numbersDigest);
  expect(() => stamps.numbers).toThrow(DamagedStateError);
  bytes[0]! ^= 1;
  writeFileSync(path, bytes);
  expect(() => stamps.numbers).toThrow(DamagedStateError);
  bytes[0]! ^= 1;
  writeFileSync(path, bytes);
  expect(stamps.numbers).toEqual(NUMBERS);
});

it('is none when a byte of it was altered', () => {
  write([record(1)]);
  const path = join(folder, 'state');
  const text = readFileSync(path, 'utf8');
  const { stamps } = contents();
  writeFileSync(
    path,
    text.replace(
      stamps,
      stamps.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')),
    ),
  );
  expect(open()).toBeUndefined();
});

it('writes a piece again after it was only partly published', () => {
  write([record(1), record(2)]);
  const [one, two] = read()!;
  writePublished([one!, two!], new Set([two!]));
  expect(read()?.map((each) => each.entry?.id)).toEqual([one!.entry?.id, undefined]);
});
