import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  CURRENT_KEY,
  FACETS_FOLDER,
  ROOTS_FOLDER,
} from '../../src/contract/object-keys.ts';
import { declaredTerms } from '../../src/contract/terms.ts';
import { vocabularyFrom } from '../../src/contract/vocabulary.ts';
import { digestOf } from '../../src/release/digest.ts';
import { serializeCurrent, UNKNOWN_BUILD } from '../../src/release/root-contents.ts';
import { type SequenceEntry, scopesOf, toSequence } from '../../src/release/sequence.ts';
import { sequenceColumns } from '../../src/release/sequence-columns.ts';
import { uuidFromDigits } from '../../src/release/uuid-v5.ts';
import {
  planTree,
  rootObject,
  type TreeObject,
  treeObjectCount,
  treeObjects,
} from '../../src/tree/objects.ts';
import { entry, sequence } from '../release/made-up-sequence.ts';
import { openTree } from './page-reader.ts';

const digested = (entries: readonly SequenceEntry[]) =>
  entries.map((each) => ({
    ...each,
    summaryDigest: digestOf(each.summary),
    detailDigest: digestOf(each.detailDigest),
  }));

const TERMS = declaredTerms({ vocabulary: vocabularyFrom() });

function makeObjects(entries: readonly SequenceEntry[]): Map<string, TreeObject> {
  const list = digested(entries);
  const columns = sequenceColumns(list);
  const plan = planTree(columns, scopesOf(list));
  const yielded = treeObjects(list, plan, TERMS);
  const objects: TreeObject[] = [];
  let object = yielded.next();
  for (; !object.done; object = yielded.next()) objects.push(object.value);
  const root = rootObject({ ...object.value, details: [], contents: {} });
  const current = serializeCurrent({ release: root.digest, build: UNKNOWN_BUILD });
  objects.push(root, { key: CURRENT_KEY, digest: digestOf(current), content: () => current });
  expect(objects.length).toBe(treeObjectCount(plan));
  return new Map(objects.map((object) => [object.key, object]));
}

/** Many entries of few cities, with ids that end chunks with the usual frequency. */
const CITIES = ['Cork', 'cork', 'Newport', 'Paris', 'Ulm', '東京', '😀', '\ufb01nn', '-'];
const COUNTRIES = ['DE', 'FR', 'IE'];
const choice = <T>(list: readonly T[], number: number): T => list[number % list.length]!;
const made = (number: number): SequenceEntry =>
  entry(
    uuidFromDigits(digestOf(String(number))),
    choice(COUNTRIES, number * 7919),
    choice(CITIES, Math.floor((number * 104_729) / 8)),
    `Stay ${(number * 48_271) % 997}`,
  );

const read = (objects: ReadonlyMap<string, TreeObject>) => (key: string) => {
  const object = objects.get(key);
  if (!object) throw new Error(`no ${key}`);
  return object.content();
};

/** The answer of a scan of every entry. */
function expected(
  entries: readonly SequenceEntry[],
  country: string,
  city: string,
  number: number,
  size: number,
) {
  const all = entries.filter(
    (each) => (!country || each.country === country) && (!city || each.city === city),
  );
  const data = all.slice((number - 1) * size, number * size).map(({ summary }) => JSON.parse(summary));
  return JSON.stringify({
    data,
    meta: { pagination: { current_page: number, per_page: size, total_entries: all.length } },
  });
}

