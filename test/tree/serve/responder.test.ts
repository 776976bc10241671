/** Pages cut out of chunks: their content, their reads, and the answers when chunks are damaged or missing. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../../../src/targets/runtime/reply.ts';
import type { PlatformServices } from '../../../src/tree/serve/responder.ts';
import { pageText, type Summary, select } from '../../conformance/fixture.ts';
import { makeTree } from '../../conformance/tree.ts';
import { createBucket, cutOver, made, ordered, type TestBucket } from './bucket.ts';

const CATALOGUE = Array.from({ length: 1500 }, (_, index) => made(index));
const CURRENT = '_catalogue/current.json';

const bodyOf = ({ body }: Reply<Uint8Array>) =>
  typeof body === 'string' ? body : Buffer.from(body ?? []).toString();
const header = ({ headers }: Reply<unknown>, name: string) => headers.find(([key]) => key === name)?.[1];
const codeOf = (answer: Reply<Uint8Array>) => [
  answer.status,
  (JSON.parse(bodyOf(answer)) as { type?: string }).type?.split('#')[1],
];
const idsOf = (answer: Reply<Uint8Array>) =>
  (JSON.parse(bodyOf(answer)) as { data: Summary[] }).data.map(({ id }) => id);
const kindsOf = (reads: string[]) => reads.map((key) => key.split('/')[1]!);
const chunksOf = ({ files }: TestBucket) => [...files.keys()].filter((key) => key.includes('/chunks/'));

function damage({ files }: TestBucket, key: string): void {
  const bytes = Buffer.from(files.get(key)!);
  const at = bytes.length - 10;
  bytes[at] = bytes[at]! ^ 1;
  files.set(key, bytes);
}

describe('a page', () => {
  it('has the bytes that a scan of every property gives', async () => {
    const bucket = createBucket();
    const large = Array.from({ length: 4000 }, (_, index) => made(index));
    const release = bucket.release(large);
    expect(chunksOf(bucket).length).toBeGreaterThan(3);
    const { ask } = cutOver(bucket);
    const all = ordered(large);
    for (const country of [undefined, 'DE', 'FR', 'IE', 'XX']) {
      for (const city of [undefined, 'Cork', 'cork', '東京', '-', 'Ålesund', 'Atlantis']) {
        for (const [number, size] of [
          [1, 25],
          [2, 25],
          [3, 100],
          [40, 100],
          [41, 100],
          [999_999_999, 1],
        ] as const) {
          const filter = `${country ? `filter[country]=${country}&` : ''}${city ? `filter[city]=${encodeURIComponent(city)}&` : ''}`;
          const answer = await ask(`${filter}page[number]=${number}&page[size]=${size}`);
          expect(bodyOf(answer)).toBe(pageText(select(all, country, city), size, number));
          expect(header(answer, 'Catalogue-Release')).toBe(release);
          expect(header(answer, 'Vary')).toBe('Catalogue-Release');
        }
      }
    }
    expect(bucket.reports).toEqual([]);
  });

  it('is empty for an empty catalogue', async () => {
    const bucket = createBucket();
    bucket.release([]);
    const { ask } = cutOver(bucket);
    for (const query of ['', 'filter[country]=IE', 'filter[city]=Cork']) {
      expect(bodyOf(await ask(query))).toBe(pageText([], 25, 1));
    }
  });
});

describe('reading', () => {
  it('reads nothing twice, and nothing at all for a page that it has read before', async () => {
    const bucket = createBucket();
    bucket.release(CATALOGUE);
    for (const [query, kinds] of [
      ['', ['current.json', 'roots', 'chunks']],
      ['filter[country]=FR', ['current.json', 'roots', 'chunks']],
      ['filter[country]=XX', ['current.json', 'roots']],
      ['filter[city]=Atlantis', ['current.json', 'roots', 'cities']],
      // The start of the city is in the chunk before; the page may need the next one.
      ['filter[country]=FR&filter[city]=Paris', ['current.json', 'roots', 'cities', 'chunks']],
    ] as const) {
      bucket.reads.length = 0;
      const { ask } = cutOver(bucket);
      await ask(query);
      expect([...new Set(kindsOf(bucket.reads))]).toEqual(kinds);
      expect(new Set(bucket.reads).size).toBe(bucket.reads.length);
      expect(bucket.reads.length).toBeLessThanOrEqual(kinds.length + 1);
      bucket.reads.length = 0;
      await ask(query);
      expect(bucket.reads).toEqual([]);
    }
  });

  it('shares its reads among simultaneous requests', async () => {
    const bucket = createBucket();
    bucket.release(CATALOGUE);
    const { ask } = cutOver(bucket);
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => ask('filter[city]=Cork&page[size]=100')),
    );
    expect(new Set(answers.map(bodyOf)).size).toBe(1);
    expect(new Set(bucket.reads).size).toBe(bucket.reads.length);
  });

  it('reads no chunk when the client has the current page', async () => {
    const bucket = createBucket();
    bucket.release(CATALOGUE);
    const tag = header(await cutOver(bucket).ask('page[number]=3'), 'ETag')!;
    bucket.reads.length = 0;
    const answer = await cutOver(bucket).ask('page[number]=3', { ifNoneMatch: tag });
    expect([answer.status, answer.body]).toEqual([304, null]);
    expect(kindsOf(bucket.reads)).toEqual(['current.json', 'roots']);
  });

  it('stays within its memory limit', async () => {
    const bucket = createBucket();
    bucket.release(CATALOGUE);
    const { ask } = cutOver(bucket, { memory: 1 });
    await ask('');
    bucket.reads.length = 0;
    await ask('');
    expect(new Set(kindsOf(bucket.reads))).toEqual(new Set(['chunks']));
  });
});

describe('the entity tag', () => {
  const retitled = CATALOGUE.map((summary, index) => (index === 700 ? made(700, 'Zebra') : summary));

  it('stays the same in the next release unless the page changed', async () => {
    const bucket = createBucket();
    const { ask, clock } = cutOver(bucket, { caching: 'max-age=0' });
    const tagsAndBodies = async () => {
      const found: [tag: string, body: string][] = [];
      for (let number = 1; number <= 60; number++) {
        const answer = await ask(`page[number]=${number}`);
        found.push([header(answer, 'ETag')!, bodyOf(answer)]);
      }
      return found;
    };
    bucket.release(CATALOGUE);
    const before = await tagsAndBodies();
    bucket.release(retitled);
    clock.now += 1;
    const after = await tagsAndBodies();
    expect(new Set(before.map(([tag]) => tag)).size).toBe(60);
    const changed = before.filter(([tag, body], index) => {
      if (body !== after[index]![1]) expect(after[index]![0]).not.toBe(tag);
      return after[index]![0] !== tag;
    });
    expect(before.filter(([, body], index) => body !== after[index]![1]).length).toBeGreaterThan(0);
    // At most the pages of one chunk of 60 pages change their tag.
    expect(changed.length).toBeLessThan(50);
    bucket.release([...CATALOGUE, made(5000)]);
    clock.now += 1;
    // Each page has the total.
    for (const [index, [tag]] of (await tagsAndBodies()).entries()) expect(tag).not.toBe(before[index]![0]);
  });

  it('is short when a page has parts of many chunks', async () => {
    const bucket = createBucket();
    bucket.release(CATALOGUE);
    const answer = await cutOver(bucket).ask('filter[city]=Paris&page[size]=100&page[number]=1');
    expect(header(answer, 'ETag')).toMatch(/^"[!#-~]{10,130}"$/);
  });
});

describe('damage', () => {
  it.each(['chunks', 'cities', 'roots'])(
    'of %s is reported, and never leads to a wrong list',
    async (kind) => {
      for (const isThere of [true, false]) {
        const bucket = createBucket();
        bucket.release(CATALOGUE);
        for (const key of [...bucket.files.keys()].filter((key) => key.includes(`/${kind}/`))) {
          if (isThere) damage(bucket, key);
          else bucket.files.delete(key);
        }
        const answer = await cutOver(bucket).ask('filter[country]=FR&filter[city]=Paris');
        expect(codeOf(answer)).toEqual([502, 'list-unavailable']);
        expect(header(answer, 'Cache-Control')).toBe('no-store');
        expect(bucket.reports.join()).toMatch(isThere ? /is damaged/ : /There is no _catalogue/);
      }
    },
  );

  it.each(['', '{', '{"version":2}', 'null'])(
    'of the files that name the release is reported: %s',
    async (text) => {
      const bucket = createBucket();
      bucket.release(CATALOGUE);
      bucket.files.set(CURRENT, Buffer.from(text));
      expect(codeOf(await cutOver(bucket).ask(''))).toEqual([502, 'list-unavailable']);
      bucket.files.delete(CURRENT);
      expect(codeOf(await cutOver(bucket).ask(''))).toEqual([502, 'list-unavailable']);
    },
  );

  it('in a cache is repaired from the bucket', async () => {
    const bucket = createBucket();
    bucket.release(CATALOGUE);
    const platform: PlatformServices = {
      ...bucket,
      read: async (key, isDoubted) => {
        const bytes = await bucket.read(key, isDoubted);
        return isDoubted || !bytes || key === CURRENT ? bytes : bytes.fill(0x20);
      },
    };
    expect(idsOf(await cutOver(platform).ask(''))).toHaveLength(25);
  });

  it('is not remembered', async () => {
    const bucket = createBucket();
    bucket.release(CATALOGUE);
    const whole = new Map(bucket.files);
    for (const key of chunksOf(bucket)) bucket.files.delete(key);
    const { ask } = cutOver(bucket);
    expect((await ask('')).status).toBe(502);
    for (const [key, bytes] of whole) bucket.files.set(key, bytes);
    expect((await ask('')).status).toBe(200);
  });
});

describe('the current release', () => {
  const next = [...CATALOGUE, made(9001)];
  const total = async (answer: Promise<Reply<Uint8Array>>) =>
    (JSON.parse(bodyOf(await answer)) as { meta: { pagination: { total_entries: number } } }).meta.pagination
      .total_entries;

  it('is kept for a while, then read again', async () => {
    const bucket = createBucket();
    bucket.release(CATALOGUE);
    const { ask, clock } = cutOver(bucket, { caching: 'public, max-age=5' });
    expect(await total(ask(''))).toBe(1500);
    bucket.release(next);
    clock.now += 4999;
    expect(await total(ask(''))).toBe(1500);
    clock.now += 2;
    expect(await total(ask(''))).toBe(1501);
  });

  it('is served once more during the next read when the platform can work in the background', async () => {
    const bucket = createBucket();
    bucket.release(CATALOGUE);
    const work: Promise<unknown>[] = [];
    const platform = { ...bucket, later: (promise: Promise<unknown>) => work.push(promise) };
    const { ask, clock } = cutOver(platform, { caching: 'max-age=5, stale-while-revalidate=60' });
    await ask('');
    bucket.release(next);
    clock.now += 20_000;
    expect(await total(ask(''))).toBe(1500);
    await Promise.all(work);
    expect(await total(ask(''))).toBe(1501);
    bucket.release(CATALOGUE);
    clock.now += 100_000;
    expect(await total(ask(''))).toBe(1500);
  });

  it('is served for a while when the next read fails', async () => {
    const bucket = createBucket();
    bucket.release(CATALOGUE);
    const { ask, clock } = cutOver(bucket, { caching: 'max-age=5, stale-if-error=60' });
    await ask('');
    bucket.files.set(CURRENT, Buffer.from('{'));
    clock.now += 30_000;
    expect(await total(ask(''))).toBe(1500);
    bucket.reads.length = 0;
    // A failed read is not repeated with each request.
    await ask('');
    expect(bucket.reads).toEqual([]);
    clock.now += 60_000;
    expect((await ask('')).status).toBe(502);
  });

  it('is replaced when it was pruned while it was held', async () => {
    const bucket = createBucket();
    bucket.release(CATALOGUE);
    const { ask } = cutOver(bucket, { memory: 1 });
    await ask('');
    const old = chunksOf(bucket);
    bucket.release(next.map(({ id, ...rest }) => ({ id, ...rest, title: `New ${rest.title}` })));
    for (const key of old) bucket.files.delete(key);
    expect(await total(ask(''))).toBe(1501);
  });
});

describe('a requested release', () => {
  it('is served as long as its root is kept', async () => {
    const bucket = createBucket();
    const first = bucket.release(CATALOGUE);
    const { ask, clock } = cutOver(bucket, { caching: 'max-age=5', memory: 1 });
    const before = bodyOf(await ask('page[number]=2'));
    const second = bucket.release(CATALOGUE.slice(100));
    clock.now += 10_000;
    const pinned = await ask('page[number]=2', { release: first });
    expect([bodyOf(pinned), header(pinned, 'Catalogue-Release')]).toEqual([before, first]);
    expect(header(await ask('page[number]=2'), 'Catalogue-Release')).toBe(second);
    expect(header(await ask('page[number]=2', { release: second }), 'Catalogue-Release')).toBe(second);
    bucket.files.delete(`_catalogue/roots/${first}.json`);
    expect(codeOf(await ask('page[number]=2', { release: first }))).toEqual([410, 'release-gone']);
    expect(bucket.reports).toEqual([]);
  });

  it('is gone a minute after it was pruned, even when all of it is in memory (A3)', async () => {
    const bucket = createBucket();
    const first = bucket.release(CATALOGUE);
    const { ask, clock } = cutOver(bucket);
    bucket.release(CATALOGUE.slice(100));
    expect((await ask('page[number]=2', { release: first })).status).toBe(200);
    bucket.files.delete(`_catalogue/roots/${first}.json`);
    clock.now += 60_000;
    expect(codeOf(await ask('page[number]=2', { release: first }))).toEqual([410, 'release-gone']);
  });

  it.each(['0'.repeat(32), 'x', '../current', `${'a'.repeat(31)}G`, 'A'.repeat(32), '*'])(
    'is gone when it never existed: %s',
    async (release) => {
      const bucket = createBucket();
      bucket.release(CATALOGUE);
      expect(codeOf(await cutOver(bucket).ask('', { release }))).toEqual([410, 'release-gone']);
      expect(bucket.reads.every((key) => /^_catalogue\/roots\/[0-9a-f]{32}\.json$/.test(key))).toBe(true);
    },
  );

  it('is damaged when its name is wrong', async () => {
    const bucket = createBucket();
    const first = bucket.release(CATALOGUE);
    const name = 'f'.repeat(32);
    bucket.files.set(`_catalogue/roots/${name}.json`, bucket.files.get(`_catalogue/roots/${first}.json`)!);
    expect(codeOf(await cutOver(bucket).ask('', { release: name }))).toEqual([502, 'list-unavailable']);
  });
});

describe('a detail', () => {
  const detailsOf = (summaries: readonly Summary[]) =>
    new Map(summaries.map(({ id, title }) => [id, JSON.stringify({ title, id: `not ${id}` })]));
  const fill = (bucket: TestBucket, summaries = CATALOGUE) => {
    const tree = makeTree(ordered(summaries), detailsOf(summaries));
    for (const [key, bytes] of tree.files) bucket.files.set(key, bytes);
    return tree.release;
  };
  const parts = ({ files }: TestBucket) => [...files.keys()].filter((key) => key.includes('/parts/'));

  it('takes two reads beside current.json, and is revalidated', async () => {
    const bucket = createBucket();
    fill(bucket);
    for (const id of [CATALOGUE[0]!.id, CATALOGUE[7]!.id, [...detailsOf(CATALOGUE).keys()].sort().at(-1)!]) {
      bucket.reads.length = 0;
      const { detail } = cutOver(bucket);
      const answer = await detail(id);
      expect([answer.status, bodyOf(answer)]).toEqual([200, detailsOf(CATALOGUE).get(id)]);
      expect(kindsOf(bucket.reads)).toEqual(['current.json', 'roots', 'parts']);
      const again = await detail(id, { ifNoneMatch: header(answer, 'ETag')! });
      expect([again.status, again.body]).toEqual([304, null]);
    }
  });

  it('is absent only when neither the live release nor one before it has it', async () => {
    const bucket = createBucket();
    fill(bucket, CATALOGUE.slice(1));
    const { detail } = cutOver(bucket, { caching: 'max-age=500' });
    const { id } = CATALOGUE[0]!;
    expect(codeOf(await detail(id))).toEqual([404, 'property-not-found']);
    const [live, text] = [
      bucket.files.get(CURRENT)!,
      (before: string[]) => ({ ...JSON.parse(`${live}`), before }),
    ];
    const earlier = fill(bucket);
    bucket.files.set(CURRENT, Buffer.from(JSON.stringify(text([earlier]))));
    expect(JSON.parse(bodyOf(await detail(id)))).toMatchObject({ id: `not ${id}` });
    bucket.files.set(CURRENT, Buffer.from(JSON.stringify(text(['f'.repeat(32)]))));
    expect(codeOf(await detail(id))).toEqual([404, 'property-not-found']);
    bucket.files.set(CURRENT, live);
    // A list of a release that this reader has not seen yet may name it.
    fill(bucket);
    expect((await detail(id)).status).toBe(200);
  });

  it('is never absent because its part is missing or damaged', async () => {
    for (const damage of [undefined, Buffer.from('{}')]) {
      const bucket = createBucket();
      fill(bucket);
      for (const key of parts(bucket)) {
        if (damage) bucket.files.set(key, damage);
        else bucket.files.delete(key);
      }
      expect(codeOf(await cutOver(bucket).detail(CATALOGUE[0]!.id))).toEqual([502, 'list-unavailable']);
    }
  });

  it('comes from a release before the live one where the cached release is gone', async () => {
    const bucket = createBucket();
    fill(bucket);
    const { detail } = cutOver(bucket, { caching: 'max-age=500' });
    expect((await detail(CATALOGUE[1]!.id)).status).toBe(200);
    const [id, earlier] = [CATALOGUE[0]!.id, fill(bucket)];
    fill(bucket, CATALOGUE.slice(1));
    const current = JSON.parse(`${bucket.files.get(CURRENT)}`);
    bucket.files.set(CURRENT, Buffer.from(JSON.stringify({ ...current, before: [earlier] })));
    let isFailing = true;
    const { get } = bucket.files;
    bucket.files.get = (key) => {
      const fails = isFailing && key.includes('/parts/');
      if (fails) isFailing = false;
      return fails ? undefined : get.call(bucket.files, key);
    };
    expect((await detail(id)).status).toBe(200);
  });

  it.each(['root', 'current.json'])(
    'is refused, as is every page, where the %s has another version',
    async (of) => {
      const bucket = createBucket();
      const root = `_catalogue/roots/${fill(bucket)}.json`;
      const other = (key: string) =>
        Buffer.from(bucket.files.get(key)!.toString().replace('"version":3', '"version":4'));
      if (of === 'root') {
        const bytes = other(root);
        const release = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
        bucket.files.set(`_catalogue/roots/${release}.json`, bytes);
        bucket.files.set(CURRENT, Buffer.from(JSON.stringify({ version: 3, release })));
      } else bucket.files.set(CURRENT, other(CURRENT));
      const { ask, detail } = cutOver(bucket);
      for (const answer of [await detail(CATALOGUE[0]!.id), await ask('')])
        expect(codeOf(answer)).toEqual([502, 'list-unavailable']);
    },
  );
});
