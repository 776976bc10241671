/** Releases that are compared by their leaves differ as their plain lists do, wherever chunks and parts end. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareCatalogue } from '../../src/compile/compare-catalogue.ts';
import type { RecordEntry } from '../../src/compile/read/file-record.ts';
import type { Property, Summary } from '../../src/contract/property.ts';
import { changesBetween } from '../../src/history/changes.ts';
import {
  compareDetailFiles,
  comparePages,
  compareReleases,
  differingDetails,
  hasSameDetails,
} from '../../src/release/compare-releases.ts';
import { digestOf } from '../../src/release/digest.ts';
import { scopesOf } from '../../src/release/sequence.ts';
import { idOf, inOrder, makeSource, textsOf } from '../publish/made.ts';

const making = fc
  .record({
    chosen: fc.uniqueArray(
      fc.record({
        n: fc.integer({ min: 1, max: 14 }),
        place: fc.constantFrom(
          ...([
            ['FR', 'Paris'],
            ['IE', 'Cork'],
            ['IE', 'Galway'],
            ['US', 'Paris'],
          ] as const),
        ),
        title: fc.constantFrom('One', 'One', 'Two'),
        photo: fc.constantFrom(undefined, 'a', 'b'),
        email: fc.constantFrom('old', 'old', 'new'),
      }),
      { selector: ({ n }) => n, maxLength: 14 },
    ),
    isEnd: fc.array(fc.boolean(), { minLength: 14, maxLength: 14 }),
    inPart: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ chosen, isEnd, inPart }) => {
    const properties = inOrder(
      chosen.map(({ n, place: [country, city], ...rest }) => ({ id: idOf(n), country, city, ...rest })),
    );
    const ends = properties.map((_, index) => index + 1);
    return {
      properties,
      inPart,
      ends: ends.filter((end) => end === properties.length || isEnd[end - 1]),
    };
  });

type Made = Parameters<typeof makeSource>[0];

/** The whole list, as a build compares it. */
const listOf = ({ properties }: Made) =>
  properties.map((property) => {
    const { summary, detail } = textsOf(property);
    const { id, country = 'IE', city = 'Cork' } = property;
    return {
      id,
      country,
      city,
      summary,
      detail,
      summaryDigest: digestOf(summary),
      detailDigest: digestOf(detail),
    };
  });

it('differ as their plain lists do', async () => {
  await fc.assert(
    fc.asyncProperty(making, making, async (one, other) => {
      const [old, now] = [listOf(one), listOf(other)];
      const [before, after] = [makeSource(one).release, makeSource(other).release];
      const catalogue = { before: old, sequence: now } as unknown as Record<
        'before' | 'sequence',
        RecordEntry[]
      >;
      const { details, ...lists } = compareCatalogue(catalogue, scopesOf(old), scopesOf(now));
      expect(await comparePages(before, after)).toEqual(lists);
      const { written, gone } = details();
      expect(await compareDetailFiles(before, after)).toEqual({
        written: [...written].sort(),
        gone: [...gone].sort(),
      });
      const was = new Map(old.map((entry) => [entry.id, entry]));
      const is = new Map(now.map((entry) => [entry.id, entry]));
      const both = now.filter(({ id }) => was.has(id));
      const summaries = both.filter(({ id, summary }) => was.get(id)!.summary !== summary);
      const { added, removed, changed } = await compareReleases(before, after);
      expect(added).toEqual(now.filter(({ id }) => !was.has(id)).map(({ id }) => id));
      expect(removed).toEqual(old.filter(({ id }) => !is.has(id)).map(({ id }) => id));
      expect([...changed]).toEqual(
        summaries.map(({ id, summary }) => [id, { was: was.get(id)!.summary, is: summary }]),
      );
      const found: [string, string | undefined, string | undefined][] = [];
      for await (const { id, was: a, is: b } of differingDetails(before, after))
        found.push([id, a && Buffer.from(a).toString(), b && Buffer.from(b).toString()]);
      const ids = [...new Set([...was.keys(), ...is.keys()])].sort();
      expect(found).toEqual(
        ids
          .filter((id) => was.get(id)?.detail !== is.get(id)?.detail)
          .map((id) => [id, was.get(id)?.detail, is.get(id)?.detail]),
      );
      if (hasSameDetails(before, after)) expect(found).toEqual([]);
      const fieldsOf = (id: string) => {
        const [a, b] = [was.get(id)!, is.get(id)!].map(({ detail }) => JSON.parse(detail) as Property);
        const names = (['title', 'city', 'country', 'email', 'photo'] as const).filter(
          (name) => JSON.stringify(a![name]) !== JSON.stringify(b![name]),
        );
        const [c, d] = [was.get(id)!, is.get(id)!].map(({ summary }) => JSON.parse(summary) as Summary);
        return [...names, ...(c!.thumbnail === d!.thumbnail ? [] : ['thumbnail'])].sort();
      };
      const feed = await changesBetween({ release: before }, { release: after }, '2026-01-01T00:00:00Z');
      expect(feed).toMatchObject({ added, removed });
      expect(new Map(feed.changed.map(({ id, fields }) => [id, [...fields].sort()]))).toEqual(
        new Map(both.flatMap(({ id }) => (fieldsOf(id).length > 0 ? [[id, fieldsOf(id)] as const] : []))),
      );
    }),
    { numRuns: 300 },
  );
});

it('are compared without reading what both have', async () => {
  const properties = [1, 2, 3, 4].map((n) => ({ id: idOf(n), title: `House ${n}` }));
  const of = (title: string) =>
    makeSource({ ends: [2, 4], properties: properties.map((one, n) => (n === 3 ? { ...one, title } : one)) });
  const [one, other] = [of('One'), of('Two')];
  const read: string[] = [];
  const watched = ({ release }: typeof one) => ({
    ...release,
    leaves: {
      ...release.leaves,
      chunk: (digest: string) => {
        read.push(digest);
        return release.leaves.chunk(digest);
      },
      part: (digest: string) => {
        read.push(digest);
        return release.leaves.part(digest);
      },
    },
  });
  const [before, after] = [watched(one), watched(other)];
  await Promise.all([
    compareReleases(before, after),
    comparePages(before, after),
    compareDetailFiles(before, after),
  ]);
  const last = [before, after].flatMap(({ root }) => [root.chunks[1]!.digest, root.details[1]!.digest]);
  expect(read.sort()).toEqual(last.sort());
});