describe('treeObjects', () => {
  it('gives the same answers as a scan of every entry', () => {
    const large = toSequence(Array.from({ length: 6_000 }, (_, index) => made(index)));
    const objects = makeObjects(large);
    expect([...objects.keys()].filter((key) => key.startsWith(CHUNKS_FOLDER)).length).toBeGreaterThan(3);
    const tree = openTree(read(objects));
    for (const country of ['', ...COUNTRIES, 'XX']) {
      for (const city of ['', ...CITIES, 'Atlantis']) {
        for (const [number, size] of [
          [1, 25],
          [2, 25],
          [3, 100],
          [1, 1],
          [20, 100],
          [999_999_999, 100],
        ] as const) {
          expect(tree.page(country, city, number, size).text).toBe(
            expected(large, country, city, number, size),
          );
        }
      }
    }
  });

  it('gives the same answers for small sequences, including the empty one', () => {
    const filters = fc.record({
      country: fc.constantFrom('', ...COUNTRIES),
      city: fc.constantFrom('', ...CITIES),
      number: fc.integer({ min: 1, max: 4 }),
      size: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(sequence, filters, (entries, { country, city, number, size }) => {
        const { text } = openTree(read(makeObjects(entries))).page(country, city, number, size);
        expect(text).toBe(expected(entries, country, city, number, size));
      }),
      { numRuns: 300 },
    );
  });

  it('reports any changed byte, and never answers from it', () => {
    const entries = toSequence(Array.from({ length: 700 }, (_, index) => made(index)));
    const objects = makeObjects(entries);
    const askAll = (changed: ReadonlyMap<string, TreeObject>) => {
      const { page } = openTree(read(changed));
      for (let number = 1; number <= 7; number++) page('', '', number, 100);
      for (const city of CITIES) page('', city, 1, 100);
    };
    askAll(objects);
    const spot = fc.record({
      // No list reads facets.
      key: fc.constantFrom(...[...objects.keys()].filter((key) => !key.startsWith(FACETS_FOLDER))),
      at: fc.nat(),
      bit: fc.integer({ min: 0, max: 7 }),
    });
    fc.assert(
      fc.property(spot, ({ key, at, bit }) => {
        const object = objects.get(key)!;
        const bytes = Uint8Array.from(object.content());
        bytes[at % bytes.length]! ^= 1 << bit;
        // What follows the name is not read.
        if (key === CURRENT_KEY && at % bytes.length >= Buffer.from(bytes).indexOf('","')) return;
        expect(() => askAll(new Map(objects).set(key, { ...object, content: () => bytes }))).toThrow(
          /damaged|^no /,
        );
      }),
      { numRuns: 100 },
    );
  });

  it('replaces at most as many objects as the format promises', () => {
    const isNew = (
      before: ReadonlyMap<string, unknown>,
      after: ReadonlyMap<string, unknown>,
      folder: string,
    ) => [...after.keys()].filter((key) => key.startsWith(`${folder}/`) && !before.has(key)).length;
    // Numbers at regular distances from one on: few to print on a failure.
    const numbers = fc
      .record({ first: fc.nat(5_000), step: fc.integer({ min: 1, max: 7 }) })
      .map(({ first, step }) => Array.from({ length: 1_000 }, (_, index) => first + index * step));
    const edit = fc.record({ kind: fc.constantFrom('add', 'remove', 'retitle', 'move'), at: fc.nat() });
    fc.assert(
      fc.property(numbers, edit, (list, { kind, at }) => {
        const entries = list.map(made);
        const place = at % entries.length;
        const chosen = entries[place]!;
        const title = JSON.parse(chosen.summary).title as string;
        if (kind === 'add') entries.push(made(100_000 + (at % 100_000)));
        else if (kind === 'remove') entries.splice(place, 1);
        else if (kind === 'retitle')
          entries[place] = entry(chosen.id, chosen.country, chosen.city, `${title}!`);
        else entries[place] = entry(chosen.id, choice(COUNTRIES, at), choice(CITIES, at >> 4), `${title}!`);
        const before = makeObjects(toSequence(list.map(made)));
        const after = makeObjects(toSequence(entries));
        const chunks = isNew(before, after, CHUNKS_FOLDER);
        const gone = isNew(after, before, CHUNKS_FOLDER);
        expect(Math.max(chunks, gone)).toBeLessThanOrEqual(kind === 'add' || kind === 'remove' ? 2 : 4);
        expect(isNew(before, after, CITIES_FOLDER)).toBeLessThanOrEqual(kind === 'move' ? 2 : 1);
        expect(isNew(before, after, FACETS_FOLDER)).toBeLessThanOrEqual(
          kind === 'retitle' && chunks <= 1 ? 1 : chunks,
        );
        expect(isNew(before, after, ROOTS_FOLDER)).toBe(1);
        expect(after.get(CURRENT_KEY)!.digest).not.toBe(before.get(CURRENT_KEY)!.digest);
      }),
      { numRuns: 60 },
    );
  });
});
