/** The downloads: whatever changed since the last build, their bytes are those of a clean one. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chunksOf, type WrittenChunk } from '../../../src/build/write/bulk-chunks.ts';
import { type BulkResult, type StagedDetails, writeBulk } from '../../../src/build/write/bulk-files.ts';
import { propertyKey } from '../../../src/contract/keys.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { documentDigest } from '../../../src/release/manifest.ts';
import { joinSummaries } from '../../../src/release/sequence.ts';

const KEYS = ['properties.ndjson', 'properties.ndjson.gz', 'properties.geojson'];

type House = { id: string; title: string };
const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
const house = (n: number, title = `House ${n}`): House => ({ id: idOf(n), title });
const houses = (count: number) => Array.from({ length: count }, (_, n) => house(n));

/** A title that looks like the key of a coordinate: it must not be taken for one. */
const detailOf = ({ title }: House) =>
  JSON.stringify({
    title,
    city: '"latitude":"7"',
    latitude: '53.2719400',
    longitude: '-0.5',
    facilities: [],
  });
const summaryOf = ({ id, title }: House) =>
  JSON.stringify({ id, title, city: 'Ö', country: 'IE', thumbnail: null });

function createFolder() {
  const root = mkdtempSync(join(tmpdir(), 'catalogue-bulk-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, '_catalogue/properties'), { recursive: true });
  return {
    path: (key: string) => join(root, key),
    read: () => KEYS.map((key) => readFileSync(join(root, key))),
    /** Publishes the details, all or some, and writes the files. */
    write(list: House[], written: readonly WrittenChunk[] = [], published = list): BulkResult {
      for (const one of published) writeFileSync(join(root, propertyKey(one.id)), detailOf(one));
      const nothing = list.length;
      const staged: StagedDetails = {
        spools: [],
        spool: new Int32Array(nothing).fill(-1),
        offset: new Float64Array(nothing),
        length: new Int32Array(nothing),
      };
      const sequence = list.map((one) => ({
        id: one.id,
        country: 'IE',
        city: 'Ö',
        summary: summaryOf(one),
        summaryDigest: digestOf(summaryOf(one)),
        detailDigest: digestOf(detailOf(one)),
      }));
      const summaries = joinSummaries(sequence.map(({ summary }) => summary));
      const staging = join(root, 'staging');
      const task = { root, staging, summaries, staged, chunks: chunksOf(sequence), written };
      const result = writeBulk(task);
      for (const key of KEYS) renameSync(join(staging, key), join(root, key));
      return result;
    },
  };
}

describe('the files', () => {
  it.each([0, 1, 2, 700])('of %i properties are what they should be', (count) => {
    const folder = createFolder();
    const list = houses(count);
    const { documents, parts } = folder.write(list);
    const [ndjson, gzip, geojson] = folder.read() as [Buffer, Buffer, Buffer];
    expect(ndjson.toString()).toBe(
      list.map((one) => `{"id":"${one.id}",${detailOf(one).slice(1)}\n`).join(''),
    );
    expect(gunzipSync(gzip).equals(ndjson)).toBe(true);
    expect(JSON.parse(geojson.toString())).toEqual({
      type: 'FeatureCollection',
      features: list.map((one) => ({
        type: 'Feature',
        id: one.id,
        geometry: { type: 'Point', coordinates: [-0.5, 53.27194] },
        properties: JSON.parse(summaryOf(one)),
      })),
    });
    // As typed: no digit is lost or added.
    if (count > 0) expect(geojson.toString()).toContain('[-0.5,53.2719400]');
    expect(documents).toEqual(
      KEYS.map((key, place) => [key, documentDigest({ parts }, key, folder.read()[place]!)]),
    );
    for (const [place, key] of KEYS.entries()) {
      expect(parts[key]!.reduce((sum, length) => sum + length, 0)).toBe(folder.read()[place]!.length);
    }
  });

  it('are in several chunks, which do not move when a property comes or goes', () => {
    const folder = createFolder();
    const before = folder.write(houses(700)).chunks;
    expect(before.length).toBeGreaterThan(5);
    const fewer = folder.write(houses(700).filter((_, index) => index !== 350)).chunks;
    const known = new Set(before.map(([digest]) => digest));
    expect(fewer.filter(([digest]) => !known.has(digest))).toHaveLength(1);
  });
});

describe('a build after another', () => {
  const change = fc.record({
    kind: fc.constantFrom('title', 'remove', 'add'),
    at: fc.nat(259),
    text: fc.string({ maxLength: 9 }),
  });

  it('gives the bytes of a clean one', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const folder = createFolder();
        const { chunks } = folder.write(houses(260));
        const list = houses(260);
        for (const { kind, at, text } of changes) {
          if (kind === 'title') list[at % list.length] = { ...list[at % list.length]!, title: text };
          else if (kind === 'remove') list.splice(at % list.length, 1);
          else list.splice(at, 0, house(10_000 + at, text));
        }
        const unique = [...new Map(list.map((one) => [one.id, one])).values()];
        const result = folder.write(unique, chunks, unique);
        const clean = createFolder();
        expect(clean.write(unique)).toEqual(result);
        expect(folder.read()).toEqual(clean.read());
      }),
      { numRuns: 16 },
    );
  });

  it('reads no detail of a chunk that stays', () => {
    const folder = createFolder();
    const { chunks } = folder.write(houses(700));
    rmSync(folder.path('_catalogue/properties'), { recursive: true });
    mkdirSync(folder.path('_catalogue/properties'));
    const list = [...houses(700), house(9999)];
    // The last chunk is the only one that the new property is in.
    const last = chunksOf(
      list.map((one) => ({ ...one, country: '', city: '', summaryDigest: '', detailDigest: '' })),
    );
    const result = folder.write(list, chunks, list.slice(last.at(-1)!.start));
    expect(result.chunks.slice(0, -1)).toEqual(chunks.slice(0, -1));
  });

  it('makes everything again when the files are not as long as they were', () => {
    for (const key of KEYS) {
      const folder = createFolder();
      const { chunks } = folder.write(houses(200));
      const before = folder.read();
      appendFileSync(folder.path(key), 'x');
      folder.write(houses(200), chunks);
      expect(folder.read()).toEqual(before);
      rmSync(folder.path(key));
      folder.write(houses(200), chunks);
      expect(statSync(folder.path(key)).size).toBe(before[KEYS.indexOf(key)]!.length);
    }
  });
});
