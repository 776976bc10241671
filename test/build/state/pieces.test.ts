/** The records of a state are in pieces: a build writes only those that differ, and trusts no damaged one. */
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeEach, expect, it } from 'vitest';
import type { FileRecord } from '../../../src/build/read/files.ts';
import { readState, type StateSummary, startState } from '../../../src/build/state/file.ts';
import { recordPieces } from '../../../src/build/state/records.ts';
import { entry } from '../../release/made-up-sequence.ts';
import { temporaryFolder } from '../../support/temporary.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const COUNT = 30_000;
const STAMPS = {
  paths: 'digest',
  numbers: Float64Array.of(1, 2.5, 3, Number.NaN),
  photos: ['1 2 3 4 a.jpg'],
};

function record(n: number, title = 'A'): FileRecord {
  const id = String(n).padStart(6, '0');
  const path = `properties/ie/house-${id}.yaml`;
  return { path, digest: id, diagnostics: [], media: [], entry: entry(id, 'IE', 'Cork', title) };
}

function write(records: readonly FileRecord[]): void {
  const last = open()?.records();
  const published = new Set(records);
  const pieces = recordPieces(records, published);
  const state = startState(join(folder, 'state'), STAMPS, { pieces, published, last });
  state.finish({} as StateSummary, {});
}

const open = () => readState(join(folder, 'state'));
const read = () =>
  open()
    ?.records()
    ?.flatMap((piece) => piece.records);
const names = () => readdirSync(join(folder, 'state-records')).sort();

it('writes the pieces that differ, removes the unused ones, and keeps all boundaries when a file comes or goes', () => {
  const first = Array.from({ length: COUNT }, (_, n) => record(n));
  write(first);
  const before = names();
  expect(before.length).toBeGreaterThan(4);
  const written = new Map(before.map((name) => [name, statSync(join(folder, 'state-records', name)).ino]));

  const same = read()!;
  expect(same).toEqual(first);
  // One title, one removed file and one added file: each changes at most one piece.
  const changed = same
    .map((each, n) => (n === 20_000 ? record(n, 'B') : each))
    .filter((_, n) => n !== 10_000)
    .concat(record(COUNT));
  write(changed);
  const after = names();
  expect(after.filter((name) => !written.has(name)).length).toBeLessThanOrEqual(3);
  expect(before.filter((name) => !after.includes(name)).length).toBeLessThanOrEqual(3);
  for (const name of after.filter((one) => written.has(one)))
    expect(statSync(join(folder, 'state-records', name)).ino).toBe(written.get(name));
  expect(read()?.map(({ digest, entry: one }) => [digest, one?.summary])).toEqual(
    changed.map(({ digest, entry: one }) => [digest, one?.summary]),
  );
});

it('returns no records when a piece is missing, short or altered', () => {
  write(Array.from({ length: COUNT }, (_, n) => record(n)));
  const path = join(folder, 'state-records', names()[1]!);
  const bytes = readFileSync(path);
  truncateSync(path, 100);
  expect(read()).toBeUndefined();
  const other = Buffer.from(bytes);
  other[bytes.length >> 1]! ^= 1;
  writeFileSync(path, other);
  expect(read()).toBeUndefined();
  rmSync(path);
  expect(read()).toBeUndefined();
  writeFileSync(path, bytes);
  expect(read()).toHaveLength(COUNT);
});

it('returns no stamps when they were altered, and all else', () => {
  write([record(1)]);
  const path = join(folder, 'state');
  const bytes = readFileSync(path);
  expect(open()?.stamps()).toEqual(STAMPS);
  bytes[0]! ^= 1;
  writeFileSync(path, bytes);
  expect(open()?.stamps()).toBeUndefined();
  expect(read()).toHaveLength(1);
});

it('returns no stamps that another version of V8 wrote, and all else', () => {
  write([record(1)]);
  const path = join(folder, 'state');
  const bytes = readFileSync(path);
  const length = Number.parseInt(bytes.subarray(-8).toString('latin1'), 16);
  const { contents } = JSON.parse(bytes.subarray(-8 - length, -8).toString('utf8'));
  const { start, length: size } = contents.stamps;
  bytes[start + 1] = 0xff;
  contents.stamps.crc = crc32(bytes.subarray(start, start + size));
  const footer = JSON.stringify({ contents, crc: crc32(JSON.stringify(contents)) });
  const end = Buffer.byteLength(footer).toString(16).padStart(8, '0');
  writeFileSync(path, Buffer.concat([bytes.subarray(0, -8 - length), Buffer.from(footer + end)]));
  expect(open()?.stamps()).toBeUndefined();
  expect(read()).toHaveLength(1);
});

it('writes a piece again after it was only partly published', () => {
  write([record(1), record(2)]);
  const [one, two] = read()!;
  const published = new Set([one!]);
  const last = open()?.records();
  const pieces = recordPieces([one!, two!], published);
  startState(join(folder, 'state'), STAMPS, { pieces, published, last }).finish({} as StateSummary, {});
  expect(read()?.map((each) => each.entry?.id)).toEqual(['000001', undefined]);
});
