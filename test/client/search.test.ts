/** The search of a client: its results are those of the oracle, and what it reads. */
import fc from 'fast-check';
import MiniSearch from 'minisearch';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSearch, type FileClient, SearchSizeError } from '../../src/client/search.ts';
import { NO_MATCH, ONE_TYPO, wordDistance, wordsOf } from '../../src/client/word-distance.ts';
import { encodeChunk, parseChunk } from '../../src/tree/format/chunk.ts';
import type { Workspace } from '../compile/workspace.ts';
import {
  clientOf,
  expectAgreement,
  type House,
  houses,
  housesInOrder,
  likeness,
  publish,
} from './search-oracle.ts';

const HOUSES = houses(1400);
let client: FileClient;
let workspace: Workspace;
let inOrder: House[];

beforeAll(async () => {
  ({ client, workspace } = await publish(HOUSES));
  inOrder = await housesInOrder(client, HOUSES);
});

describe('a search', () => {
  it('finds, orders and counts what the oracle does, for random queries', async () => {
    expect(new Set(inOrder).size).toBe(HOUSES.length);
    await expectAgreement(createSearch(client), inOrder, 400);
  });

  it('gives summaries with their places', async () => {
    const { data, release } = await createSearch(client)({ city: 'Galway', size: 1 });
    const { id, title, city, country, latitude, longitude } = inOrder.find((one) => one.city === 'Galway')!;
    expect(data).toEqual([{ id, title, city, country, thumbnail: null, latitude, longitude }]);
    expect(release).toMatch(/^[0-9a-f]{32}$/);
  });

  it('says what was meant where no name has the words', async () => {
    const search = createSearch(client);
    expect(await search({ text: 'rosee cotage' })).toMatchObject({ meant: 'rose cottage' });
    expect((await search({ text: 'rose cotage' })).meant).toBe('rose cottage');
    expect((await search({ text: 'rose cott' })).meant).toBeUndefined();
    expect(await search({ text: 'zzz' })).toMatchObject({ meant: undefined, total: 0, data: [] });
  });

  it('refuses a field that is no filter', async () => {
    await expect(createSearch(client)({ filter: { beds: { minimum: 1 } } })).rejects.toThrow(
      'No field beds is a filter.',
    );
  });

  it('says how much it would read before it reads it', async () => {
    const asked: string[] = [];
    const search = createSearch(clientOf(workspace.public, asked), { most: 500 });
    const error = await search({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SearchSizeError);
    expect(error).toMatchObject({ properties: 1400, bytes: 98_000 });
    expect(asked).toHaveLength(2);
    expect((await search({}, { most: 2000 })).total).toBe(1400);
    expect((await search({ country: 'XX' })).total).toBe(0);
  });

  it('reads the root before the first query, and asks again if that fails', async () => {
    const asked: string[] = [];
    createSearch(clientOf(workspace.public, asked));
    await expect.poll(() => asked.map((key) => key.split('/')[1])).toEqual(['current.json', 'roots']);
    let isDown = true;
    const client = clientOf(workspace.public);
    const search = createSearch({
      ...client,
      readRoot: (known) => (isDown ? Promise.reject(new Error('down')) : client.readRoot(known)),
    });
    await expect(search({})).rejects.toThrow('down');
    isDown = false;
    expect((await search({})).total).toBe(1400);
  });

  it('answers filters before it has read the names, and reads these for the first word', async () => {
    const asked: string[] = [];
    const search = createSearch(clientOf(workspace.public, asked));
    const countOf = (folder: string) => asked.filter((key) => key.includes(`/${folder}/`)).length;
    const filter = { bedrooms: { minimum: 1 } };
    const { total } = await search({ filter, size: 0 });
    const all = countOf('facets');
    expect([total > 0, all > 1, countOf('chunks')]).toEqual([true, true, 0]);
    expect((await search({ filter, size: 5 })).data).toHaveLength(5);
    await search({ text: 'rose' });
    expect([countOf('facets'), countOf('chunks')]).toEqual([all, all]);
  });

  it('reads a scope once, and after a publish only what changed', async () => {
    const asked: string[] = [];
    const search = createSearch(clientOf(workspace.public, asked), { maxAge: 0 });
    const { release } = await search({ text: 'rose' });
    const count = asked.length;
    await search({ text: 'villa', country: 'IE' });
    expect(asked.slice(count)).toEqual(['_catalogue/current.json']);
    const file = 'house-5.yaml';
    const text = workspace.file(file);
    workspace.write(file, text.replace(/^bedrooms: .*\n/m, '').concat('bedrooms: "77"\n'));
    await workspace.build();
    asked.length = 0;
    const after = await search({ filter: { bedrooms: [77] } });
    expect([after.total, after.release === release]).toEqual([1, false]);
    expect(asked.map((key) => key.split('/')[1]).sort()).toEqual([
      'chunks',
      'current.json',
      'facets',
      'roots',
    ]);
    workspace.write(file, text);
    await workspace.build();
    expect((await search({ filter: { bedrooms: [77] } })).total).toBe(0);
  });

  it('looks for the live release where what it knew is gone', async () => {
    const search = createSearch(clientOf(workspace.public), { maxAge: Number.POSITIVE_INFINITY });
    await search({ country: 'XX' });
    const file = 'house-5.yaml';
    const text = workspace.file(file);
    workspace.write(file, text.replace(/^title: .*$/m, 'title: Unheard Of'));
    await workspace.build();
    expect((await search({ text: 'unheard' })).total).toBe(1);
    workspace.write(file, text);
    await workspace.build();
  });

  it('fails for an object that is not what it is named, and reads it again', async () => {
    let isDamaged = true;
    const search = createSearch({
      ...client,
      readObject: async (key, digest) =>
        isDamaged && key.includes('/facets/') ? new ArrayBuffer(2) : client.readObject(key, digest),
    });
    await expect(search({})).rejects.toThrow(/facets\/.* is damaged/);
    isDamaged = false;
    expect((await search({})).total).toBe(1400);
  });

  it.each([
    ['no summary', () => 'null'],
    ['a summary without a title', (text: string) => text.replace('"title"', '"titel"')],
    ['a summary whose city is a number', (text: string) => text.replace(/"city":"[^"]*"/, '"city":7')],
  ])('fails for a chunk that has %s', async (_what, change) => {
    const search = createSearch({
      ...client,
      async readObject(key, digest) {
        const bytes = await client.readObject(key, digest);
        if (!key.includes('/chunks/')) return bytes;
        const { entries, offsets, cities } = parseChunk(new Uint8Array(bytes))!;
        const texts = Array.from({ length: offsets.length - 1 }, (_, index) =>
          Buffer.from(entries.subarray(offsets[index]!, offsets[index + 1]! - 1)).toString(),
        );
        return Uint8Array.from(encodeChunk(texts.with(1, change(texts[1]!)), cities)).buffer;
      },
    });
    await expect(search({})).rejects.toThrow(/chunks\/.* is damaged/);
  });

  it('asks for nothing whose name is no digest', async () => {
    const asked: string[] = [];
    const search = createSearch({
      async readRoot(known) {
        const live = await client.readRoot(known);
        const text =
          live &&
          new TextDecoder()
            .decode(live.bytes)
            .replace(/"chunks":\[\n\["[0-9a-f]{32}"/, '"chunks":[["../../secret"');
        return live && { ...live, bytes: new TextEncoder().encode(text).buffer };
      },
      readObject(key, digest) {
        asked.push(key);
        return client.readObject(key, digest);
      },
    });
    await expect(search({ text: 'house' })).rejects.toThrow(/secret.* is damaged/);
    expect(asked.filter((key) => key.includes('secret'))).toEqual([]);
  });
});

describe('closeness', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 10 });

  it('counts typos as a table of edits does', () => {
    fc.assert(
      fc.property(letters, letters, (wanted, word) => {
        const [typos, starts] = likeness(wanted, word) ?? [];
        expect(wordDistance(wanted, word)).toBe(typos === undefined ? NO_MATCH : ONE_TYPO * typos + starts!);
      }),
      { numRuns: 5000 },
    );
  });

  // Neighbours that changed places are one typo here, and two there.
  it.each([
    'rose',
    'cotage',
    'cottagee',
    'cott',
    'vila',
    'villa',
    'lighthuose',
    'lighthous',
    'harbor',
    'harbur',
    'farm',
    'farmhose',
    'frmhose',
    'sea view',
    'old mil',
    'malaga',
    'chateau',
    'xyzzy',
  ])('finds the same names as MiniSearch for %s', (text) => {
    const names = [...new Set(HOUSES.map(({ title }) => title))];
    const index = new MiniSearch({ fields: ['name'], tokenize: wordsOf, processTerm: (term) => term });
    index.addAll(names.map((name, id) => ({ id, name })));
    const fuzzy = (term: string) => (term.length < 3 ? 0 : term.length < 8 ? 1 : 2);
    const theirs = index.search(text, { prefix: true, fuzzy, combineWith: 'AND' }).map(({ id }) => names[id]);
    const ours = names.filter((name) =>
      wordsOf(text).every((wanted) => wordsOf(name).some((word) => wordDistance(wanted, word) < NO_MATCH)),
    );
    // It also finds starts with typos.
    if (text !== 'lighthuose') expect(theirs).toEqual(expect.arrayContaining(ours));
    expect(ours.length > 0).toBe(text !== 'xyzzy' && text !== 'frmhose');
  });
});
