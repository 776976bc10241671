/** The downloads have the expected bytes, and a change of one property changes few parts. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordEntry } from '../../../src/build/read/record.ts';
import { createPropertyReader, detailPlaces } from '../../../src/build/write/details.ts';
import { divideDownloads as divide, LIMITS, writePart } from '../../../src/build/write/downloads.ts';
import { DOWNLOAD_KEYS, partKey } from '../../../src/contract/document-keys.ts';
import { PARTS_FOLDER, PROPERTIES_FOLDER, propertyKey } from '../../../src/contract/object-keys.ts';
import { columnsOf } from '../../../src/release/columns.ts';
import type { Comparable } from '../../../src/release/comparison.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { type Entry, joinSummaries, toSequence } from '../../../src/release/sequence.ts';
import { orderOfIds } from '../../../src/release/sorted-ids.ts';
import { entry } from '../../release/made-up-sequence.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const COUNT = 5000;
const SMALL = { whole: 16_000, part: 400_000, details: 400_000 };

/** Random ids, the same in every run. */
const idOf = (n: number): string => {
  const hex = digestOf(String(n));
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
const made = (n: number, title = `House ${n}`, bytes = 600): Entry => ({
  ...entry(idOf(n), 'IE', 'Cork', title, digestOf(title)),
  detailBytes: bytes + title.length,
});
const divideDownloads = (
  sequence: readonly (Comparable & { readonly detailBytes: number })[],
  limits?: typeof LIMITS,
  order?: Uint32Array,
) => divide(columnsOf(sequence), limits, order);
const many = (count: number) => toSequence(Array.from({ length: count }, (_, n) => made(n)));
const linesOf = (members: readonly Entry[]) =>
  members.reduce((sum, { detailBytes }) => sum + detailBytes + 45, 0);
/** Those of the second list that are absent from the first. */
const fresh = <Item extends { digest: string }>(before: readonly Item[], after: readonly Item[]) => {
  const known = new Set(before.map(({ digest }) => digest));
  return after.filter(({ digest }) => !known.has(digest));
};

const before = many(COUNT);
const divided = divideDownloads(before, SMALL);

describe('the downloads', () => {
  it('are in one part up to a size', () => {
    expect(LIMITS).toEqual({ whole: 1_000_000, part: 96_000, details: 800_000 });
    const whole = linesOf(before);
    expect(divideDownloads(before, { ...SMALL, whole })).toMatchObject([
      { start: 0, end: COUNT, isWhole: true },
    ]);
    expect(divideDownloads(before, { ...SMALL, whole: whole - 1 })[0]!.isWhole).toBe(false);
    expect(divideDownloads([])).toMatchObject([{ start: 0, end: 0, isWhole: true }]);
  });

  it('are covered by their parts in order, and no part is too large, however large a property is', () => {
    const sizes = fc.array(fc.constantFrom(100, 1000, 30_000, 399_000, 500_000), {
      minLength: 300,
      maxLength: 300,
    });
    fc.assert(
      fc.property(sizes, (bytes) => {
        const sequence = toSequence(bytes.map((one, n) => made(n, `House ${n}`, one)));
        const parts = divideDownloads(sequence, SMALL);
        expect(parts.map(({ start }) => start)).toEqual([0, ...parts.map(({ end }) => end).slice(0, -1)]);
        expect(parts.at(-1)!.end).toBe(sequence.length);
        for (const { start, end } of parts)
          expect(end - start === 1 || linesOf(sequence.slice(start, end)) <= SMALL.part).toBe(true);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a change', () => {
  it('of one title changes one part, or divides it', () => {
    expect(divided.length).toBeGreaterThan(8);
    const place = fc.nat(COUNT - 1);
    fc.assert(
      fc.property(place, fc.constantFrom(1, 250, SMALL.part), (place, length) => {
        const { detailBytes } = before[place]!;
        // Its place in the sequence stays: a moved title would be a removal and an insertion.
        const longer = {
          ...before[place]!,
          detailDigest: digestOf('new'),
          detailBytes: detailBytes + length,
        };
        const after = divideDownloads(before.with(place, longer), SMALL);
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

  it('that moves a property changes two parts, or a few more where it ended one or one becomes too large', () => {
    fc.assert(
      fc.property(fc.nat(COUNT - 1), fc.nat(100_000), (place, other) => {
        const moved = { ...before[place]!, title: made(other).title };
        const after = divideDownloads(toSequence(before.with(place, moved)), SMALL);
        expect(fresh(divided, after).length).toBeLessThanOrEqual(4);
      }),
      { numRuns: 30 },
    );
  });
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

/** Writes the files of a list; every other detail is in a spool, the rest is published. */
function write(list: readonly House[], limits?: typeof LIMITS) {
  const [root, staging] = [temporaryFolder(), temporaryFolder()];
  for (const key of [PROPERTIES_FOLDER, PARTS_FOLDER]) mkdirSync(join(root, key), { recursive: true });
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
    if (index % 2 === 0) writeFileSync(join(root, propertyKey(one.id)), detail);
    else {
      const offset = Buffer.byteLength(spool);
      spool += detail;
      return { ...made, staged: { spool: 3, offset, length: detailBytes } };
    }
    return made;
  });
  writeFileSync(join(staging, 'details-3'), spool);
  const summaries = joinSummaries(sequence.map(({ summary }) => summary));
  const places = detailPlaces(sequence);
  const columns = columnsOf(sequence);
  const reader = createPropertyReader({ root, staging, columns, summaries, places });
  const parts = divideDownloads(sequence, limits).map((part) => writePart(root, reader, part));
  reader.close();
  return {
    parts,
    bytes: DOWNLOAD_KEYS.map((_, place) =>
      parts.map(({ files }) => readFileSync(join(root, files[place]!.key))),
    ),
  };
}

/** The content of the downloads, computed directly from the properties and read by other programs. */
function expectFiles(list: readonly House[], bytes: readonly (readonly Buffer[])[]) {
  const [ndjson, gzip, geojson, csv] = bytes;
  const lines = list.map((one) => `{"id":"${one.id}",${detailOf(one).slice(1)}\n`).join('');
  expect(Buffer.concat(ndjson!).toString()).toBe(lines);
  expect(gunzipSync(Buffer.concat(gzip!)).toString()).toBe(lines);
  for (const [index, part] of gzip!.entries()) expect(gunzipSync(part).equals(ndjson![index]!)).toBe(true);
  const collections = geojson!.map(
    (part) => JSON.parse(part.toString()) as { type: string; features: unknown[] },
  );
  expect(new Set(collections.map(({ type }) => type))).toEqual(new Set(['FeatureCollection']));
  expect(collections.flatMap(({ features }) => features)).toEqual(
    list.map((one) => ({
      type: 'Feature',
      id: one.id,
      geometry: { type: 'Point', coordinates: [-0.5, 53.27194] },
      properties: JSON.parse(summaryOf(one)),
    })),
  );
  const rows = parse(Buffer.concat(csv!), { columns: true, recordDelimiter: '\r\n' }) as Record<
    string,
    string
  >[];
  expect(rows.map(({ id, title, latitude }) => ({ id, title: title!.replace(/^'/, ''), latitude }))).toEqual(
    list.map(({ id, title }) => ({ id, title: title.replace(/^'/, ''), latitude: '53.2719400' })),
  );
}

describe.each([
  ['one file each', undefined],
  ['parts', { whole: 1000, part: 30_000, details: 30_000 }],
])('in %s', (_what, limits) => {
  it.each([0, 1, 2, 700])('the files of %i properties are the expected ones', (count) => {
    const list = Array.from({ length: count }, (_, n) => house(n, n % 9 === 0 ? '=1+1, "Ü"' : undefined));
    const { parts, bytes } = write(list, limits);
    expect(parts.length > 1).toBe(limits !== undefined && count === 700);
    expectFiles(list, bytes);
    // Coordinates are as typed: no digit is lost or added.
    if (count > 0) expect(bytes[2]![0]!.toString()).toContain('[-0.5,53.2719400]');
    for (const [place, name] of DOWNLOAD_KEYS.entries()) {
      for (const [index, { files }] of parts.entries()) {
        const body = bytes[place]![index]!;
        const sha256 = createHash('sha256').update(body).digest('hex');
        const key = parts.length === 1 ? name : partKey(name, sha256.slice(0, 32));
        expect(files[place]).toEqual({ key, bytes: body.length, sha256 });
      }
      if (limits) for (const body of bytes[0]!) expect(body.length).toBeLessThanOrEqual(limits.part);
    }
    expect(parts.reduce((sum, { properties }) => sum + properties, 0)).toBe(count);
  });
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
    new Set(divideDownloads(sequence, LIMITS, orderOfIds(columnsOf(sequence))).map(({ digest }) => digest));
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
