/** Parts and downloads have the expected bytes, and a change of one property changes few parts. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RecordEntry } from '../../../src/compile/read/file-record.ts';
import {
  planParts as divide,
  downloadInputsDigest,
  PART_LIMITS,
  writeDownloads,
  writePart,
} from '../../../src/compile/write/bulk-files.ts';
import { createDetailReader, spoolLocationsOf } from '../../../src/compile/write/detail-reader.ts';
import { DOWNLOAD_KEYS, partKey } from '../../../src/contract/document-keys.ts';
import { PARTS_FOLDER } from '../../../src/contract/object-keys.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { joinSummaries, type SequenceEntry, toSequence } from '../../../src/release/sequence.ts';
import { indexesById, sequenceColumns } from '../../../src/release/sequence-columns.ts';
import { findDetailPart } from '../../../src/tree/format/detail-part.ts';
import type { DetailPart } from '../../../src/tree/format/root.ts';
import { entry } from '../../release/made-up-sequence.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const COUNT = 5000;
const SMALL = { download: 16_000, part: 400_000 };

/** Random ids, the same in every run. */
const idOf = (n: number): string => {
  const hex = digestOf(String(n));
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
const made = (n: number, title = `House ${n}`, bytes = 600): SequenceEntry => ({
  ...entry(idOf(n), 'IE', 'Cork', title, digestOf(title)),
  detailBytes: bytes + title.length,
});
type Sized = Parameters<typeof sequenceColumns>[0][number] & { readonly detailBytes: number };
const orderOf = (sequence: readonly Sized[]) => indexesById(sequenceColumns(sequence));
const planParts = (sequence: readonly Sized[], limits = SMALL) =>
  divide(sequenceColumns(sequence), orderOf(sequence), limits);
const many = (count: number) => toSequence(Array.from({ length: count }, (_, n) => made(n)));
const linesOf = (members: readonly SequenceEntry[]) =>
  members.reduce((sum, { detailBytes }) => sum + detailBytes + 45, 0);
/** Those of the second list that are absent from the first. */
const fresh = <Item extends { inputs: string }>(before: readonly Item[], after: readonly Item[]) => {
  const known = new Set(before.map(({ inputs }) => inputs));
  return after.filter(({ inputs }) => !known.has(inputs));
};

const before = many(COUNT);
const divided = planParts(before);

it('the downloads are offered up to a size, or at any size if the catalogue wants them', () => {
  expect(PART_LIMITS).toEqual({ download: 1_000_000, part: 800_000 });
  const columns = sequenceColumns(before);
  const whole = linesOf(before);
  const expected = { inputs: expect.stringMatching(/^[0-9a-f]{32}$/) };
  expect(downloadInputsDigest(columns, false, { ...SMALL, download: whole })).toMatchObject(expected);
  expect(downloadInputsDigest(columns, false, { ...SMALL, download: whole - 1 })).toBeUndefined();
  expect(downloadInputsDigest(columns, true, { ...SMALL, download: 1 })).toMatchObject(expected);
  expect(downloadInputsDigest(sequenceColumns([]), false, PART_LIMITS)).toMatchObject(expected);
});

it('parts cover the properties in the order of ids, and none is too large, however large a property is', () => {
  expect(planParts([])).toEqual([]);
  const sizes = fc.array(fc.constantFrom(100, 1000, 30_000, 399_000, 500_000), {
    minLength: 300,
    maxLength: 300,
  });
  fc.assert(
    fc.property(sizes, (bytes) => {
      const sequence = toSequence(bytes.map((one, n) => made(n, `House ${n}`, one)));
      const parts = planParts(sequence);
      const order = orderOf(sequence);
      expect(parts.map(({ start }) => start)).toEqual([0, ...parts.map(({ end }) => end).slice(0, -1)]);
      expect(parts.at(-1)!.end).toBe(sequence.length);
      for (const { start, end } of parts) {
        const members = [...order.subarray(start, end)].map((place) => sequence[place]!);
        expect(end - start === 1 || linesOf(members) <= SMALL.part).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});

it('a change of one title changes one part, or divides it', () => {
  expect(divided.length).toBeGreaterThan(8);
  fc.assert(
    fc.property(fc.nat(COUNT - 1), fc.constantFrom(1, 250, SMALL.part), (place, length) => {
      const one = before[place]!;
      const longer = { ...one, detailDigest: digestOf('new'), detailBytes: one.detailBytes + length };
      const after = planParts(before.with(place, longer));
      const changed = fresh(divided, after);
      if (after.length === divided.length) expect(changed).toHaveLength(1);
      else {
        const [own] = fresh(after, divided);
        expect(fresh(after, divided)).toHaveLength(1);
        expect([changed[0]!.start, changed.at(-1)!.end]).toEqual([own!.start, own!.end]);
      }
    }),
    { numRuns: 40 },
  );
});

type House = { readonly id: string; readonly title: string };
const house = (n: number, title = `House ${n}`): House => ({ id: idOf(n), title });

const NO_TEXTS = { currency: '', email: '', phone: '', zip_code: '', state: '', address: '', country: 'IE' };

/** A city that looks like the key of a coordinate, but must not be treated as one. */
const detailOf = ({ title }: House) =>
  JSON.stringify({
    ...NO_TEXTS,
    title,
    city: '"latitude":"7"',
    latitude: '53.2719400',
    longitude: '-0.5',
    facilities: [],
    photo: [],
    hotel_policy: [],
    payment_method: [],
  });
const summaryOf = ({ id, title }: House) =>
  JSON.stringify({ id, title, city: 'Ö', country: 'IE', thumbnail: null });

/** Writes the files of a list; every other detail is in a spool, the rest in the parts of the build before. */
function write(list: readonly House[], limits: typeof PART_LIMITS) {
  const [publicFolder, staging] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(publicFolder, PARTS_FOLDER), { recursive: true });
  const build = (isSpooled: (index: number) => boolean, last: readonly DetailPart[]) => {
    let spool = '';
    const sequence = list.map((one, index): RecordEntry => {
      const detail = detailOf(one);
      const detailBytes = Buffer.byteLength(detail);
      const made = {
        path: '',
        ...entry(one.id, 'IE', 'Ö', one.title, digestOf(detail)),
        summary: summaryOf(one),
        detailBytes,
      };
      if (!isSpooled(index)) return made;
      const offset = Buffer.byteLength(spool);
      spool += detail;
      return { ...made, spooled: { spool: 3, offset, length: detailBytes } };
    });
    writeFileSync(join(staging, 'details-3'), spool);
    const columns = sequenceColumns(sequence);
    const reader = createDetailReader({
      ...{ publicFolder, staging, columns, spooled: spoolLocationsOf(sequence), lastParts: last },
      summaries: joinSummaries(sequence.map(({ summary }) => summary)),
    });
    const order = orderOf(sequence);
    const parts = divide(columns, order, limits).map((part) => writePart(publicFolder, reader, part, order));
    const downloads = writeDownloads(
      publicFolder,
      reader,
      downloadInputsDigest(columns, true, limits)!,
      list.length,
    );
    reader.close();
    return { parts, downloads };
  };
  const first = build(() => true, []);
  const second = build((index) => index % 2 === 1, first.parts);
  expect(second).toEqual(first);
  const bytesAt = (key: string) => readFileSync(join(publicFolder, key));
  return {
    ...first,
    inParts: first.parts.map(({ digest }) => bytesAt(partKey(digest))),
    bytes: first.downloads!.files.map(({ key }) => bytesAt(key)),
  };
}

/** The content of the downloads, computed directly from the properties and read by other programs. */
function expectFiles(list: readonly House[], [ndjson, geojson, csv]: readonly Buffer[]) {
  expect(ndjson!.toString()).toBe(list.map(lineOf).join(''));
  const { type, features } = JSON.parse(geojson!.toString()) as { type: string; features: unknown[] };
  expect(type).toBe('FeatureCollection');
  expect(features).toEqual(
    list.map((one) => ({
      type: 'Feature',
      id: one.id,
      geometry: { type: 'Point', coordinates: [-0.5, 53.27194] },
      properties: JSON.parse(summaryOf(one)),
    })),
  );
  const rows = parse(csv!, { columns: true, recordDelimiter: '\r\n' }) as Record<string, string>[];
  expect(rows.map(({ id, title, latitude }) => ({ id, title: title!.replace(/^'/, ''), latitude }))).toEqual(
    list.map(({ id, title }) => ({ id, title: title.replace(/^'/, ''), latitude: '53.2719400' })),
  );
}

const lineOf = (one: House) => `{"id":"${one.id}",${detailOf(one).slice(1)}\n`;

it.each([0, 1, 2, 700, 2100])('the files of %i properties are the expected ones', (count) => {
  const limits = { download: 1, part: 30_000 };
  const list = Array.from({ length: count }, (_, n) => house(n, n % 9 === 0 ? '=1+1, "Ü"' : undefined));
  const { parts, downloads, inParts, bytes } = write(list, limits);
  expectFiles(list, bytes);
  // Coordinates are as typed: no digit is lost or added.
  if (count > 0) expect(bytes[1]!.toString()).toContain('[-0.5,53.2719400]');
  expect(downloads!.files.map(({ key }) => key)).toEqual(DOWNLOAD_KEYS);
  const sorted = list.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  expect(Buffer.concat(inParts).toString()).toBe(sorted.map(lineOf).join(''));
  expect(parts.length > 1).toBe(count >= 700);
  for (const [index, body] of bytes.entries()) {
    const sha256 = createHash('sha256').update(body).digest('hex');
    expect(downloads!.files[index]).toMatchObject({ bytes: body.length, sha256 });
  }
  for (const [index, body] of inParts.entries()) {
    expect(parts[index]).toMatchObject({ bytes: body.length, digest: digestOf(body) });
    expect(body.length).toBeLessThanOrEqual(limits.part);
    const ids = [...body.toString().matchAll(/^\{"id":"([^"]+)/gm)].map(([, id]) => id!);
    for (const id of [ids[0]!, ids.at(-1)!]) expect(findDetailPart(parts, id)).toBe(parts[index]);
    expect(parts[index]!.from.length).toBeLessThan(9);
  }
});

it('an edit changes one part of the details, and an id that comes or goes at most two, with few exceptions', () => {
  const detail = (n: number, more = 0) => ({
    ...{
      id: idOf(n),
      country: 'IE',
      city: 'Cork',
      summaryDigest: '',
      detailDigest: digestOf(`${n} ${more}`),
    },
    detailBytes: 400 + (n % 3000) + more,
  });
  const partsOf = (sequence: ReturnType<typeof detail>[]) =>
    new Set(planParts(sequence, PART_LIMITS).map(({ inputs }) => inputs));
  const all = Array.from({ length: 6000 }, (_, n) => detail(n));
  const whole = partsOf(all);
  expect(whole.size).toBeGreaterThan(20);
  const isNew = (sequence: ReturnType<typeof detail>[]) =>
    [...partsOf(sequence)].filter((digest) => !whole.has(digest)).length;
  const edited: number[] = [];
  const moved: number[] = [];
  for (let n = 0; n < 100; n++) {
    edited.push(isNew(all.map((entry, place) => (place === n * 59 ? detail(place, 7) : entry))));
    moved.push(isNew([...all, detail(10_000 + n)]), isNew(all.filter((_, place) => place !== n * 59)));
  }
  expect(edited.filter((count) => count !== 1).length).toBeLessThanOrEqual(5);
  expect(moved.filter((count) => count > 2).length).toBeLessThanOrEqual(10);
  // The order of the sequence does not matter.
  expect(partsOf([...all].reverse())).toEqual(whole);
});
