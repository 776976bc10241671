/** The downloads have the bytes of a clean build after any change. */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputFolder } from '../../../src/build/output-folder.ts';
import { openThreads } from '../../../src/build/threads/pool.ts';
import type { Limits, WrittenPart } from '../../../src/build/write/bulk-chunks.ts';
import { startDownloads } from '../../../src/build/write/downloads.ts';
import { configurationSchema } from '../../../src/contract/configuration.ts';
import { DOWNLOAD_KEYS, partKey } from '../../../src/contract/document-keys.ts';
import { propertyKey } from '../../../src/contract/keys.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { joinSummaries } from '../../../src/release/sequence.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const KEYS = ['properties.ndjson', 'properties.ndjson.gz', 'properties.geojson', 'properties.csv'];

type House = { id: string; title: string };
const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
const house = (n: number, title = `House ${n}`): House => ({ id: idOf(n), title });
const houses = (count: number) => Array.from({ length: count }, (_, n) => house(n));

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

function createFolder(limits?: Limits) {
  const root = temporaryFolder();
  mkdirSync(join(root, 'public/_catalogue/properties'), { recursive: true });
  const folder = outputFolder(root);
  return {
    path: (key: string) => join(folder.public, key),
    /** The bytes of each download, of all parts in order. */
    read: (parts: readonly WrittenPart[]) =>
      DOWNLOAD_KEYS.map((_, place) =>
        parts.map(({ files }) => readFileSync(join(folder.public, files[place]!.key))),
      ),
    /** Publishes the details, all or some, and writes the files. */
    async write(
      list: House[],
      last?: readonly WrittenPart[],
      published = list,
    ): Promise<readonly WrittenPart[]> {
      for (const one of published) writeFileSync(join(folder.public, propertyKey(one.id)), detailOf(one));
      const sequence = list.map((one) => ({
        id: one.id,
        country: 'IE',
        city: 'Ö',
        sortKey: '',
        summary: summaryOf(one),
        summaryDigest: digestOf(summaryOf(one)),
        detailDigest: digestOf(detailOf(one)),
        detailBytes: Buffer.byteLength(detailOf(one)),
        latitude: 0,
        longitude: 0,
      }));
      const summaries = joinSummaries(sequence.map(({ summary }) => summary));
      const configuration = configurationSchema.parse({ base_url: 'https://stays.example' });
      const catalogue = { configuration, sequence, summaries, fresh: new Map(), folder, last, limits };
      const { count, finish } = startDownloads({ ...catalogue, threads: openThreads(1) });
      const { parts = [] } = await finish();
      expect(count).toBe(parts.length * KEYS.length);
      return parts;
    },
  };
}

type Written = readonly Buffer[];

/** The content of the downloads, computed directly from the properties and read by other programs. */
function expectFiles(list: readonly House[], [ndjson, gzip, geojson, csv]: readonly Written[]) {
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

const SMALL: Limits = { above: 1000, part: 30_000 };
const BOTH: [string, Limits | undefined][] = [
  ['one file each', undefined],
  ['parts', SMALL],
];

describe.each(BOTH)('in %s', (_what, limits) => {
  it.each([0, 1, 2, 700])('the files of %i properties are the expected ones', async (count) => {
    const folder = createFolder(limits);
    const list = houses(count);
    const parts = await folder.write(list);
    expect(parts.length > 1).toBe(limits !== undefined && count === 700);
    expectFiles(list, folder.read(parts));
    // Coordinates are as typed: no digit is lost or added.
    if (count > 0) expect(folder.read(parts)[2]![0]!.toString()).toContain('[-0.5,53.2719400]');
    for (const [place, name] of DOWNLOAD_KEYS.entries()) {
      for (const [index, { files }] of parts.entries()) {
        const { key, bytes, sha256 } = files[place]!;
        const body = folder.read(parts)[place]![index]!;
        expect({ bytes, sha256 }).toEqual({
          bytes: body.length,
          sha256: createHash('sha256').update(body).digest('hex'),
        });
        expect(key).toBe(
          parts.length === 1 && (!limits || count < 3) ? name : partKey(name, sha256.slice(0, 32)),
        );
        if (limits) expect(bytes).toBeLessThanOrEqual(limits.part);
      }
    }
    expect(parts.reduce((sum, { properties }) => sum + properties, 0)).toBe(count);
  });

  it('a build after another one gives the bytes of a clean build', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const folder = createFolder(limits);
        const before = await folder.write(houses(260));
        const list = houses(260);
        for (const { kind, at, text } of changes) {
          if (kind === 'title') list[at % list.length] = { ...list[at % list.length]!, title: text };
          else if (kind === 'remove') list.splice(at % list.length, 1);
          else list.splice(at, 0, house(10_000 + at, text));
        }
        const unique = [...new Map(list.map((one) => [one.id, one])).values()];
        const after = await folder.write(unique, before);
        const clean = createFolder(limits);
        expect(await clean.write(unique)).toEqual(after);
        expect(clean.read(after)).toEqual(folder.read(after));
        expectFiles(unique, folder.read(after));
      }),
      { numRuns: 4 },
    );
  });

  it('a build after another one reads no detail of an unchanged chunk', async () => {
    const folder = createFolder(limits);
    const before = await folder.write(houses(700));
    rmSync(folder.path('_catalogue/properties'), { recursive: true });
    mkdirSync(folder.path('_catalogue/properties'));
    const list = [...houses(700), house(9999)];
    // Only the last chunk contains the new property.
    const after = await folder.write(list, before, list.slice(-256));
    const digests = (parts: readonly WrittenPart[]) =>
      parts.flatMap(({ chunks }) => chunks.map(([digest]) => digest));
    expect(digests(after).slice(0, -1)).toEqual(digests(before).slice(0, -1));
  });

  it('a build replaces a file whose length changed', async () => {
    for (const place of KEYS.keys()) {
      const folder = createFolder(limits);
      const parts = await folder.write(houses(200));
      const list = [...houses(200), house(9999)];
      const { key } = parts.at(-1)!.files[place]!;
      appendFileSync(folder.path(key), 'x');
      expectFiles(list, folder.read(await folder.write(list, parts)));
      rmSync(folder.path(key), { force: true });
      expectFiles(list, folder.read(await folder.write(list, parts)));
    }
  });
});

const change = fc.record({
  kind: fc.constantFrom('title', 'remove', 'add'),
  at: fc.nat(259),
  text: fc.string({ maxLength: 9 }).map((text) => text.replaceAll('\0', '')),
});
